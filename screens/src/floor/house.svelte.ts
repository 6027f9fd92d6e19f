// The house as the floor's desk sees it: what the floor shows, looked at again and again, and acts that it is asked for.

import { Acting } from "../staff/acting.svelte";
import { Crew, isOver, type Member } from "../staff/crew.svelte";
import { request, type Answered } from "../staff/request";
import type { HouseCommand } from "../wire/house";
import type { FloorView } from "../wire/views";
import type { Done, EnrolmentShown, SessionShown } from "../wire/web";

const OVERSEERS = ["operator", "game_supervisor", "casino_supervisor", "inspector"];
/** Who may ask the house what, where not everybody may. */
const ROLES: Readonly<Record<string, readonly string[]>> = {
  configure_house: ["operator"],
  option: ["operator", "casino_supervisor"],
  appoint: ["operator"],
  dismiss: ["operator"],
  unlock: ["game_supervisor", "casino_supervisor", "operator"],
  enrol: ["technician", "casino_supervisor"],
  revoke: ["technician", "casino_supervisor"],
  exclude: ["casino_supervisor"],
  readmit: ["casino_supervisor"],
  redeem: ["cashier"],
  void_ticket: ["casino_supervisor"],
  reinstate: ["casino_supervisor"],
  expire: ["operator", "casino_supervisor"],
  open_day: ["operator", "casino_supervisor"],
  close_day: ["operator", "casino_supervisor"],
};

export class House {
  readonly crew = new Crew();
  readonly acting = new Acting(this.crew);
  view = $state.raw<FloorView | null>(null);
  waiting = $state.raw<readonly EnrolmentShown[]>([]);
  sessions = $state.raw<readonly SessionShown[]>([]);
  /** What the last act that was done led to. */
  done = $state.raw<Done | null>(null);

  get me(): Member | null {
    return this.crew.members[0] ?? null;
  }

  mayBe(roles: readonly string[]): boolean {
    return this.me?.roles.some((role) => roles.includes(role)) ?? false;
  }

  get oversees(): boolean {
    return this.mayBe(OVERSEERS);
  }

  get enrols(): boolean {
    return this.mayBe(["technician", "game_supervisor", "casino_supervisor"]);
  }

  get seesSessions(): boolean {
    return this.mayBe(["operator", "game_supervisor", "casino_supervisor"]);
  }

  /** The house's own zone; before it is configured, that of this desk. */
  get zone(): string {
    return this.view?.house.time_zone || Intl.DateTimeFormat().resolvedOptions().timeZone;
  }

  async ask(command: HouseCommand): Promise<boolean> {
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

  async endSession(id: string): Promise<void> {
    await this.get("DELETE", `/api/sessions/${id}`);
    await this.look();
  }

  /** Ask for something to look at, as whoever is signed on. */
  async get<Answer>(method: "GET" | "DELETE", path: string): Promise<Answered<Answer>> {
    const { me } = this;
    const answer = await request<Answer>(method, path, null, me === null ? {} : { token: me.token });
    if (me !== null && answer.kind === "refused" && isOver(answer.refusal)) this.crew.drop(me);
    return answer;
  }

  async look(): Promise<void> {
    if (this.oversees) await this.#see<FloorView>("/api/floor", (view) => (this.view = view));
    if (this.enrols) await this.#see<readonly EnrolmentShown[]>("/api/enrolments", (waiting) => (this.waiting = waiting));
    if (this.seesSessions) await this.#see<readonly SessionShown[]>("/api/sessions", (sessions) => (this.sessions = sessions));
  }

  forget(): void {
    this.view = this.done = null;
    this.waiting = this.sessions = [];
  }

  async #see<Answer>(path: string, take: (answer: Answer) => void): Promise<void> {
    const answer = await this.get<Answer>("GET", path);
    if (answer.kind === "done") take(answer.value);
  }

  async #act<Answer>(verb: string, path: string, body: object, take: (answer: Answer) => void): Promise<boolean> {
    const done = await this.acting.act({
      verb,
      roles: ROLES[verb] ?? [],
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
