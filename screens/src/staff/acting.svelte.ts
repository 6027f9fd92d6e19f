// An act from the touch to its answer: who does it, who approves it where two are due, and what was said to it.

import type { Refused } from "../wire/frames";
import { isOver, type Crew, type Member } from "./crew.svelte";
import type { Tokens } from "./request";

export type Heard = { readonly kind: "done" } | { readonly kind: "lost" } | { readonly kind: "refused"; readonly refusal: Refused };

/** A person must sign on or approve before an act goes on. */
export interface Question {
  readonly kind: "who" | "second";
  readonly act: string;
  readonly roles: readonly string[];
  /** Why the one who tried first was not enough. */
  readonly because: Refused | null;
  readonly answer: (person: string, pin: string) => Promise<Refused | null>;
  readonly giveUp: () => void;
}

export interface Act {
  readonly verb: string;
  readonly roles: readonly string[];
  /** The roles of a second person, where one is due. */
  readonly seconds: readonly string[];
  readonly send: (tokens: Required<Pick<Tokens, "token">> & Tokens) => Promise<Heard>;
}

export class Acting {
  question = $state.raw<Question | null>(null);
  refusal = $state.raw<Refused | null>(null);
  busy = $state(false);
  readonly #crew: Crew;
  readonly #worksAs: (member: Member) => readonly string[];

  constructor(crew: Crew, worksAs: (member: Member) => readonly string[] = (member) => member.roles) {
    this.#crew = crew;
    this.#worksAs = worksAs;
  }

  /** Whether it was done. One act is under way at a time, so that no touch is taken twice. */
  async act(act: Act): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.refusal = null;
    try {
      return await this.#begin(act);
    } finally {
      this.busy = false;
      this.question = null;
    }
  }

  async #begin(act: Act): Promise<boolean> {
    let member = this.#crew.among(act.roles, this.#worksAs);
    let because: Refused | null = null;
    for (;;) {
      member ??= await this.#who(act, because);
      if (member === null) return false;
      const heard = await this.#carry(act, member);
      if (member.once) void this.#crew.signOff(member);
      if (heard.kind !== "refused") return heard.kind === "done";
      if (!isOver(heard.refusal) && heard.refusal.code !== "wrong_role") {
        this.refusal = heard.refusal;
        return false;
      }
      if (isOver(heard.refusal)) this.#crew.drop(member);
      because = heard.refusal;
      member = null;
    }
  }

  async #carry(act: Act, member: Member): Promise<Heard> {
    const heard = await act.send({ token: member.token });
    if (heard.kind !== "refused" || heard.refusal.code !== "second_person_due") return heard;
    const second = await this.#second(act, member, heard.refusal);
    return second === null ? heard : act.send({ token: member.token, second });
  }

  #who(act: Act, because: Refused | null): Promise<Member | null> {
    return this.#asked("who", act, act.roles, because, (person, pin) => this.#crew.signOn(person, pin, true));
  }

  #second(act: Act, first: Member, because: Refused): Promise<string | null> {
    return this.#asked("second", act, act.seconds, because, (person, pin) => this.#crew.approve(first, person, pin, act.verb));
  }

  #asked<Shown>(
    kind: Question["kind"],
    { verb: act }: Act,
    roles: readonly string[],
    because: Refused | null,
    show: (person: string, pin: string) => Promise<Shown | Refused>,
  ): Promise<Shown | null> {
    return new Promise((resolve) => {
      const answer = async (person: string, pin: string): Promise<Refused | null> => {
        const shown = await show(person, pin);
        if (isRefusal(shown)) return shown;
        this.question = null;
        resolve(shown);
        return null;
      };
      const giveUp = (): void => {
        this.question = null;
        resolve(null);
      };
      this.question = { kind, act, roles, because, answer, giveUp };
    });
  }
}

function isRefusal(shown: unknown): shown is Refused {
  return typeof shown === "object" && shown !== null && "code" in shown && "clause" in shown;
}
