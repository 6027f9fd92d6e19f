// A figure that counts up to its new value in under a second. It never counts down: what is taken is gone at once. It counts in
// ten steps: a figure in every frame reads no better, and is drawn four times as often.

import { prefersReducedMotion } from "svelte/motion";

const LASTS_MS = 700;
const STEP_MS = 70;

export class Counting {
  #from = $state(0);
  #share = $state(1);
  readonly #figure: () => number;

  constructor(figure: () => number) {
    this.#figure = figure;
    let before = figure();
    $effect(() => {
      const now = figure();
      if (now === before) return;
      const rises = now > before && !prefersReducedMotion.current;
      this.#from = before;
      before = now;
      return this.#count(rises);
    });
  }

  /** What is to be read now; the figure itself as soon as the count is over. */
  get shown(): number {
    const figure = this.#figure();
    return this.#share >= 1 || this.#from > figure ? figure : Math.round(this.#from + (figure - this.#from) * this.#share);
  }

  #count(rises: boolean): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const began = performance.now();
    const step = (): void => {
      // Not read back from the state: the effect would depend on it, run anew with every step, and end the count.
      const share = rises ? Math.min(1, (performance.now() - began) / LASTS_MS) : 1;
      this.#share = share;
      if (share < 1) timer = setTimeout(step, STEP_MS);
    };
    step();
    return () => clearTimeout(timer);
  }
}
