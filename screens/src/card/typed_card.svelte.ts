// Cards as they are typed, by a person or by a scanning shoe: the rank, then the suit.

const RANKS: Readonly<Record<string, string>> = { "0": "T", "1": "T" };
const PLAIN_RANKS = new Set("A23456789TJQK");
const SUITS = new Set("SHDC");
/** A shoe that types ends each card with Enter; it comes this soon after the suit, and means nothing more. */
const ENDING_MS = 120;

export type Typed =
  | { readonly kind: "card"; readonly card: string }
  /** Taken, and waiting for the rest. */
  | { readonly kind: "part" }
  /** Not part of a card. */
  | { readonly kind: "other" };

export class TypedCard {
  rank = $state("");
  /** Whether an Enter would only end the card that was typed last. */
  ending = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  take(key: string): Typed {
    if (key === "Enter") return { kind: this.ending ? "part" : "other" };
    if (key === "Backspace" && this.rank !== "") {
      this.rank = "";
      return { kind: "part" };
    }
    const suit = key.toUpperCase();
    if (this.rank !== "" && SUITS.has(suit)) {
      const card = this.rank + suit;
      this.rank = "";
      this.#expectEnding();
      return { kind: "card", card };
    }
    // A ten may be typed 10: its nought only says again what the one said.
    if (key === "0" && this.rank === "T") return { kind: "part" };
    const rank = RANKS[key] ?? key.toUpperCase();
    if (!PLAIN_RANKS.has(rank)) return { kind: "other" };
    this.rank = rank;
    return { kind: "part" };
  }

  forget(): void {
    this.rank = "";
  }

  #expectEnding(): void {
    clearTimeout(this.#timer);
    this.ending = true;
    this.#timer = setTimeout(() => (this.ending = false), ENDING_MS);
  }
}
