// The device's commands: one under way at a time, repeated under the same name until it is answered.

import type { Answer, Ask, DeviceAct, Lost, Refused } from "../wire/frames";

export type Outcome =
  | { readonly kind: "done"; readonly epoch: number; readonly version: number; readonly layout: Readonly<Record<string, number>> | null }
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
  readonly command: DeviceAct;
  readonly settle: (outcome: Outcome) => void;
}

interface UnderWay extends Waiting {
  readonly epoch: number;
  readonly n: number;
  /** How often it was sent in all. */
  copies: number;
  /** A no that is on no record, and so speaks of one copy alone. */
  doubted: Refused | null;
}

export class Asks {
  readonly #send: (frame: Ask) => void;
  readonly #hello: () => void;
  readonly #queue: Waiting[] = [];
  #underWay: UnderWay | null = null;
  #epoch = 0;
  #n = 0;
  #open = false;

  /** `hello` asks the owner what became of the command that is under way. */
  constructor(send: (frame: Ask) => void, hello: () => void) {
    this.#send = send;
    this.#hello = hello;
  }

  /** The name of the command that still waits for its answer. */
  get pending(): readonly [number, number] | null {
    return this.#underWay && [this.#underWay.epoch, this.#underWay.n];
  }

  ask(command: DeviceAct, circumstances: Circumstances = {}): Promise<Outcome> {
    return new Promise((settle) => {
      this.#queue.push({ command, settle, ...circumstances });
      this.#goOn();
    });
  }

  /** The link is up: settle what the welcome tells about, count on, and say again what it does not tell about. */
  welcome(epoch: number, last: number, told: Answer | Lost | null): void {
    if (told !== null) this.#settle(told.epoch, told.n, outcomeOf(told));
    const underWay = this.#underWay;
    if (underWay !== null && underWay.epoch !== epoch) return this.#hello(); // It answers an earlier hello.
    this.#n = Math.max(epoch === this.#epoch ? this.#n : 0, last);
    this.#epoch = epoch;
    this.#open = true;
    if (underWay?.doubted != null && last < underWay.n) {
      this.#settle(epoch, underWay.n, { kind: "refused", refusal: underWay.doubted });
    } else if (underWay !== null) {
      underWay.doubted = null;
      this.#say(underWay);
    }
    this.#goOn();
  }

  answered(answer: Answer): void {
    if (answer.refusal != null && answer.version === 0) return this.#refusedOffTheRecord(answer.epoch, answer.n, answer.refusal);
    this.#settle(answer.epoch, answer.n, outcomeOf(answer));
  }

  lost(lost: Lost): void {
    this.#settle(lost.epoch, lost.n, outcomeOf(lost));
  }

  /** A frame was not taken at all, which can only be the one under way; the reason is told like a refusal. */
  troubled(refusal: Refused): void {
    if (this.#underWay !== null) this.#refusedOffTheRecord(this.#underWay.epoch, this.#underWay.n, refusal);
  }

  /** The answer takes long: say it again. */
  repeat(): void {
    if (this.#open && this.#underWay !== null) this.#say(this.#underWay);
  }

  /** The link is down: what waits in the queue was never said, and a screen that locks must not say it later. */
  close(): void {
    this.#open = false;
    for (const waiting of this.#queue.splice(0)) waiting.settle({ kind: "lost" });
  }

  /** It speaks of one copy of the command. Where an earlier one was sent, only the owner knows whether it was taken. */
  #refusedOffTheRecord(epoch: number, n: number, refusal: Refused): void {
    const underWay = this.#underWay;
    if (underWay?.epoch !== epoch || underWay.n !== n) return;
    if (underWay.copies === 1) return this.#settle(epoch, n, { kind: "refused", refusal });
    underWay.doubted = refusal;
    this.#hello();
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
    this.#underWay = { ...next, epoch: this.#epoch, n: this.#n, copies: 0, doubted: null };
    this.#say(this.#underWay);
  }

  #say(underWay: UnderWay): void {
    const { epoch, n, command, coup, token, second } = underWay;
    underWay.copies += 1;
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
  if (answer.refusal) return { kind: "refused", refusal: answer.refusal };
  return { kind: "done", epoch: answer.epoch, version: answer.version, layout: answer.layout ?? null };
}
