// The pages of a board, ten rows each, and where the line is that divides who goes on from who does not.

import type { BoardRow } from "../wire/tournament";

export const ROWS = 10;
/** How long a page stands, and how long a result is new, during which no page is turned. */
export const TURN_MS = 12_000;
export const NEW_MS = 5_000;

export function pagesOf(rows: readonly BoardRow[]): readonly (readonly BoardRow[])[] {
  const pages = Array.from({ length: Math.ceil(rows.length / ROWS) }, (_, page) => rows.slice(page * ROWS, (page + 1) * ROWS));
  return pages.length === 0 ? [[]] : pages;
}

/** The entrant of the last row above the cut line; nobody where all or none go on. */
export function lastThrough(rows: readonly BoardRow[]): number | null {
  const through = rows.filter((row) => row.through);
  return through.length === 0 || through.length === rows.length ? null : (through.at(-1)?.entrant ?? null);
}

/** Whether the page may be turned: it has stood its time, and no result is new. */
export function isDue(nowMs: number, turnedMs: number, changedMs: number): boolean {
  return nowMs - turnedMs >= TURN_MS && nowMs - changedMs >= NEW_MS;
}
