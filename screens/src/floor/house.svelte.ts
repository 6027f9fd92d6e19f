// The house as the floor's desk sees it: what the floor shows, looked at again and again, and acts that it is asked for.

import { Acting } from "../staff/acting.svelte";
import { Crew, isOver, type Member } from "../staff/crew.svelte";
import { request, type Answered } from "../staff/request";
import { Tournaments } from "../tournament/tournaments.svelte";
import type { DeskAct } from "../wire/house";
import { HOUSE_ROLES, HOUSE_SECONDS, SEE_ENROLMENTS, SEE_FLOOR, SEE_SESSIONS } from "../wire/rules";
import type { FloorView } from "../wire/views";
import type { Done, ServiceBody, ServiceGiven, SessionShown, WaitingShown } from "../wire/web";

export class House {
  readonly crew = new Crew();
  readonly acting = new Acting(this.crew);
  readonly tournaments = new Tournaments(this);
  view = $state.raw<FloorView | null>(null);
  waiting = $state.raw<readonly WaitingShown[]>([]);
  sessions = $state.raw<readonly SessionShown[]>([]);
  /** Whether a page follows the tables by itself, so that all of the house is looked at less often. */
  isWatched = false;
  /** What the last act that was done led to. */
  done = $state.raw<Done | null>(null);

  get me(): Member | null {
    return this.crew.members[0] ?? null;
  }

  /** Whether the person at this desk may ask the house for an act. */
  may(verb: keyof typeof HOUSE_ROLES): boolean {
    return this.#isOneOf(HOUSE_ROLES[verb]);
  }

  get oversees(): boolean {
    return this.#isOneOf(SEE_FLOOR);
  }

  /** Whether the person at this desk may ask nothing of the house and of its tournaments. */
  get onlyReads(): boolean {
    return this.tournaments.onlyReads && !Object.values(HOUSE_ROLES).some((roles) => this.#isOneOf(roles));
  }

  get enrols(): boolean {
    return this.#isOneOf(SEE_ENROLMENTS);
  }

  get seesSessions(): boolean {
    return this.#isOneOf(SEE_SESSIONS);
  }

  /** The house's own zone; before it is configured, that of this desk. */
  get zone(): string {
    return this.view?.house.time_zone || this.tournaments.desk?.time_zone || Intl.DateTimeFormat().resolvedOptions().timeZone;
  }

  async ask(command: DeskAct): Promise<boolean> {
    return this.#act<Done>(command.do, "/api/house", command, (done) => (this.done = done));
  }

  /** Admit a waiting device; two persons answer for it. */
  async admit(id: string, granted: object): Promise<boolean> {
    return this.#act("enrol", `/api/enrolments/${id}/approval`, granted, () => undefined);
  }

  async turnAway(id: string): Promise<void> {
    await this.get("DELETE", `/api/enrolments/${id}`);
    await this.look();
  }

  /** Turn away every device that asked from an address. */
  async turnAwayAll(address: string): Promise<void> {
    await this.get("DELETE", `/api/enrolments?address=${encodeURIComponent(address)}`);
    await this.look();
  }

  async makeService(wanted: Omit<ServiceBody, "a_minute">, take: (given: ServiceGiven) => void): Promise<boolean> {
    return this.#act<ServiceGiven>("make_service", "/api/services", wanted, take);
  }

  async endSession(id: string): Promise<void> {
    await this.get("DELETE", `/api/sessions/${id}`);
    await this.look();
  }

  /** Ask for something to look at, as the person who is signed on. */
  async get<Answer>(method: "GET" | "DELETE", path: string): Promise<Answered<Answer>> {
    const { me } = this;
    const answer = await request<Answer>(method, path, null, me === null ? {} : { token: me.token });
    if (me !== null && answer.kind === "refused" && isOver(answer.refusal)) this.crew.drop(me);
    return answer;
  }

  async look(): Promise<void> {
    if (this.oversees) await this.#see<FloorView>("/api/floor", (view) => (this.view = view));
    if (this.enrols) await this.#see<readonly WaitingShown[]>("/api/enrolments", (waiting) => (this.waiting = waiting));
    if (this.seesSessions) await this.#see<readonly SessionShown[]>("/api/sessions", (sessions) => (this.sessions = sessions));
  }

  forget(): void {
    this.view = this.done = null;
    this.waiting = this.sessions = [];
  }

  #isOneOf(roles: readonly string[]): boolean {
    return this.me?.roles.some((role) => roles.includes(role)) ?? false;
  }

  async #see<Answer>(path: string, take: (answer: Answer) => void): Promise<void> {
    const answer = await this.get<Answer>("GET", path);
    if (answer.kind === "done") take(answer.value);
  }

  async #act<Answer>(verb: keyof typeof HOUSE_ROLES, path: string, body: object, take: (answer: Answer) => void): Promise<boolean> {
    const done = await this.acting.act({
      verb,
      roles: HOUSE_ROLES[verb],
      seconds: HOUSE_SECONDS[verb],
      send: async (tokens) => {
        const answer = await request<Answer>("POST", path, body, tokens);
        if (answer.kind === "done") take(answer.value);
        return answer;
      },
    });
    await this.look();
    return done;
  }
}
