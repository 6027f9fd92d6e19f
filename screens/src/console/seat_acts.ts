// What the dealer may do for one seat: each act with what must be said about it, and the command that it makes.

import { readCents, type Field, type Values } from "../form/field";
import type { DeviceAct } from "../wire/frames";
import type { ConsoleView, Seat } from "../wire/views";
import { name } from "../words/staff_names";
import { words } from "../words/words.svelte";

export interface SeatAct {
  readonly verb: string;
  readonly fields: readonly Field[];
  readonly open: boolean;
  readonly why: string;
  readonly clause: string;
  readonly command: (values: Values) => DeviceAct;
}

const reason = (): Field => ({ name: "reason", label: words.say("reason") });
const text = (label: string): Field => ({ name: "text", label, kind: "long" });

export function seatActs(seat: Seat, view: ConsoleView): readonly SeatAct[] {
  const { station } = seat;
  const asked = (verb: string, key: string, fields: readonly Field[], command: SeatAct["command"]): SeatAct => {
    const action = seat.actions[key];
    const why = action === undefined || action.open ? "" : words.refuse({ ...action, text: action.why });
    return { verb, fields, open: action?.open ?? true, why, clause: action?.clause ?? "", command };
  };
  const always = (verb: string, fields: readonly Field[], command: SeatAct["command"]): SeatAct => asked(verb, "", fields, command);
  const amount: Field = { name: "amount", label: `${words.say("amount")} ${view.table.currency}`, kind: "money" };
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
    seat.open ? asked("top_up", "buy_in", [amount, tender, reference], bought) : asked("buy_in", "buy_in", [amount, tender, reference, patron], bought),
    asked("pay", "pay", [], () => ({ do: "pay", station })),
    asked("leave", "leave", [], () => ({ do: "leave", station })),
    asked("direct_to_leave", "direct_to_leave", [reason()], (values) => ({ do: "direct_to_leave", station, reason: values["reason"] ?? "" })),
    asked("vacate", "vacate", [], () => ({ do: "vacate", station })),
    asked("nominee", "nominee", [{ name: "nominee", label: words.say("nominee") }], (values) => ({ do: "nominee", station, nominee: values["nominee"] ?? "" })),
    always("fault", [{ name: "fault", label: words.say("what_failed"), optional: true }], (values) => ({ do: "fault", station, fault: values["fault"] || "failed" })),
    always("claim", [{ name: "coup", label: words.say("coup"), kind: "number", value: String(view.result?.coup ?? view.phase.coup) }, text(words.say("query_text"))], (values) => ({
      do: "claim",
      station,
      coup: Number(values["coup"]),
      text: values["text"] ?? "",
    })),
    always("dispute", [text(words.say("dispute_text"))], (values) => ({ do: "dispute", station, text: values["text"] ?? "" })),
    always("incident", [text(words.say("incident_text"))], (values) => ({ do: "incident", station, text: values["text"] ?? "" })),
    always(
      "breach",
      [{ name: "contravened", label: words.say("contravened"), value: view.cited.devices }, reason(), { name: "device", label: words.say("prohibited_device"), kind: "check" }],
      (values) => ({ do: "breach", station, contravened: values["contravened"] ?? "", reason: values["reason"] ?? "", prohibited_device: values["device"] === "yes" }),
    ),
  ];
  if (seat.owed_cents > 0) acts.push(always("waive", [reason()], (values) => ({ do: "waive", station, reason: values["reason"] ?? "" })));
  for (const [control, cents] of Object.entries(seat.payable)) {
    const field: Field = { name: "control", label: words.say("payable_to", { amount: words.money(cents) }), value: control, kind: "number" };
    acts.push(always("pay_payable", [field], (values) => ({ do: "pay_payable", station, control: Number(values["control"]) })));
  }
  return acts;
}
