// The server's reports in the language of the page.

import type { FloorReport, Remark, ReportSheet, SheetColumn } from "../wire/web";
import { betName, name } from "../words/staff_names";
import { words } from "../words/words.svelte";
import { count, money, quantity, shown, text, time, type Cell, type Report } from "./report";

type Row = ReportSheet["rows"][number];
const HOUR_MS = 3_600_000;
const MOST_BARS = 60;
const FIGURES: readonly SheetColumn["kind"][] = ["money", "count", "hours", "rate", "percent"];

export function reportsOf({ sheets }: FloorReport): readonly Report[] {
  return sheets.map((sheet) => ({
    code: sheet.code,
    title: said(`report_${sheet.code}`),
    columns: sheet.columns.map(({ key, kind }) => ({ label: said(key), figure: FIGURES.includes(kind) })),
    rows: sheet.rows.map((row) => cells(sheet, row)),
    ...(sheet.totals == null ? {} : { totals: [text(words.say("total")), ...cells(sheet, sheet.totals).slice(1)] }),
    remarks: (sheet.remarks ?? []).map(remark),
  }));
}

export interface WinBar {
  readonly name: string;
  readonly figure: number | null;
  readonly expected: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** The win of each row inside its bounds, where the first sheet of a report has them; nothing where there are too many to draw. */
export function barsOf({ sheets }: FloorReport): readonly WinBar[] {
  const [sheet] = sheets;
  if (sheet === undefined || sheet.rows.length > MOST_BARS) return [];
  const place = (key: string): number => sheet.columns.findIndex((column) => column.key === key);
  const win = Math.max(place("win"), place("actual_win"));
  if (win < 0 || place("from_bound") < 0) return [];
  const named = sheet.columns.flatMap(({ kind }, at) => (at === 0 || kind === "bet" ? [at] : []));
  const number = (row: Row, at: number): number | null => (typeof row[at] === "number" ? row[at] : null);
  return sheet.rows.map((row) => ({
    name: named.map((at) => shown(cell(sheet.columns[at]!, row[at] ?? null))).join(" · "),
    figure: number(row, win),
    expected: number(row, place("theoretical_win")),
    low: number(row, place("from_bound")),
    high: number(row, place("to_bound")),
  }));
}

function cells({ columns }: ReportSheet, row: Row): readonly Cell[] {
  return row.map((value, place) => cell(columns[place]!, value));
}

function cell({ kind, prefix }: SheetColumn, value: string | number | null): Cell {
  if (value === null || value === "") return text("");
  switch (kind) {
    case "money":
      return money(Number(value));
    case "count":
      return count(Number(value));
    case "time":
      return time(Number(value));
    case "hours":
      return quantity(Number(value) / HOUR_MS, 2);
    case "rate":
      return quantity(Number(value), 1);
    case "percent":
      return quantity(Number(value), 2, " %");
    case "bet":
      return text(betName(String(value)));
    case "word":
      return text(prefix ? name(prefix, String(value)) : said(String(value)));
    default:
      return text(value);
  }
}

function remark({ key, values = {} }: Remark): string {
  const filled = Object.entries(values).map(([gap, value]) => [gap.replace(/_cents$/, ""), gap.endsWith("_cents") ? words.money(Number(value)) : String(value)] as const);
  return words.has(key) ? words.say(key, Object.fromEntries(filled)) : key;
}

function said(key: string): string {
  return words.has(key) ? words.say(key) : key.replaceAll("_", " ");
}
