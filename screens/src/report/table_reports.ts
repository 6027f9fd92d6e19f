// The reports of the floor, made from the reports of its tables and the house's own figures.

import type { FloorView } from "../wire/views";
import type { TableReport } from "../wire/web";
import { betName, name } from "../words/staff_names";
import { words } from "../words/words.svelte";
import { count, money, text, time, type Report } from "./report";

export function shiftReport(tables: readonly TableReport[]): Report {
  const kinds = (of: Readonly<Record<string, number>>, prefix: string): string =>
    Object.entries(of).map(([kind, cents]) => `${name(prefix, kind)} ${words.money(cents)}`).join(words.say("comma"));
  return {
    code: "shift",
    title: words.say("report_shift"),
    columns: [
      { label: words.say("table") },
      { label: words.say("dealers") },
      { label: words.say("coups"), figure: true },
      { label: words.say("void_coups"), figure: true },
      { label: words.say("dummy_coups"), figure: true },
      { label: words.say("corrected_coups"), figure: true },
      { label: words.say("came_in") },
      { label: words.say("paid_out") },
      { label: words.say("drop"), figure: true },
      { label: words.say("turnover"), figure: true },
      { label: words.say("win"), figure: true },
      { label: words.say("hold"), figure: true },
    ],
    rows: tables.map(({ table, shift }) => [
      text(table),
      text(shift.dealers.join(words.say("comma"))),
      count(shift.coups),
      count(shift.void),
      count(shift.dummy),
      count(shift.corrected),
      text(kinds(shift.came_in, "tender")),
      text(kinds(shift.paid, "paid_by")),
      money(shift.win.drop),
      money(shift.win.turnover),
      money(shift.win.booked_win),
      text(shift.win.hold_percent === null ? "–" : `${shift.win.hold_percent} %`),
    ]),
    totals: [
      text(words.say("total")),
      text(""),
      count(sum(tables, ({ shift }) => shift.coups)),
      count(sum(tables, ({ shift }) => shift.void)),
      count(sum(tables, ({ shift }) => shift.dummy)),
      count(sum(tables, ({ shift }) => shift.corrected)),
      text(""),
      text(""),
      money(sum(tables, ({ shift }) => shift.win.drop)),
      money(sum(tables, ({ shift }) => shift.win.turnover)),
      money(sum(tables, ({ shift }) => shift.win.booked_win)),
      text(""),
    ],
    remarks: tables.map(({ table, shift }) => variance(table, shift.win.variance)),
  };
}

export function winReport(tables: readonly TableReport[]): Report {
  const lines = tables.flatMap(({ table, shift }) => shift.win.stations.map((line) => ({ table, line })));
  return {
    code: "win",
    title: words.say("report_win"),
    columns: [
      { label: words.say("table") },
      { label: words.say("station") },
      { label: words.say("coups"), figure: true },
      { label: words.say("drop"), figure: true },
      { label: words.say("turnover"), figure: true },
      { label: words.say("win"), figure: true },
      { label: words.say("commission"), figure: true },
      { label: words.say("paid_out"), figure: true },
    ],
    rows: lines.map(({ table, line }) => [
      text(table),
      text(line.station),
      count(line.coups),
      money(line.drop),
      money(line.turnover),
      money(line.win),
      money(line.commission),
      money(line.paid),
    ]),
    totals: [
      text(words.say("total")),
      text(""),
      text(""),
      money(sum(lines, ({ line }) => line.drop)),
      money(sum(lines, ({ line }) => line.turnover)),
      money(sum(lines, ({ line }) => line.win)),
      money(sum(lines, ({ line }) => line.commission)),
      money(sum(lines, ({ line }) => line.paid)),
    ],
    remarks: tables.map(({ table, shift }) => variance(table, shift.win.variance)),
  };
}

