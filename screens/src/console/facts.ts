// What must be said about each fact beyond that it happened.

export interface FactDetails {
  readonly cards: "none" | "one" | "some" | "if_any";
  readonly hand: boolean;
  readonly reconstructible: boolean;
  readonly orderKnown: boolean;
}

const PLAIN: FactDetails = { cards: "none", hand: false, reconstructible: false, orderKnown: false };
const DETAILS: Readonly<Record<string, Partial<FactDetails>>> = {
  card_on_wrong_hand: { cards: "some", hand: true },
  wrong_third_card: { cards: "some", hand: true },
  face_up_first_card: { cards: "one" },
  foreign_card: { cards: "if_any" },
  wrong_number_of_cards: { cards: "if_any", reconstructible: true },
  simultaneous_cards: { cards: "if_any", orderKnown: true },
  shoe_order_altered: { orderKnown: true, reconstructible: true },
};

export function detailsOf(kind: string): FactDetails {
  return { ...PLAIN, ...DETAILS[kind] };
}

/** Whether enough was said for the fact to be stated. */
export function isWhole({ cards, hand }: FactDetails, said: { readonly cards: readonly string[]; readonly hand: string }): boolean {
  if (cards === "one" && said.cards.length !== 1) return false;
  if (cards === "some" && said.cards.length === 0) return false;
  return !hand || said.hand !== "";
}
