// The server's reports in the language of the page.

import type { FloorReport, Remark, ReportSheet, SheetColumn } from "../wire/web";
import { betName, name } from "../words/staff_names";
import { words } from "../words/words.svelte";
import { count, money, quantity, text, time, type Cell, type Report } from "./report";

const HOUR_MS = 3_600_000;
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

function cells({ columns }: ReportSheet, row: ReportSheet["rows"][number]): readonly Cell[] {
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
  const shown = Object.entries(values).map(([gap, value]) => [gap.replace(/_cents$/, ""), gap.endsWith("_cents") ? words.money(Number(value)) : String(value)] as const);
  return words.has(key) ? words.say(key, Object.fromEntries(shown)) : key;
}

function said(key: string): string {
  return words.has(key) ? words.say(key) : key.replaceAll("_", " ");
}
