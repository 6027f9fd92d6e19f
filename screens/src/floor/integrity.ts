// Lights of integrity in words.

import type { Light } from "../wire/web";
import { betName } from "../words/staff_names";
import { words } from "../words/words.svelte";

const MOST_WHOLE = 1_000_000;
const MOST_NAMED = 1e15;

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
  if (number >= MOST_NAMED) return `10^${Math.floor(Math.log10(number))}`;
  const named = number < MOST_WHOLE ? {} : ({ notation: "compact", compactDisplay: "long" } as const);
  return new Intl.NumberFormat(words.locale, { maximumSignificantDigits: 3, ...named }).format(number);
}
