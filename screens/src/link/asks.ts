// The device's commands: one under way at a time, repeated under the same name until it is answered.

import type { Answer, Ask, Lost, Refused, TableCommand } from "../wire/frames";

export type Outcome =
  | { readonly kind: "done"; readonly version: number }
  | { readonly kind: "refused"; readonly refusal: Refused }
  /** It was never recorded, and never will be. */
  | { readonly kind: "lost" };

/** What a command is meant for and by whom, beside the command itself. */
export interface Circumstances {
  readonly coup?: number;
  readonly token?: string;
  readonly second?: string;
}

interface Waiting extends Circumstances {
  readonly command: TableCommand;
  readonly settle: (outcome: Outcome) => void;
}

interface UnderWay extends Waiting {
  readonly epoch: number;
  readonly n: number;
}

export class Asks {
  readonly #send: (frame: Ask) => void;
  readonly #queue: Waiting[] = [];
  #underWay: UnderWay | null = null;
  #epoch = 0;
  #n = 0;
  #open = false;

  constructor(send: (frame: Ask) => void) {
    this.#send = send;
  }

  /** The name of the command that still waits for its answer. */
  get pending(): readonly [number, number] | null {
    return this.#underWay && [this.#underWay.epoch, this.#underWay.n];
  }

  ask(command: TableCommand, circumstances: Circumstances = {}): Promise<Outcome> {
    return new Promise((settle) => {
      this.#queue.push({ command, settle, ...circumstances });
      this.#goOn();
    });
  }

  /** The link is up: settle what the welcome tells about, count on, and say again what it does not tell about. */
  welcome(epoch: number, last: number, pending: Answer | Lost | null): void {
    const anew = epoch !== this.#epoch;
    this.#n = Math.max(anew ? 0 : this.#n, last);
    this.#epoch = epoch;
    this.#open = true;
    if (pending !== null) this.#settle(pending.epoch, pending.n, outcomeOf(pending));
    // A welcome of a new epoch tells what became of the command; one that it does not know is gone.
    if (anew && this.#underWay !== null) this.#settle(this.#underWay.epoch, this.#underWay.n, { kind: "lost" });
    if (this.#underWay !== null) this.#say(this.#underWay);
    this.#goOn();
  }

  answered(answer: Answer): void {
    if (answer.epoch === this.#epoch) this.#settle(answer.epoch, answer.n, outcomeOf(answer));
  }

  lost(lost: Lost): void {
    this.#settle(lost.epoch, lost.n, outcomeOf(lost));
  }

  /** A frame was not taken at all, which can only be the one under way; the reason is told like a refusal. */
  troubled(refusal: Refused): void {
    if (this.#underWay !== null) this.#settle(this.#underWay.epoch, this.#underWay.n, { kind: "refused", refusal });
  }

  /** The link is down: what waits in the queue was never said, and a screen that locks must not say it later. */
  close(): void {
    this.#open = false;
    for (const waiting of this.#queue.splice(0)) waiting.settle({ kind: "lost" });
  }

  #settle(epoch: number, n: number, outcome: Outcome): void {
    const underWay = this.#underWay;
    if (underWay?.epoch !== epoch || underWay.n !== n) return;
    this.#underWay = null;
    underWay.settle(outcome);
    this.#goOn();
  }

  #goOn(): void {
    if (!this.#open || this.#underWay !== null) return;
    const next = this.#queue.shift();
    if (next === undefined) return;
    this.#n += 1;
    this.#underWay = { ...next, epoch: this.#epoch, n: this.#n };
    this.#say(this.#underWay);
  }

  #say({ epoch, n, command, coup, token, second }: UnderWay): void {
    this.#send({
      type: "ask",
      epoch,
      n,
      command,
      ...(coup === undefined ? {} : { coup }),
      ...(token === undefined ? {} : { token }),
      ...(second === undefined ? {} : { second }),
    });
  }
}

function outcomeOf(answer: Answer | Lost): Outcome {
  if (answer.type === "lost") return { kind: "lost" };
  return answer.refusal ? { kind: "refused", refusal: answer.refusal } : { kind: "done", version: answer.version };
}
