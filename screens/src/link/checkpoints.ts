// Signed heads of the table's records. A device keeps the newest and shows it at its next hello, also after the page was
// loaded anew: so a device that has seen more records notices a journal that was cut or put back.

import type { Checkpoint } from "../wire/frames";

export class Checkpoints {
  readonly #place: string;

  constructor(device: string) {
    this.#place = `sabot checkpoint ${device}`;
  }

  get newest(): Checkpoint | null {
    const kept = localStorage.getItem(this.#place);
    return kept === null ? null : (JSON.parse(kept) as Checkpoint);
  }

  keep(checkpoint: Checkpoint): void {
    localStorage.setItem(this.#place, JSON.stringify(checkpoint));
  }
}
