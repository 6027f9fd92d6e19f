// Which hands a screen shows: those of the coup under way, and until its first card those of the last result.

import type { Cards, HandView, ResultShown } from "../wire/views";

export interface HandsShown {
  readonly player: HandView | null;
  readonly banker: HandView | null;
  readonly winner: string | null;
  /** Whether they belong to a coup that is over while another is under way. */
  readonly past: boolean;
}

export function handsShown(view: { readonly cards: Cards | null; readonly result: ResultShown | null }): HandsShown {
  const { cards, result } = view;
  if (cards !== null && cards.player.cards.length > 0) {
    return { player: cards.player, banker: cards.banker, winner: null, past: false };
  }
  if (result === null) return { player: null, banker: null, winner: null, past: false };
  return { player: result.player, banker: result.banker, winner: result.winner, past: cards !== null };
}
