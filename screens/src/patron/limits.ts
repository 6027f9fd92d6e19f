// How a patron's own limit is written: money, or minutes for the time.

import type { CareShown, OwnLimitShown, ScreenMessage, StationView, TimedMessage } from "../wire/views";
import { words } from "../words/words.svelte";

export function limitWritten(limit: OwnLimitShown["limit"], most: number): string {
  if (most === 0) return words.say("no_own_limit");
  return limit === "time" ? words.say("minutes_long", { minutes: most }) : words.money(most);
}

/** Hours and minutes of play. */
export function playedFor(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  return words.say("played_for", { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

/** What a station tells its patron for a time: what it did not take, and what the patron has set. */
export function passing({ station, care }: Pick<StationView, "station" | "care">): readonly TimedMessage[] {
  const back = station.given_back === null ? [] : [station.given_back];
  return care === null ? back : [...back, ...care.notices];
}

/** What is told at this time. */
export function timed(notices: readonly TimedMessage[], now: number): readonly ScreenMessage[] {
  return notices.filter(({ from_ms, until_ms }) => from_ms <= now && (until_ms === null || now < until_ms)).map(({ message }) => message);
}

/** Whether time and money are to be acknowledged now: between coups, or where the table takes no wager before it. */
export function asksFor({ check_due_ms, check_binds }: Pick<CareShown, "check_due_ms" | "check_binds">, phase: string, now: () => number): boolean {
  if (check_due_ms === 0) return false;
  return check_binds || ((phase === "between_coups" || phase === "closed") && now() >= check_due_ms);
}
