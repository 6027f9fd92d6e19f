// The people who are signed on at this screen. Their tokens live in the page's memory alone: a page that is loaded anew
// knows nobody, and a screen that nobody touches forgets everybody.

import type { RefusalCode } from "../catalogue/catalogue";
import { proof, type Identity } from "../device/identity";
import type { Refused } from "../wire/frames";
import type { ApprovalGiven, ChallengeGiven, SignOnAnswer } from "../wire/web";
import { request } from "./request";

export interface Member {
  readonly person: string;
  readonly roles: readonly string[];
  readonly token: string;
  readonly idleMs: number;
  /** Whether the person signed on for one act only. */
  readonly once: boolean;
}

/** The floor says by these that a token is worth nothing any more. */
const OVER: ReadonlySet<string> = new Set<RefusalCode>(["session_over", "sign_on_first", "token_from_elsewhere"]);
/** A sign of life is sent when so much of the idle time has passed since the last. */
const SIGN_OF_LIFE = 1 / 6;

export function isOver(refusal: Refused): boolean {
  return OVER.has(refusal.code);
}

export class Crew {
  members = $state.raw<readonly Member[]>([]);
  /** Whether the screen forgot everybody because nobody touched it. */
  locked = $state(false);
  /** The console or desk that proves its key with every sign-on; a desk that the floor knows by its address has none. */
  identity: Identity | null;
  #touchedAt = performance.now();
  #toldAt = performance.now();

  constructor(identity: Identity | null = null) {
    this.identity = identity;
  }

  async signOn(person: string, pin: string, once = false): Promise<Member | Refused> {
    const proved = await this.#proved();
    if ("code" in proved) return proved;
    const answer = await request<SignOnAnswer>("POST", "/api/sign-on", { person, pin, ...proved });
    if (answer.kind === "refused") return answer.refusal;
    const { roles, token, idle_ms: idleMs } = answer.value;
    const member = { person, roles, token, idleMs, once };
    if (!once) {
      this.members = [...this.members.filter((one) => one.person !== person), member];
      this.locked = false;
      this.#touchedAt = this.#toldAt = performance.now();
    }
    return member;
  }

  async signOff(member: Member): Promise<void> {
    this.drop(member);
    await request("POST", "/api/sign-off", null, { token: member.token });
  }

  /** A second person approves one act of the first by PIN. */
  async approve(first: Member, person: string, pin: string, act: string): Promise<string | Refused> {
    const body = { person, pin, act };
    const answer = await request<ApprovalGiven>("POST", "/api/approvals", body, { token: first.token });
    return answer.kind === "refused" ? answer.refusal : answer.value.token;
  }

  drop(member: Member): void {
    this.members = this.members.filter((one) => one !== member);
  }

  /** Who may act in one of these roles: the first who is signed on here and works in one of them. */
  among(roles: readonly string[], worksAs: (member: Member) => readonly string[]): Member | null {
    return this.members.find((member) => worksAs(member).some((role) => roles.includes(role))) ?? null;
  }

  touched(): void {
    this.#touchedAt = performance.now();
  }

  /** To be called now and then: keeps the sessions of those who work here alive, and locks a screen left alone. */
  look(now = performance.now()): void {
    const shortest = Math.min(...this.members.map((member) => member.idleMs));
    if (now - this.#touchedAt >= shortest) return this.lock();
    if (this.#touchedAt - this.#toldAt < shortest * SIGN_OF_LIFE) return;
    this.#toldAt = now;
    for (const member of this.members) void this.#stillThere(member);
  }

  lock(): void {
    if (this.members.length === 0) return;
    const left = this.members;
    this.members = [];
    this.locked = true;
    for (const { token } of left) void request("POST", "/api/sign-off", null, { token });
  }

  /** What shows that this console or desk holds its key. */
  async #proved(): Promise<object | Refused> {
    const { identity } = this;
    if (identity === null || identity.device === "") return {};
    const given = await request<ChallengeGiven>("POST", "/api/challenge");
    if (given.kind === "refused") return given.refusal;
    const { floor, nonce } = given.value;
    return { device: identity.device, nonce, signature: await proof(identity, floor, nonce) };
  }

  async #stillThere(member: Member): Promise<void> {
    const answer = await request("GET", "/api/session", null, { token: member.token });
    if (answer.kind === "refused" && isOver(answer.refusal)) this.drop(member);
  }
}
