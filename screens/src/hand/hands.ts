// Which hands a screen shows: in a coup those of that coup alone, between coups those of the newest result.

import type { Cards, HandView, PhaseShown, ResultShown } from "../wire/views";

export interface HandsShown {
  readonly player: HandView | null;
  readonly banker: HandView | null;
  readonly winner: string | null;
  /** Whether they belong to an earlier coup than the newest, as after a void one. */
  readonly past: boolean;
}

interface Shown {
  readonly phase: Pick<PhaseShown, "coup" | "shoe">;
  readonly cards: Cards | null;
  readonly result: ResultShown | null;
}

export function handsShown({ phase, cards, result }: Shown): HandsShown {
  if (cards !== null) return { player: cards.player, banker: cards.banker, winner: null, past: false };
  if (result === null) return { player: null, banker: null, winner: null, past: false };
  return { player: result.player, banker: result.banker, winner: result.winner, past: isPast(result, phase) };
}

/** Whether another coup, or another shoe, has come since a result. */
export function isPast(result: ResultShown, phase: Pick<PhaseShown, "coup" | "shoe">): boolean {
  return result.coup !== phase.coup || result.shoe !== phase.shoe;
}
