// What the house owes by its tickets, as the cage lists it.

import type { FloorView } from "../wire/views";
import { name } from "../words/staff_names";
import { words } from "../words/words.svelte";
import { count, money, text, type Report } from "./report";

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

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
