// Lights of integrity in words.

import type { Light } from "../wire/web";
import { betName } from "../words/staff_names";
import { words } from "../words/words.svelte";

/** As often as the floor looks at its tables. */
export const LOOK_EVERY_MS = 5_000;
const MOST_WHOLE = 1e12;

/** The bet, dealer or seat that a light is about; nothing for the table itself. */
export function aboutOf({ kind, subject }: Pick<Light, "kind" | "subject">): string {
  return kind === "return_of_bet" ? betName(subject) : subject;
}

export function unlikely({ state, evidence, threshold }: Light): string {
  const said = { evidence: large(evidence), count: large(evidence), threshold: large(threshold) };
  return words.say(state === "quiet" ? "light_usual" : "light_one_of", said);
}

/** A large number without digits that nobody reads. */
export function large(number: number): string {
  if (number >= MOST_WHOLE) return `10^${Math.floor(Math.log10(number))}`;
  return new Intl.NumberFormat(words.locale, { maximumSignificantDigits: 3 }).format(number);
}
