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

/** What must still be said before the fact can be stated; nothing where it can. */
export function lacking({ cards, hand }: FactDetails, said: { readonly cards: readonly string[]; readonly hand: string }): "fact_lacks_hand" | "fact_lacks_cards" | null {
  if (hand && said.hand === "") return "fact_lacks_hand";
  return (cards === "one" && said.cards.length !== 1) || (cards === "some" && said.cards.length === 0) ? "fact_lacks_cards" : null;
}
