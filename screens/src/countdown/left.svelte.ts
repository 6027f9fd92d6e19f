// What is left to wager, looked at anew when a whole second is over and not between, so that a countdown draws once a second.

import type { Clock } from "../wire/views";
import { remaining, type Remaining } from "./countdown";

/** After the second is over and not before, whatever a timer's grain. */
const PAST_MS = 2;

export class Left {
  #now = $state(performance.now());
  readonly #clock: () => Clock;
  readonly #toldAt: () => number;

  constructor(clock: () => Clock, toldAt: () => number) {
    this.#clock = clock;
    this.#toldAt = toldAt;
    $effect(() => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const look = (): void => {
        const now = performance.now();
        const left = remaining(clock(), toldAt(), now)?.milliseconds ?? 0;
        if (left > 0 && !clock().stands_still) timer = setTimeout(look, (left % 1000) + PAST_MS);
        this.#now = now;
      };
      look();
      return () => clearTimeout(timer);
    });
  }

  get current(): Remaining | null {
    return remaining(this.#clock(), this.#toldAt(), this.#now);
  }
}
