// What must be said about each fact beyond that it happened.

import { FACTS } from "../wire/rules";

export interface FactDetails {
  readonly cards: "none" | "one" | "some" | "if_any";
  readonly hand: boolean;
  readonly reconstructible: boolean;
  readonly order_known: boolean;
  readonly count: boolean;
}

const DETAILS: Readonly<Record<string, FactDetails>> = FACTS;

export function detailsOf(kind: string): FactDetails {
  return DETAILS[kind] ?? { cards: "none", hand: false, reconstructible: false, order_known: false, count: false };
}

/** Whether enough was said for the fact to be stated. */
export function isWhole({ cards, hand }: FactDetails, said: { readonly cards: readonly string[]; readonly hand: string }): boolean {
  if (cards === "one" && said.cards.length !== 1) return false;
  if (cards === "some" && said.cards.length === 0) return false;
  return !hand || said.hand !== "";
}
