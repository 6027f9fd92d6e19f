// What screens say of a session: its unit, its title, how far it is and where an entrant stands. No bet is ever named.

import { FIRST } from "../catalogue/languages";
import type { SeatStanding, TableSession } from "../wire/views";
import { words } from "../words/words.svelte";

/** The unit of a table's amounts: the currency, or credits while a session is on. */
export function unitOf({ session, table }: { session: TableSession | null; table: { currency: string } }): string {
  return isPlayed(session) ? words.say("credits") : table.currency;
}

/** Whether a session is on, so that amounts are credits; a table that is only reserved still has its money. */
export function isPlayed(session: TableSession | null): session is TableSession {
  return session !== null && session.round !== "";
}

/** A title in the language of the page, or in the nearest that it was written in. */
export function titleOf(title: Readonly<Record<string, string>>, otherwise = ""): string {
  const { code } = words.language;
  return title[code] ?? title[code.split("-")[0] ?? code] ?? title[FIRST.code] ?? otherwise;
}

/** A place as it is said: 3rd. */
export function ordinal(rank: number): string {
  const key = `rank_${new Intl.PluralRules(words.locale, { type: "ordinal" }).select(rank)}`;
  return words.say(words.has(key) ? key : "rank_other", { rank });
}

export function coupsLeft(count: number): string {
  return words.say(count === 1 ? "coups_left_one" : "coups_left", { count });
}

const BETWEEN: ReadonlySet<string> = new Set(["between_coups", "closed"]);

/** The coup that is played, or between two the last that counted: Coup 7 of 20. */
export function coupOf(session: TableSession, phase: string): string {
  const played = BETWEEN.has(phase) || session.stage !== "open" ? session.counted : session.counted + 1;
  const coup = session.coups === null ? played : Math.min(played, session.coups);
  if (session.coups !== null) return words.say("coup_of", { coup, coups: session.coups });
  return words.say("coup_until", { coup, time: session.ends_ms === null ? "–" : words.time(session.ends_ms) });
}

/** How an entrant stands, what the line has, and what is left: 3rd of 8 · 2nd has 1,250.00 · 4 coups left. */
export function standingLine(standing: SeatStanding, session: TableSession): string {
  const [rank, count] = standing.rank === null ? [standing.rank_at_table, standing.seats] : [standing.rank, standing.entrants];
  const parts = [words.say("rank_of", { rank: ordinal(rank), count })];
  if (standing.line !== null && standing.line_rank !== null) {
    parts.push(words.say("line_has", { rank: ordinal(standing.line_rank), amount: words.money(standing.line) }));
  }
  if (session.left !== null) parts.push(coupsLeft(session.left));
  return parts.join(" · ");
}
