// What the Enter key does: the one thing that the table waits for, where it can be done without saying more.

import type { DeviceAct } from "../wire/frames";
import type { Guidance } from "../wire/views";

/** A command that needs no further words, or the name of the place where the words are said. */
export type Guided =
  | { readonly kind: "ask"; readonly command: DeviceAct }
  | { readonly kind: "place"; readonly place: "staff" | "procedure" | "trouble" | "correction" | "records" | "more" }
  /** The table waits for a card, or for another person. */
  | { readonly kind: "wait" };

const ASKS: Readonly<Record<string, DeviceAct>> = {
  open_table: { do: "open_table" },
  open: { do: "open" },
  close: { do: "close" },
  confirm: { do: "confirm" },
  void: { do: "void" },
};
const PLACES: Readonly<Record<string, Extract<Guided, { kind: "place" }>["place"]>> = {
  sign_on: "staff",
  check_cards: "procedure",
  new_shoe: "procedure",
  cut: "procedure",
  burn: "procedure",
  resolve: "trouble",
  correct: "correction",
  recalculate: "correction",
  confirm_records: "records",
  close_table: "more",
  count_float: "procedure",
};

export function guidedBy({ verb }: Pick<Guidance, "verb">): Guided {
  const command = ASKS[verb];
  if (command !== undefined) return { kind: "ask", command };
  const place = PLACES[verb];
  return place === undefined ? { kind: "wait" } : { kind: "place", place };
}
