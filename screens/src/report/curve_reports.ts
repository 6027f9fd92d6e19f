// The tables behind the curves, from the very figures that are drawn.

import type { CurveHour, CurvePoint, HoldLine } from "../wire/web";
import { words } from "../words/words.svelte";
import { count, money, text, time, type Report } from "./report";

export function percent(share: number | null): string {
  return share === null ? "–" : `${new Intl.NumberFormat(words.locale, { maximumFractionDigits: 2 }).format(share)} %`;
}

export function pointsReport(code: string, title: string, points: readonly CurvePoint[], kinds: readonly ("win" | "drop" | "turnover")[]): Report {
  const bounds = kinds.includes("win") ? ([["expected", "theoretical_win"], ["low", "from_bound"], ["high", "to_bound"]] as const) : [];
  return {
    code,
    title,
    columns: [{ label: words.say("when") }, { label: words.say("coups"), figure: true }, ...kinds.map((kind) => ({ label: words.say(kind), figure: true })), ...bounds.map(([, label]) => ({ label: words.say(label), figure: true }))],
    rows: points.map((point) => [time(point.at_ms), count(point.coups), ...kinds.map((kind) => money(point[kind])), ...bounds.map(([kind]) => money(point[kind]))]),
  };
}

export function holdReport(code: string, title: string, of: "drop" | "turnover", lines: readonly HoldLine[], name: (line: HoldLine) => string): Report {
  return {
    code,
    title,
    columns: [
      { label: words.say(code === "hold_dealer" ? "role_dealer" : code === "hold_bet" ? "bet" : "table") },
      { label: words.say("coups"), figure: true },
      { label: words.say(of), figure: true },
      { label: words.say("win"), figure: true },
      { label: words.say("hold"), figure: true },
      { label: words.say("hold_expected"), figure: true },
      { label: words.say("from_bound"), figure: true },
      { label: words.say("to_bound"), figure: true },
    ],
    rows: lines.map((line) => [
      text(name(line)),
      line.coups === null ? text("–") : count(line.coups),
      money(line.of),
      money(line.win),
      text(percent(line.held)),
      text(percent(line.expected)),
      text(percent(line.low)),
      text(percent(line.high)),
    ]),
  };
}

export function hoursReport(code: string, title: string, hours: readonly CurveHour[]): Report {
  return {
    code,
    title,
    columns: [{ label: words.say("from") }, { label: words.say("to") }, { label: words.say("coups"), figure: true }, { label: words.say("coups_an_hour"), figure: true }, { label: words.say("idle_seats"), figure: true }],
    rows: hours.map((hour) => [time(hour.from_ms), time(hour.to_ms), count(hour.coups), count(hour.coups_an_hour), text(percent(hour.idle_percent))]),
  };
}
