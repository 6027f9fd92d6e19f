// Says what happens at a table, as loud as this device wants it. Each thing is said once; one that waits gives way to a
// newer one, and nothing is said, or goes on being said, of a coup that is over.

import type { Loudness } from "./loudness.svelte";
import { Player } from "./player";
import { clickBetween, coupOf, sayingBetween, stillHolds, type Heard, type Saying } from "./saying";

export class Speaker {
  /** What was asked to be played last: shoe and coup, stage, clips. */
  said = $state("");
  clicked = $state("");
  readonly #loudness: Loudness;
  readonly #player = new Player();
  #before: Heard | null = null;
  #told: readonly string[] = [];
  #speaking: Saying | null = null;
  #next: Saying | null = null;
  #clicks = 0;

  constructor(loudness: Loudness) {
    this.#loudness = loudness;
  }

  follow(now: Heard): void {
    const before = this.#before;
    this.#before = now;
    if (before !== null && coupOf(before) !== coupOf(now)) this.#told = [];
    if (this.#speaking !== null && (this.#speaking.coup !== coupOf(now) || !this.#loudness.on)) this.#player.stop();
    const saying = sayingBetween(before, now, this.#told);
    if (saying !== null) this.#told = [...this.#told, saying.stage];
    if (!this.#loudness.on) return;
    const click = clickBetween(before, now);
    if (click !== null) this.#click(click);
    if (saying === null) return;
    this.#next = saying;
    if (this.#speaking === null) void this.#speak();
  }

  #click(click: "chip" | "card"): void {
    this.#clicks += 1;
    this.clicked = `${click} ${this.#clicks}`;
    this.#player.click(click, this.#loudness.gain);
  }

  async #speak(): Promise<void> {
    for (let saying = this.#next; saying !== null; saying = this.#next) {
      this.#next = null;
      if (this.#before === null || !stillHolds(saying, this.#before) || !this.#loudness.on) continue;
      this.#speaking = saying;
      this.said = `${saying.coup} ${saying.stage}: ${saying.clips.join(" ")}`;
      await this.#player.say(saying.clips, this.#loudness.gain);
    }
    this.#speaking = null;
  }
}
