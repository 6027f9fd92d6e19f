// What may be decided about one open case: each act with what must be said about it, and the command that it makes.

import { clauseTitled } from "../clause/title";
import { nextTime, readCents, type Field, type Values } from "../form/field";
import { CHOICES } from "../wire/rules";
import type { CaseShown } from "../wire/views";
import { actName, name } from "../words/staff_names";
import { words } from "../words/words.svelte";

export interface CaseAct {
  readonly verb: string;
  readonly title: string;
  readonly fields: readonly Field[];
  readonly command: (values: Values) => object;
  /** What it will do, in words, where it moves money for good and so is asked once more; else nothing. */
  readonly confirm?: (values: Values) => string;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const reason = (): Field => ({ name: "reason", label: words.say("reason") });
const said = (label: string): Field => ({ name: "text", label, kind: "long" });

function adjustments(station: string, written: string): Record<string, number> {
  const cents = readCents(written);
  return cents === null || cents === 0 ? {} : { [station]: cents };
}

/** The moment at which the clock last showed this time of day, as a field of the command; none where nothing is written. */
function lastTime(field: string, written: string): Record<string, number> {
  const next = nextTime(written, words.timeZone, Date.now());
  return next === null ? {} : { [field]: next - DAY_MS };
}

function claimActs({ case: number, remedy: due }: CaseShown, remedies: readonly string[]): readonly CaseAct[] {
  if (due !== "") return [{ verb: "remedy_done", title: actName("remedy_done"), fields: [said(words.say("what_was_done"))], command: (values) => ({ do: "remedy_done", case: number, ...values }) }];
  const remedy: Field = { name: "remedy", label: words.say("remedy"), kind: "choice", choices: remedies.map((value) => ({ value, label: clauseTitled(value) })) };
  return [
    { verb: "accept_claim", title: words.say("accept_claim"), fields: [remedy], command: ({ remedy: clause }) => ({ do: "decide_claim", case: number, accepted: true, remedy: clause }) },
    { verb: "reject_claim", title: words.say("reject_claim"), fields: [reason()], command: ({ reason: why }) => ({ do: "decide_claim", case: number, accepted: false, reason: why }) },
  ];
}

function disputeActs({ case: number, station }: CaseShown): readonly CaseAct[] {
  const amount: readonly Field[] = station === "" ? [] : [{ name: "amount", label: words.say("adjustment", { station }), kind: "money", optional: true }];
  const fields: readonly Field[] = [
    { name: "decision", label: words.say("decision"), kind: "long" },
    ...amount,
    { name: "unresolved", label: words.say("unresolved"), kind: "check" },
    { name: "advised", label: words.say("inspector_advised"), kind: "check" },
  ];
  const command = (values: Values): object => ({
    do: "decide_dispute",
    case: number,
    decision: values["decision"],
    adjustments: adjustments(station, values["amount"] ?? ""),
    unresolved: values["unresolved"] === "yes",
    inspector_advised: values["advised"] === "yes",
  });
  const confirm = ({ amount: written = "" }: Values): string => {
    const cents = readCents(written) ?? 0;
    return cents === 0 ? "" : words.say(cents > 0 ? "confirm_dispute_given" : "confirm_dispute_taken", { station, amount: words.money(Math.abs(cents)) });
  };
  return [{ verb: "decide_dispute", title: actName("decide_dispute"), fields, command, confirm }];
}

function complaintActs({ case: number, told }: CaseShown): readonly CaseAct[] {
  const answer: CaseAct = {
    verb: "answer_complaint",
    title: actName("answer_complaint"),
    fields: [said(words.say("what_was_told"))],
    command: (values) => ({ do: "answer_complaint", case: number, ...values }),
  };
  const close: CaseAct = { verb: "close_complaint", title: actName("close_complaint"), fields: [said(words.say("decision"))], command: (values) => ({ do: "close_complaint", case: number, ...values }) };
  return told.length > 0 ? [answer, close] : [answer];
}

function breachActs({ case: number, detained_ms: detained }: CaseShown): readonly CaseAct[] {
  const act: Field = { name: "act", label: words.say("act"), kind: "choice", choices: CHOICES.act_on_breach.act.map((value) => ({ value, label: name("breach_act", value) })) };
  const coup: Field = { name: "coup", label: words.say("coup_to_void"), kind: "number", optional: true };
  const acts: CaseAct[] = [
    {
      verb: "act_on_breach",
      title: actName("act_on_breach"),
      fields: [act, coup, { ...reason(), name: "text" }],
      command: ({ act: what, coup: which, text }) => ({ do: "act_on_breach", case: number, act: what, text, ...(which ? { coup: Number(which) } : {}) }),
    },
    {
      verb: "seize",
      title: actName("seize"),
      fields: [
        { name: "amount", label: words.say("amount"), kind: "money" },
        { name: "since", label: words.say("device_since"), kind: "time", optional: true },
      ],
      command: ({ amount = "", since = "" }) => ({ do: "seize", case: number, cents: readCents(amount) ?? 0, ...lastTime("since_ms", since) }),
    },
    {
      verb: "release",
      title: actName("release"),
      fields: [{ name: "forfeit", label: words.say("forfeit"), kind: "check" }, reason()],
      command: ({ forfeit, reason: why }) => ({ do: "release", case: number, forfeit: forfeit === "yes", reason: why }),
    },
  ];
  if (detained !== null)
    acts.push({
      verb: "end_detention",
      title: actName("end_detention"),
      fields: [
        { name: "taken_over_by", label: words.say("taken_over_by"), optional: true },
        { name: "ended", label: words.say("ended_at"), kind: "time", optional: true },
        { ...reason(), optional: true },
      ],
      command: ({ taken_over_by: who = "", ended = "", reason: why = "" }) => ({ do: "end_detention", case: number, taken_over_by: who, reason: why, ...lastTime("ended_ms", ended) }),
    });
  return acts;
}

export function caseActs(one: CaseShown, remedies: readonly string[]): readonly CaseAct[] {
  if (one.kind === "claim") return claimActs(one, remedies);
  if (one.kind === "dispute") return disputeActs(one);
  return one.kind === "complaint" ? complaintActs(one) : breachActs(one);
}