export function theoryReport(tables: readonly TableReport[]): Report {
  const lines = tables.flatMap(({ table, bets }) => bets.map((line) => ({ table, line })));
  return {
    code: "theory",
    title: words.say("report_theory"),
    columns: [
      { label: words.say("table") },
      { label: words.say("bet") },
      { label: words.say("wagers"), figure: true },
      { label: words.say("turnover"), figure: true },
      { label: words.say("actual_win"), figure: true },
      { label: words.say("theoretical_win"), figure: true },
      { label: words.say("from_bound"), figure: true },
      { label: words.say("to_bound"), figure: true },
      { label: words.say("verdict") },
    ],
    rows: lines.map(({ table, line }) => [
      text(table),
      text(betName(line.bet)),
      count(line.wagers),
      money(line.turnover),
      money(line.win),
      money(line.theoretical_win),
      money(line.low),
      money(line.high),
      text(verdict(line.win, line.low, line.high)),
    ]),
    totals: [
      text(words.say("total")),
      text(""),
      count(sum(lines, ({ line }) => line.wagers)),
      money(sum(lines, ({ line }) => line.turnover)),
      money(sum(lines, ({ line }) => line.win)),
      money(sum(lines, ({ line }) => line.theoretical_win ?? 0)),
      text(""),
      text(""),
      text(""),
    ],
    remarks: [words.say("theory_remark")],
  };
}

export function putRightReport(tables: readonly TableReport[]): Report {
  return {
    code: "put_right",
    title: words.say("report_put_right"),
    columns: [
      { label: words.say("when") },
      { label: words.say("table") },
      { label: words.say("what") },
      { label: words.say("coup"), figure: true },
      { label: words.say("station") },
      { label: words.say("to_patrons"), figure: true },
      { label: words.say("reason") },
      { label: words.say("by") },
      { label: words.say("approver") },
      { label: words.say("clause_column") },
    ],
    rows: tables.flatMap(({ table, put_right }) =>
      put_right.map((line) => [
        time(line.at_ms),
        text(table),
        text(name("put_right", line.kind)),
        text(line.coup ?? ""),
        text(line.station),
        money(line.cents),
        text(line.reason),
        text(line.by),
        text(line.approver || "–"),
        text(line.clause),
      ]),
    ),
  };
}

export function floatReport(tables: readonly TableReport[]): Report {
  return {
    code: "float",
    title: words.say("report_float"),
    columns: [
      { label: words.say("when") },
      { label: words.say("table") },
      { label: words.say("what") },
      { label: words.say("float_moment") },
      { label: words.say("amount"), figure: true },
      { label: words.say("expected"), figure: true },
      { label: words.say("difference"), figure: true },
      { label: words.say("slip_number") },
      { label: words.say("carried_by") },
      { label: words.say("by") },
      { label: words.say("approver") },
      { label: words.say("clause_column") },
    ],
    rows: tables.flatMap(({ table, float_lines }) =>
      float_lines.map((line) => [
        time(line.at_ms),
        text(table),
        text(name("float", line.kind)),
        text(line.when === "" ? "" : name("float_moment", line.when)),
        money(line.kind === "FloatUncounted" ? null : line.cents),
        money(line.expected),
        money(line.difference),
        text(line.slip),
        text(line.carried_by),
        text(line.by),
        text(line.approver || "–"),
        text(line.clause),
      ]),
    ),
    remarks: tables.map(({ table, shift: { chip_float: float } }) =>
      words.say("float_remark", {
        table,
        first: words.money(float.first),
        fills: words.money(float.fills),
        credits: words.money(float.credits),
        patrons: words.money(float.patrons),
        differences: words.money(float.differences),
        last: words.money(float.last),
      }),
    ),
  };
}

export function liabilityReport({ liability }: Pick<FloorView, "liability">): Report {
  return {
    code: "liability",
    title: words.say("report_liability"),
    columns: [
      { label: words.say("status") },
      { label: words.say("days_old"), figure: true },
      { label: words.say("tickets"), figure: true },
      { label: words.say("amount"), figure: true },
    ],
    rows: liability.outstanding.map((line) => [text(name("ticket", line.status)), count(line.days_old), count(line.tickets), money(line.cents)]),
    totals: [text(words.say("outstanding")), text(""), count(sum(liability.outstanding, (line) => line.tickets)), money(liability.outstanding_cents)],
    remarks: [
      words.say("unclaimed", { amount: words.money(liability.unclaimed_cents) }),
      words.say(liability.agrees ? "liability_agrees" : "liability_differs"),
    ],
  };
}

function variance(table: string, cents: number): string {
  return cents === 0 ? words.say("no_variance", { table }) : words.say("variance_of", { table, amount: words.money(cents) });
}

function verdict(win: number, low: number | null, high: number | null): string {
  if (low === null || high === null) return words.say("no_odds");
  return words.say(win < low ? "below_bounds" : win > high ? "above_bounds" : "within_bounds");
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
