// Where the betting areas lie. On a wide screen as the rule set's diagram has them; narrow ones have layouts of their own.

import type { Arrangement } from "../look/arrangement";
import type { Area, Table } from "../wire/views";

export type Diagram = readonly (readonly string[])[];

const THREE_ABREAST: Diagram = [
  ["player", "tie", "banker"],
  ["player_pair", "super_6", "banker_pair"],
  ["player_perfect_pairs", "banker_perfect_pairs"],
  ["player_dragon_bonus", "banker_dragon_bonus"],
];
const TWO_ABREAST: Diagram = [
  ["player", "banker"],
  ["tie", "super_6"],
  ["player_pair", "banker_pair"],
  ["player_perfect_pairs", "banker_perfect_pairs"],
  ["player_dragon_bonus", "banker_dragon_bonus"],
];

function diagramOf(table: Pick<Table, "rows">, arrangement: Arrangement): Diagram {
  if (arrangement === "landscape") return table.rows;
  return arrangement === "upright" ? TWO_ABREAST : THREE_ABREAST;
}

/** The offered areas in rows: what is not offered makes room, and a bet that no diagram knows comes last. */
export function rowsOf(table: Pick<Table, "areas" | "rows">, arrangement: Arrangement): readonly (readonly Area[])[] {
  const { areas } = table;
  const diagram = diagramOf(table, arrangement);
  const byBet = new Map(areas.map((area) => [area.bet, area]));
  const known = new Set(diagram.flat());
  const rows = diagram.map((row) => row.flatMap((bet) => byBet.get(bet) ?? []));
  return [...rows, areas.filter((area) => !known.has(area.bet))].filter((row) => row.length > 0);
}
