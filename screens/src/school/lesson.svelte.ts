// A trainee's lesson as the school tells it: looked at whenever the table has changed, and every second.

import type { LessonShown } from "../wire/school";
import { words } from "../words/words.svelte";
import { askSchool } from "./access";

const LOOK_EVERY_MS = 1_000;

export class LessonFeed {
  shown = $state.raw<LessonShown | null>(null);
  /** Whether the floor knows no such table of a school. */
  missing = $state(false);
  /** Whether this browser has not the word of the trainee's link. */
  shut = $state(false);
  readonly path: string;
  #asked = 0;
  #told = 0;

  constructor(table: string) {
    this.path = `/api/school/tables/${encodeURIComponent(table)}`;
  }

  /** Look every second; gives what ends it. */
  follow(): () => void {
    const looking = setInterval(() => void (document.hidden || this.look()), LOOK_EVERY_MS);
    return () => clearInterval(looking);
  }

  /** An answer that a newer one has overtaken counts no more. */
  async look(): Promise<void> {
    const asked = ++this.#asked;
    const answer = await askSchool<LessonShown>("GET", this.path);
    if (answer.kind === "refused") [this.missing, this.shut] = [answer.refusal.code === "no_such_path", answer.refusal.code === "sign_on_first"];
    if (answer.kind === "refused" || asked < this.#told) return;
    this.#told = asked;
    this.shown = answer.value;
  }

  async begin(lesson: string): Promise<void> {
    await askSchool("POST", `${this.path}/start`, { lesson });
    await this.look();
  }
}

/** A text that comes in every language. */
export function inWords(text: Readonly<Record<string, string>>): string {
  return text[words.language.code] ?? "";
}
