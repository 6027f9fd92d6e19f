// Where the betting areas lie. A diagram names rows of bets; an area that is not offered vanishes and the others grow.

import type { Area } from "../wire/views";

export type Diagram = readonly (readonly string[])[];

const WIDE: Diagram = [
  ["player_pair", "player_perfect_pairs", "tie", "banker_perfect_pairs", "banker_pair"],
  ["player_dragon_bonus", "player", "banker", "banker_dragon_bonus"],
  ["super_6"],
];

const NARROW: Diagram = [
  ["player", "tie", "banker"],
  ["player_pair", "super_6", "banker_pair"],
  ["player_perfect_pairs", "banker_perfect_pairs"],
  ["player_dragon_bonus", "banker_dragon_bonus"],
];

/** The offered areas in rows. A casino's own bets, which no diagram knows, come last. */
export function rowsOf(areas: readonly Area[], narrow: boolean): readonly (readonly Area[])[] {
  const diagram = narrow ? NARROW : WIDE;
  const byBet = new Map(areas.map((area) => [area.bet, area]));
  const known = new Set(diagram.flat());
  const rows = diagram.map((row) => row.flatMap((bet) => byBet.get(bet) ?? []));
  return [...rows, areas.filter((area) => !known.has(area.bet))].filter((row) => row.length > 0);
}
