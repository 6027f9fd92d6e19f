// What the dealer may do for one seat: each act with what must be said about it, and the command that it makes.

import { quickAmounts, readCents, type Field, type Values } from "../form/field";
import type { DeviceAct } from "../wire/frames";
import type { ConsoleView, Seat } from "../wire/views";
import { name } from "../words/staff_names";
import { paymentSaid } from "./payment";
import { words } from "../words/words.svelte";

export interface SeatAct {
  readonly verb: string;
  readonly fields: readonly Field[];
  readonly open: boolean;
  readonly why: string;
  readonly clause: string;
  readonly command: (values: Values) => DeviceAct;
  /** What it will do, in words, where it cannot be taken back and so is asked once more. */
  readonly confirm?: string;
}

const reason = (): Field => ({ name: "reason", label: words.say("reason") });
const text = (label: string): Field => ({ name: "text", label, kind: "long" });

// What is said of a buy-in that was keyed wrong; a tender or station that is left empty is the one that was keyed.
function correctionFields(view: ConsoleView): readonly Field[] {
  const choices = view.table.tenders.map((value) => ({ value, label: name("tender", value) }));
  return [
    { name: "keyed", label: `${words.say("amount_keyed")} ${view.table.currency}`, kind: "money" },
    { name: "tendered", label: `${words.say("amount_tendered")} ${view.table.currency}`, kind: "money" },
    { name: "tender", label: words.say("true_tender"), kind: "choice", choices: [{ value: "", label: "–" }, ...choices], optional: true },
    { name: "true_station", label: words.say("true_station"), optional: true },
    { name: "rest_owed", label: words.say("rest_owed"), kind: "check" },
    reason(),
  ];
}

function correctedBuyIn(station: string, values: Values): DeviceAct {
  return {
    do: "correct_buy_in",
    station,
    cents: readCents(values["keyed"] ?? "") ?? 0,
    true_cents: readCents(values["tendered"] ?? "") ?? 0,
    reason: values["reason"] ?? "",
    true_tender: values["tender"] ?? "",
    true_station: values["true_station"] ?? "",
    rest_owed: values["rest_owed"] === "yes",
  };
}

/** What is said of a failure, of a station or of the game system. */
export const failure = (): readonly Field[] => [
  { name: "fault", label: words.say("what_failed"), optional: true },
  { name: "ago", label: words.say("failed_ms"), kind: "number", optional: true },
];

export function failed(values: Values, view: ConsoleView): { readonly fault: string; readonly failed_ms?: number } {
  const fault = values["fault"] || "failed";
  return values["ago"] ? { fault, failed_ms: view.clock.at_ms - 1000 * Number(values["ago"]) } : { fault };
}

