// The tournaments as the floor's desk sees them: the one that was chosen, looked at again and again, and what is asked of it.

import type { House } from "../floor/house.svelte";
import { request, type Answered } from "../staff/request";
import { KEEP_FORMS, SEE_TOURNAMENTS, TOURNAMENT_ROLES, TOURNAMENT_SECONDS } from "../wire/rules";
import type { DirectedAct, FormKept, TournamentDesk, TournamentDone, TournamentLine } from "../wire/tournament";

type Verb = DirectedAct["do"];
/** An act without the tournament, which is the chosen one. */
export type Asked = DirectedAct extends infer One ? (One extends DirectedAct ? Omit<One, "tournament"> : never) : never;
export type Forms = Readonly<Record<string, Readonly<Record<string, string>>>>;
const LOOK_EVERY_MS = 2_000;

export class Tournaments {
  lines = $state.raw<readonly TournamentLine[]>([]);
  chosen = $state("");
  desk = $state.raw<TournamentDesk | null>(null);
  /** The particulars of players, by reference, for those who may see them. */
  forms = $state.raw<Forms>({});
  /** What the last act that was done led to. */
  done = $state.raw<TournamentDone | null>(null);
  readonly #house: House;

  constructor(house: House) {
    this.#house = house;
  }

  get sees(): boolean {
    return this.#isOneOf(SEE_TOURNAMENTS);
  }

  get keepsForms(): boolean {
    return this.#isOneOf(KEEP_FORMS);
  }

  may(verb: Verb): boolean {
    return this.#isOneOf(TOURNAMENT_ROLES[verb]);
  }

  /** Whether the person at this desk may ask nothing of any tournament. */
  get onlyReads(): boolean {
    return !Object.values(TOURNAMENT_ROLES).some((roles) => this.#isOneOf(roles));
  }

  nameOf(player: string): string {
    return this.forms[player]?.["name"] ?? "";
  }

  /** Look now and every two seconds; gives what ends it. */
  follow(): () => void {
    void this.look();
    const looking = setInterval(() => void (document.hidden || this.look()), LOOK_EVERY_MS);
    return () => clearInterval(looking);
  }

  async look(): Promise<void> {
    if (!this.sees) return;
    await this.#see<readonly TournamentLine[]>("/api/tournaments", (lines) => (this.lines = lines));
    if (!this.lines.some(({ tournament }) => tournament === this.chosen)) this.chosen = this.lines[0]?.tournament ?? "";
    if (this.chosen === "") return;
    const path = this.#path();
    await this.#see<TournamentDesk>(path, (desk) => (this.desk = desk));
    if (this.keepsForms) await this.#see<Forms>(`${path}/forms`, (forms) => (this.forms = forms));
  }

  /** Another one begins with an empty desk; the one that is shown keeps what is typed there. */
  choose(tournament: string): void {
    if (tournament !== this.chosen) {
      this.chosen = tournament;
      this.desk = this.done = null;
    }
    void this.look();
  }

  async create(tournament: string, name: string): Promise<boolean> {
    const done = await this.#send("create_tournament", this.#path(tournament), { do: "create_tournament", tournament, name });
    if (done) this.choose(tournament);
    return done;
  }

  async ask(act: Asked): Promise<boolean> {
    return this.#send(act.do, this.#path(), { ...act, tournament: this.chosen });
  }

  /** A conditions file as it was written; what begins like JSON is JSON. */
  async save(text: string): Promise<boolean> {
    return this.#send("save_conditions", `${this.#path()}/conditions`, { text, json: text.trimStart().startsWith("{") }, "PUT");
  }

  /** Keep a player's form where it can be erased, then register the player by its digest. */
  async register(player: string, fields: Readonly<Record<string, string>>, criteria: readonly string[], checked: boolean): Promise<boolean> {
    let digest = "";
    const kept = await this.#send<FormKept>("register_entrant", `${this.#path()}/forms`, { player, fields }, "POST", (form) => (digest = form.digest));
    if (!kept) return false;
    return this.ask({ do: "register_entrant", player, form_digest: digest, criteria, identity_checked: checked });
  }

  #path(tournament = this.chosen): string {
    return `/api/tournaments/${encodeURIComponent(tournament)}`;
  }

  #isOneOf(roles: readonly string[]): boolean {
    return this.#house.me?.roles.some((role) => roles.includes(role)) ?? false;
  }

  async #see<Answer>(path: string, take: (answer: Answer) => void): Promise<void> {
    const asked = this.chosen;
    const answer = await this.#house.get<Answer>("GET", path);
    if (answer.kind === "done" && (asked === this.chosen || asked === "")) take(answer.value);
  }

  async #send<Answer = TournamentDone>(
    verb: Verb,
    path: string,
    body: object,
    method: "POST" | "PUT" = "POST",
    take: (answer: Answer) => void = (answer) => (this.done = answer as TournamentDone),
  ): Promise<boolean> {
    const done = await this.#house.acting.act({
      verb,
      roles: TOURNAMENT_ROLES[verb],
      seconds: TOURNAMENT_SECONDS[verb],
      send: async (tokens) => {
        const answer: Answered<Answer> = await request<Answer>(method, path, body, tokens);
        if (answer.kind === "done") take(answer.value);
        return answer;
      },
    });
    await this.look();
    return done;
  }
}
