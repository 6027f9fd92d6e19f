// What the desk asks of a tournament, as forms: fields and the act that they make. Whether an act is open, and why not,
// the server says.

import { readMoment, type Field, type Values } from "../form/field";
import type { DeskRound, StaffAction, TournamentDesk } from "../wire/tournament";
import { name } from "../words/staff_names";
import { words } from "../words/words.svelte";
import type { Asked } from "./tournaments.svelte";

export interface Form {
  readonly verb: Asked["do"];
  readonly fields: readonly Field[];
  readonly act: (values: Values) => Asked;
  /** What the server says of it, where it was tried. */
  readonly shown?: StaffAction | undefined;
}

const reason = (optional = false): Field => ({ name: "reason", label: words.say("reason"), optional });
const listed = (written = ""): string[] => written.split(",").map((one) => one.trim()).filter((one) => one !== "");
const choice = (field: string, label: string, values: readonly string[], told = (value: string): string => value): Field => ({
  name: field,
  label,
  kind: "choice",
  choices: values.map((value) => ({ value, label: told(value) })),
});

/** About the whole tournament, in the order in which they are wanted. */
export function wholeForms(desk: TournamentDesk): readonly Form[] {
  const newest = desk.versions.at(-1);
  const plain = (verb: "open_entry" | "close_entry" | "be_present" | "step_out" | "close_session" | "close_books"): Form => ({
    verb,
    fields: [],
    act: () => ({ do: verb }) as Asked,
    shown: desk.actions[verb],
  });
  const tables = Object.keys(desk.tables);
  return [
    { verb: "appoint_director", fields: [{ name: "director", label: words.say("person") }], act: ({ director = "" }) => ({ do: "appoint_director", director }) },
    {
      verb: "approve_conditions",
      fields: [
        { name: "reference", label: words.say("approval_reference") },
        { name: "dated", label: words.say("dated"), optional: true },
      ],
      act: ({ reference = "", dated = "" }) => ({ do: "approve_conditions", version: newest?.version ?? 0, digest: newest?.digest ?? "", reference, dated }),
      shown: desk.actions["approve_conditions"],
    },
    plain("open_entry"),
    plain("close_entry"),
    plain("be_present"),
    plain("step_out"),
    { verb: "brief", fields: [{ name: "entrants", label: `${words.say("entrants")} (${words.say("all_who_are_in")})`, kind: "numbers", optional: true }], act: ({ entrants }) => ({ do: "brief", entrants: listed(entrants).map(Number) }) },
    { verb: "designate_tables", fields: [{ name: "tables", label: words.say("tables_field") }], act: ({ tables: named }) => ({ do: "designate_tables", tables: listed(named) }) },
    plain("close_session"),
    ...(desk.sittings.length === 0
      ? []
      : ([
          {
            verb: "conclude_early",
            fields: [choice("table", words.say("table"), tables), reason(true)],
            act: ({ table = "", reason: why = "" }) => ({ do: "conclude_early", table, reason: why }),
          },
          {
            verb: "abandon_sitting",
            fields: [choice("table", words.say("table"), tables), { name: "move_to", label: words.say("move_to_table"), optional: true }, reason()],
            act: ({ table = "", move_to = "", reason: why = "" }) => ({ do: "abandon_sitting", table, move_to, reason: why }),
          },
        ] satisfies Form[])),
    {
      verb: "award_prizes",
      fields: [{ name: "words", label: words.say("words_optional"), optional: true }],
      act: ({ words: drawn = "" }) => ({ do: "award_prizes", words: drawn }),
      shown: desk.actions["award_prizes"],
    },
    { verb: "release_tables", fields: [{ name: "tables", label: words.say("tables_field"), optional: true }], act: ({ tables: named }) => ({ do: "release_tables", tables: listed(named) }) },
    {
      verb: "require_signatures",
      fields: [{ name: "on", label: words.say("require_signatures_on"), kind: "check", value: "yes" }],
      act: ({ on }) => ({ do: "require_signatures", on: on === "yes" }),
    },
    {
      verb: "refuse_application",
      fields: [{ name: "player", label: words.say("player_reference") }, choice("criterion", words.say("criterion"), ["", ...desk.criteria]), reason()],
      act: ({ player = "", criterion = "", reason: why = "" }) => ({ do: "refuse_application", player, criterion, reason: why }),
    },
    plain("close_books"),
    { verb: "cancel_tournament", fields: [reason()], act: ({ reason: why = "" }) => ({ do: "cancel_tournament", reason: why }), shown: desk.actions["cancel_tournament"] },
  ];
}

