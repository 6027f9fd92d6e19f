// What lies face down at the station that squeezes a hand. Fetched when the floor says that this station does.

import { untrack, type Component } from "svelte";
import { prefersReducedMotion } from "svelte/motion";
import type { HandView, StationView } from "../wire/views";
import CoveredCard from "./CoveredCard.svelte";

export type Side = "player" | "banker";
const SIDES: readonly Side[] = ["player", "banker"];

/** The places of a hand that may be face down: its first two cards, or its third alone as soon as that is there. */
export function coverable(side: Side, { cards, squeeze }: Pick<StationView, "cards" | "squeeze">): readonly number[] {
  const count = cards !== null && squeeze.includes(side) ? cards[side].cards.length : 0;
  return [[], [0], [0, 1], [2]][count] ?? [];
}

export class Squeeze {
  /** What draws a card that lies face down. */
  readonly Cover: Component<{ card: string; across: boolean; name: string; onturn: () => void }> = CoveredCard;
  readonly #view: () => StationView;
  /** Cards of a coup that were seen. */
  #turned = $state.raw<{ readonly coup: number; readonly cards: readonly string[] }>({ coup: 0, cards: [] });

  constructor(view: () => StationView) {
    this.#view = view;
    for (const side of SIDES) this.#see(side);
  }

  covered(side: Side): readonly number[] {
    const view = this.#view();
    if (prefersReducedMotion.current) return [];
    return coverable(side, view).filter((place) => !this.#isTurned(side, place));
  }

  turn(side: Side, place: number): void {
    const coup = this.#view().cards?.coup ?? 0;
    if (this.#isTurned(side, place)) return;
    const before = this.#turned.coup === coup ? this.#turned.cards : [];
    this.#turned = { coup, cards: [...before, `${side} ${place}`] };
  }

  /** Called with every view: what lay open once is not covered again. */
  follow(): void {
    const { squeeze, cards } = this.#view();
    const open = SIDES.filter((side) => cards !== null && !squeeze.includes(side));
    untrack(() => open.forEach((side) => this.#see(side)));
  }

  /** The view without the counts that covered cards would tell. */
  get seen(): StationView {
    const view = this.#view();
    const { cards } = view;
    if (cards === null || view.squeeze.length === 0) return view;
    const hand = (side: Side): HandView => (this.covered(side).length === 0 ? cards[side] : { ...cards[side], points: null, title: "", natural: false });
    return { ...view, cards: { ...cards, player: hand("player"), banker: hand("banker") } };
  }

  #see(side: Side): void {
    (this.#view().cards?.[side].cards ?? []).forEach((_, place) => this.turn(side, place));
  }

  #isTurned(side: Side, place: number): boolean {
    return this.#turned.coup === (this.#view().cards?.coup ?? 0) && this.#turned.cards.includes(`${side} ${place}`);
  }
}
