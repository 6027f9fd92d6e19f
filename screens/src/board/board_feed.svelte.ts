// The leader board as the floor tells it: asked for every second, and sent only when it has changed.

import type { TournamentBoard, TournamentLine } from "../wire/tournament";

const LOOK_EVERY_MS = 1_000;
const NOT_MODIFIED = 304;

export class BoardFeed {
  board = $state.raw<TournamentBoard | null>(null);
  /** The tournaments to choose from, where the address names none. */
  choices = $state.raw<readonly TournamentLine[] | null>(null);
  /** When the board was heard last, and when it last changed. */
  heardMs = $state(0);
  changedMs = $state(0);
  lost = $state(false);
  #tournament: string;
  #tag = "";

  constructor(tournament: string) {
    this.#tournament = tournament;
  }

  /** Look now and every second; gives what ends it. */
  follow(): () => void {
    void this.look();
    const looking = setInterval(() => void this.look(), LOOK_EVERY_MS);
    return () => clearInterval(looking);
  }

  async look(): Promise<void> {
    try {
      if (this.#tournament === "") await this.#choose();
      else await this.#read();
    } catch {
      this.lost = true;
    }
  }

  /** The only tournament that there is needs no choice. */
  async #choose(): Promise<void> {
    const answer = await fetch("/api/tournaments");
    if (!answer.ok) throw new Error(answer.statusText);
    const lines = (await answer.json()) as readonly TournamentLine[];
    this.lost = false;
    if (lines.length === 1 && lines[0] !== undefined) this.#tournament = lines[0].tournament;
    else this.choices = lines;
  }

  async #read(): Promise<void> {
    const headers: Record<string, string> = this.#tag === "" ? {} : { "If-None-Match": this.#tag };
    const answer = await fetch(`/api/tournaments/${encodeURIComponent(this.#tournament)}/board`, { headers, cache: "no-store" });
    if (!answer.ok && answer.status !== NOT_MODIFIED) throw new Error(answer.statusText);
    this.lost = false;
    this.heardMs = Date.now();
    if (answer.status === NOT_MODIFIED) return;
    this.#tag = answer.headers.get("ETag") ?? "";
    this.board = (await answer.json()) as TournamentBoard;
    this.changedMs = Date.now();
  }
}
