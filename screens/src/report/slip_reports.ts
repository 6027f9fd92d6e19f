// The slips that wait at the cage, and the books of every tournament.

import { name } from "../words/staff_names";
import { words } from "../words/words.svelte";
import type { FloorView } from "../wire/views";
import { count, money, text, time, type Report } from "./report";

export function slipReport({ slips }: Pick<FloorView, "slips">): Report {
  return {
    code: "slips",
    title: words.say("slips"),
    columns: [
      { label: words.say("slip_number") },
      { label: words.say("status") },
      { label: words.say("slip_direction") },
      { label: words.say("slip_purpose") },
      { label: words.say("entrant"), figure: true },
      { label: words.say("amount"), figure: true },
      { label: words.say("expires") },
    ],
    rows: slips.map((line) => [
      text(line.slip),
      text(name("slip", line.status)),
      text(name("slip", line.direction)),
      text(name("purpose", line.purpose)),
      count(line.entrant),
      money(line.cents),
      line.expires_ms === null ? text("–") : time(line.expires_ms),
    ]),
  };
}

export function tournamentReport({ liability }: Pick<FloorView, "liability">): Report {
  const held = ["prize_pool", "tournament_fees", "stakes", "payouts", "added_prizes", "fee_income", "tournament_win"] as const;
  return {
    code: "tournament_books",
    title: words.say("tournament_books"),
    columns: [{ label: words.say("tournament") }, ...held.map((account) => ({ label: words.say(`account_${account}`), figure: true })), { label: words.say("status") }],
    rows: liability.tournaments.map((line) => [text(line.tournament), ...held.map((account) => money(line[account])), text(words.say(line.closed ? "books_closed" : "books_open"))]),
  };
}
