// What two persons do at a table that locked itself because its books disagree.

import { readCents, type Field, type Values } from "../form/field";
import { CHOICES } from "../wire/rules";
import type { ConsoleView } from "../wire/views";
import { words } from "../words/words.svelte";

interface BooksAct {
  readonly verb: string;
  readonly fields: readonly Field[];
  readonly command: (values: Values) => object;
}

export function booksActs(view: ConsoleView): readonly BooksAct[] {
  const accounts = view.disagreements.map(({ account }) => ({ value: account, label: account }));
  const seats = view.seats.filter((seat) => seat.open).map(({ station }) => ({ value: station, label: station }));
  const reason: Field = { name: "reason", label: words.say("reason") };
  return [
    {
      verb: "book_difference",
      fields: [
        { name: "station", label: words.say("account_of"), kind: "choice", choices: accounts },
        { name: "right", label: words.say("right_figure"), kind: "choice", choices: CHOICES.book_difference.right.map((value) => ({ value, label: words.say(`right_${value}`) })) },
        reason,
      ],
      command: ({ station, right, reason: why }) => ({ do: "book_difference", station: station === "sums" ? "" : (station ?? ""), right: right ?? "ledger", reason: why ?? "" }),
    },
    {
      verb: "pay_by_hand",
      fields: [
        { name: "station", label: words.say("station"), kind: "choice", choices: seats },
        { name: "amount", label: `${words.say("amount")} ${view.table.currency}`, kind: "money" },
        reason,
      ],
      command: ({ station, amount, reason: why }) => ({ do: "pay_by_hand", station: station ?? "", cents: readCents(amount ?? "") ?? 0, reason: why ?? "" }),
    },
  ];
}