export function roundForms(round: DeskRound, zone: string): readonly Form[] {
  const sessions = round.starts_ms.map((_, place) => String(place + 1));
  return [
    {
      verb: "draw_seats",
      fields: [{ name: "words", label: words.say("words_drawn") }],
      act: ({ words: drawn = "" }) => ({ do: "draw_seats", round: round.name, words: drawn }),
      shown: round.actions["draw_seats"],
    },
    {
      verb: "call_session",
      fields: [
        { name: "session", label: words.say("session_of_round"), kind: "number", value: String(round.next_session) },
        { name: "absent", label: words.say("absent_field"), kind: "numbers", optional: true },
      ],
      act: ({ session, absent }) => ({ do: "call_session", round: round.name, session: Number(session), absent: listed(absent).map(Number) }),
      shown: round.actions["call_session"],
    },
    {
      verb: "alter_start",
      fields: [choice("session", words.say("session_of_round"), sessions), { name: "to", label: `${words.say("start_to")} (2026-01-31 20:30)`, kind: "moment" }],
      act: ({ session, to = "" }) => ({ do: "alter_start", round: round.name, session: Number(session), to_ms: readMoment(to.trim().replace(" ", "T"), zone) ?? 0 }),
    },
    {
      verb: "confirm_round",
      fields: [{ name: "words", label: words.say("words_optional"), optional: true }],
      act: ({ words: drawn = "" }) => ({ do: "confirm_round", round: round.name, words: drawn }),
      shown: round.actions["confirm_round"],
    },
    ...(round.confirmed ? [{ verb: "reopen_round", fields: [reason()], act: ({ reason: why = "" }) => ({ do: "reopen_round", round: round.name, reason: why }) } satisfies Form] : []),
  ];
}

export function entrantForms(entrant: number, desk: TournamentDesk): readonly Form[] {
  const plain = (verb: "sign_conditions" | "record_arrival" | "declare_absent" | "withdraw_entrant" | "buy_back"): Form => ({ verb, fields: [], act: () => ({ do: verb, entrant }) as Asked });
  return [
    { verb: "brief", fields: [], act: () => ({ do: "brief", entrants: [entrant] }) },
    plain("sign_conditions"),
    plain("record_arrival"),
    plain("declare_absent"),
    {
      verb: "approve_substitute",
      fields: [
        { name: "substitute", label: words.say("player_reference") },
        choice("until", words.say("until_round"), ["", ...desk.rounds.map((round) => round.name)]),
      ],
      act: ({ substitute = "", until = "" }) => ({ do: "approve_substitute", entrant, substitute, until }),
    },
    { verb: "retire", fields: [reason(true)], act: ({ reason: why = "" }) => ({ do: "retire", entrant, reason: why }) },
    {
      verb: "disqualify",
      fields: [choice("ground", words.say("ground"), desk.grounds, (ground) => name("ground", ground)), reason()],
      act: ({ ground = "", reason: why = "" }) => ({ do: "disqualify", entrant, ground, reason: why }),
    },
    plain("buy_back"),
    plain("withdraw_entrant"),
    {
      verb: "admit_place",
      fields: [choice("table", words.say("table"), Object.keys(desk.tables)), { name: "station", label: words.say("station"), optional: true }, reason()],
      act: ({ table = "", station = "", reason: why = "" }) => ({ do: "admit_place", entrant, table, station, reason: why }),
    },
  ];
}
