// What is left of the wagering period, by the page's own steady clock from the moment that it was told.

import type { Clock } from "../wire/views";

export interface Remaining {
  readonly milliseconds: number;
  /** Whole seconds as a person counts them: the last one is 1, and 0 means closed. */
  readonly seconds: number;
  /** How much of the period is left, from 1 to 0. */
  readonly share: number;
  readonly urgency: "calm" | "soon" | "now";
}

const SOON_MS = 10_000;
const NOW_MS = 5_000;

export function remaining(clock: Clock, toldAt: number, now: number): Remaining | null {
  if (clock.remaining_ms === null) return null;
  const passed = clock.stands_still ? 0 : Math.max(0, now - toldAt);
  const milliseconds = Math.max(0, clock.remaining_ms - passed);
  return {
    milliseconds,
    seconds: Math.ceil(milliseconds / 1000),
    share: clock.period_ms > 0 ? Math.min(1, milliseconds / clock.period_ms) : 0,
    urgency: milliseconds <= NOW_MS ? "now" : milliseconds <= SOON_MS ? "soon" : "calm",
  };
}
