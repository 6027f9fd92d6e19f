// Where the betting areas lie. On a wide screen as the rule set's diagram has them; a phone has a layout of its own.

import type { Area, Table } from "../wire/views";

export type Diagram = readonly (readonly string[])[];

const NARROW: Diagram = [
  ["player", "tie", "banker"],
  ["player_pair", "super_6", "banker_pair"],
  ["player_perfect_pairs", "banker_perfect_pairs"],
  ["player_dragon_bonus", "banker_dragon_bonus"],
];

/** The offered areas in rows: what is not offered makes room, and a bet that no diagram knows comes last. */
export function rowsOf(table: Pick<Table, "areas" | "rows">, narrow: boolean): readonly (readonly Area[])[] {
  const { areas } = table;
  const diagram = narrow ? NARROW : table.rows;
  const byBet = new Map(areas.map((area) => [area.bet, area]));
  const known = new Set(diagram.flat());
  const rows = diagram.map((row) => row.flatMap((bet) => byBet.get(bet) ?? []));
  return [...rows, areas.filter((area) => !known.has(area.bet))].filter((row) => row.length > 0);
}
