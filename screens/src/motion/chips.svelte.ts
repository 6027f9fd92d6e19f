// How chips move on a layout: from the rack to an area, back when they are lifted or refused, and winnings over from the dealer.

import { untrack } from "svelte";
import { fly } from "./flying";
import { dealerOf } from "./motion";

type Chips = Readonly<Record<string, number>>;

export interface Laid {
  readonly layout: HTMLElement | undefined;
  /** What lies on each area, and what is on its way there. */
  readonly laid: Chips;
  readonly pending: Chips;
  /** Whether chips are lifted and not settled. */
  readonly open: boolean;
  /** Whether a hand has just let go of them, so that they are where they belong. */
  readonly dropped: boolean;
  /** The area whose wager was refused or cut, while that is told. */
  readonly refused: string | null;
  /** The coup that has been settled, and the bets that it pays. */
  readonly settled: number | null;
  readonly paid: readonly string[];
}

/** The bets on which there is more than before. */
export function risen(before: Chips, now: Chips): readonly string[] {
  return Object.keys(now).filter((bet) => (now[bet] ?? 0) > (before[bet] ?? 0));
}

/** Called by a layout's component; watches what lies there for as long as it is shown. */
export function moveChips(now: () => Laid): void {
  let before: Laid | null = null;
  $effect(() => {
    const laid = now();
    const known = before;
    before = laid;
    if (known !== null) untrack(() => move(known, laid));
  });
}

function move(before: Laid, now: Laid): void {
  const page = now.layout?.closest("main");
  if (page == null || now.layout === undefined) return;
  const chip = page.querySelector(".rack [aria-checked=true] svg");
  const area = (bet: string): Element | null => now.layout!.querySelector(`[data-bet="${bet}"] .chips`);
  if (!now.dropped) {
    for (const bet of risen(before.pending, now.pending)) fly(chip, chip, area(bet));
    if (now.open && before.open) for (const bet of risen(now.laid, before.laid)) fly(chip, area(bet), chip);
  }
  if (now.refused !== null && now.refused !== before.refused) fly(chip, area(now.refused), chip);
  // Winnings look like the stake that they are won on.
  if (now.settled !== before.settled) for (const bet of now.paid) fly(area(bet)?.querySelector("svg") ?? chip, dealerOf(page), area(bet));
}