export function seatActs(seat: Seat, view: ConsoleView): readonly SeatAct[] {
  const { station } = seat;
  const idle = view.payments.idle.find((one) => one.station === station && one.cents > 0);
  const asked = (verb: string, key: string, fields: readonly Field[], command: SeatAct["command"]): SeatAct => {
    const action = seat.actions[key];
    const why = action === undefined || action.open ? "" : words.refuse({ ...action, text: action.why });
    return { verb, fields, open: action?.open ?? true, why, clause: action?.clause ?? "", command };
  };
  const always = (verb: string, fields: readonly Field[], command: SeatAct["command"]): SeatAct => asked(verb, "", fields, command);
  const amount: Field = { name: "amount", label: `${words.say("amount")} ${view.table.currency}`, kind: "money", quick: quickAmounts(view.table.chips) };
  const tender: Field = {
    name: "tender",
    label: words.say("tender"),
    kind: "choice",
    choices: view.table.tenders.map((value) => ({ value, label: name("tender", value) })),
  };
  const reference: Field = { name: "reference", label: words.say("reference"), optional: true };
  const bought = (values: Values): DeviceAct => ({
    do: "buy_in",
    station,
    cents: readCents(values["amount"] ?? "") ?? 0,
    tender: values["tender"] ?? "",
    reference: values["reference"] ?? "",
    ...(seat.open ? { top_up: true } : { patron: values["patron"] ?? "" }),
  });
  const patron: Field = { name: "patron", label: words.say("patron_reference"), optional: true };
  const acts: SeatAct[] = [
    asked("pay", "pay", [], () => ({ do: "pay", station })),
    asked("leave", "leave", [], () => ({ do: "leave", station })),
    seat.open ? asked("top_up", "buy_in", [amount, tender, reference], bought) : asked("buy_in", "buy_in", [amount, tender, reference, patron], bought),
    asked("stay", "stay", [], () => ({ do: "stay", station })),
    asked("direct_to_leave", "direct_to_leave", [reason()], (values) => ({ do: "direct_to_leave", station, reason: values["reason"] ?? "" })),
    asked("vacate", "vacate", [], () => ({ do: "vacate", station })),
    { ...asked("close_idle", "close_idle", [], () => ({ do: "close_idle", station })), confirm: words.say("confirm_close_idle", { station, pay: idle === undefined ? "" : paymentSaid(idle) }) },
    seat.out_of_service
      ? asked("back_in_service", "back_in_service", [], () => ({ do: "back_in_service", station }))
      : asked("out_of_service", "out_of_service", [reason()], (values) => ({ do: "out_of_service", station, reason: values["reason"] ?? "" })),
    asked("nominee", "nominee", [{ name: "nominee", label: words.say("nominee") }], (values) => ({ do: "nominee", station, nominee: values["nominee"] ?? "" })),
    always("fault", failure(), (values) => ({ do: "fault", station, ...failed(values, view) })),
    always("claim", [{ name: "coup", label: words.say("coup"), kind: "number", value: String(view.result?.coup ?? view.phase.coup) }, text(words.say("query_text"))], (values) => ({
      do: "claim",
      station,
      coup: Number(values["coup"]),
      text: values["text"] ?? "",
    })),
    always("dispute", [text(words.say("dispute_text"))], (values) => ({ do: "dispute", station, text: values["text"] ?? "" })),
    always("complaint", [text(words.say("complaint_text"))], (values) => ({ do: "complaint", station, text: values["text"] ?? "" })),
    always("incident", [text(words.say("incident_text"))], (values) => ({ do: "incident", station, text: values["text"] ?? "" })),
    always(
      "breach",
      [{ name: "contravened", label: words.say("contravened"), value: view.cited.devices }, reason(), { name: "device", label: words.say("prohibited_device"), kind: "check" }],
      (values) => ({ do: "breach", station, contravened: values["contravened"] ?? "", reason: values["reason"] ?? "", prohibited_device: values["device"] === "yes" }),
    ),
  ];
  if (seat.call !== "") {
    const answered = seat.call === "answered" ? [] : [asked("answer_call", "answer_call", [], () => ({ do: "answer_call", station }))];
    acts.unshift(...answered, asked("end_call", "end_call", [], () => ({ do: "end_call", station })));
  }
  if (!seat.remote) acts.push(always("correct_buy_in", correctionFields(view), (values) => correctedBuyIn(station, values)));
  const free = view.seats.filter((other) => !other.open && !other.out_of_service).map((other) => other.station);
  if (seat.open && free.length > 0) {
    const target: Field = { name: "target", label: words.say("move_to"), kind: "choice", choices: free.map((value) => ({ value, label: value })) };
    acts.push(always("move_patron", [target], (values) => ({ do: "move_patron", station, target: values["target"] ?? "" })));
  }
  if (seat.owed_cents > 0) acts.push(always("waive", [reason()], (values) => ({ do: "waive", station, reason: values["reason"] ?? "" })));
  for (const [control, cents] of Object.entries(seat.payable)) {
    const field: Field = { name: "control", label: words.say("payable_to", { amount: words.money(cents) }), value: control, kind: "number" };
    const confirm = words.say("confirm_pay_payable", { station, amount: words.money(cents) });
    acts.push({ ...always("pay_payable", [field], (values) => ({ do: "pay_payable", station, control: Number(values["control"]) })), confirm });
  }
  // What cannot be done now comes last.
  return acts.toSorted((one, other) => Number(other.open) - Number(one.open));
}
