// A report as data, from which the page and the print are made.

import { words } from "../words/words.svelte";
import { moment } from "../words/staff_names";

export type Cell =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "money"; readonly cents: number | null }
  | { readonly kind: "count"; readonly count: number }
  | { readonly kind: "quantity"; readonly count: number; readonly digits: number; readonly unit: string }
  | { readonly kind: "time"; readonly atMs: number };

export interface Column {
  readonly label: string;
  readonly figure?: boolean;
}

export interface Report {
  readonly code: string;
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  readonly totals?: readonly Cell[];
  /** What the figures come to, in words. */
  readonly remarks?: readonly string[];
}

export const text = (said: string | number): Cell => ({ kind: "text", text: String(said) });
export const money = (cents: number | null): Cell => ({ kind: "money", cents });
export const count = (number: number): Cell => ({ kind: "count", count: number });
export const quantity = (number: number, digits: number, unit = ""): Cell => ({ kind: "quantity", count: number, digits, unit });
export const time = (atMs: number): Cell => ({ kind: "time", atMs });

export function shown(cell: Cell): string {
  switch (cell.kind) {
    case "text":
      return cell.text;
    case "money":
      return cell.cents === null ? "–" : words.money(Math.round(cell.cents));
    case "count":
      return new Intl.NumberFormat(words.locale).format(cell.count);
    case "quantity":
      return new Intl.NumberFormat(words.locale, { minimumFractionDigits: cell.digits, maximumFractionDigits: cell.digits }).format(cell.count) + cell.unit;
    case "time":
      return moment(cell.atMs, true);
  }
}

/** Numbers by size, words by the alphabet. */
export function compare(one: Cell, other: Cell): number {
  const size = (cell: Cell): number | null => {
    if (cell.kind === "money") return cell.cents ?? Number.NEGATIVE_INFINITY;
    if (cell.kind === "count" || cell.kind === "quantity") return cell.count;
    return cell.kind === "time" ? cell.atMs : null;
  };
  const [left, right] = [size(one), size(other)];
  return left !== null && right !== null ? left - right : shown(one).localeCompare(shown(other), words.locale, { numeric: true });
}
