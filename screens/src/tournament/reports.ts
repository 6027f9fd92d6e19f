// The tables of a tournament's desk: conditions, sittings, entrants and slips.

import { count, money, text, type Report } from "../report/report";
import type { TournamentDesk } from "../wire/tournament";
import { name } from "../words/staff_names";
import { words } from "../words/words.svelte";

export function sittingReport(desk: TournamentDesk): Report {
  return {
    code: "sittings",
    title: words.say("sittings"),
    columns: [
      { label: words.say("round") },
      { label: words.say("session"), figure: true },
      { label: words.say("table") },
      { label: words.say("status") },
      { label: words.say("coups"), figure: true },
      { label: words.say("seats") },
      { label: words.say("waits_for") },
    ],
    rows: desk.sittings.map((one) => [
      text(one.round),
      count(one.session),
      text(one.table),
      text(name("sitting", one.state)),
      text(one.left === null ? one.counted : `${one.counted} / ${one.counted + one.left}`),
      text(Object.entries(one.seats).map(([station, entrant]) => `${station}: ${entrant}`).join(words.say("comma"))),
      text([one.why, one.agreed > 0 ? words.say("agreed_of", { agreed: one.agreed, seated: Object.keys(one.seats).length }) : "", one.claims_open ? words.say("claims_waiting") : ""].filter(Boolean).join("; ")),
    ]),
  };
}

export function slipReport(desk: TournamentDesk): Report {
  return {
    code: "tournament_slips",
    title: words.say("slips"),
    columns: [
      { label: words.say("slip") },
      { label: words.say("direction") },
      { label: words.say("amount"), figure: true },
      { label: words.say("entrant"), figure: true },
      { label: words.say("purpose") },
      { label: words.say("status") },
    ],
    rows: desk.slips.map((one) => [text(one.slip), text(name("direction", one.direction)), money(one.cents), count(one.entrant), text(name("purpose", one.purpose)), text(name("slip_state", one.status))]),
  };
}
