// A station of two screens is two windows of one browser. A device has one connection: the lower window holds it and shows what it
// is told to the upper one, which asks the floor for nothing.

import type { Standing } from "../link/link.svelte";
import type { StalePicture } from "../wire/frames";
import type { StationView } from "../wire/views";
import { words } from "../words/words.svelte";

const CHANNEL = "sabot station";
const BEAT_MS = 1_000;
const SILENT_MS = 3_500;

/** What the lower window knows. */
interface Held {
  readonly view: StationView | null;
  readonly standing: Standing;
  readonly stale: StalePicture | null;
  /** When the view's clock was told, by the clock of the window that knows it. */
  readonly toldAt: number;
}

type Said =
  /** The upper window is there and knows nothing yet. */
  | { readonly kind: "hello" }
  /** The lower window is still there. */
  | { readonly kind: "beat" }
  /** Windows have clocks of their own: what has passed since the telling is said instead of its time. */
  | ({ readonly kind: "picture"; readonly passedMs: number; readonly language: string } & Omit<Held, "toldAt">);

export class LowerScreen {
  readonly #channel = new BroadcastChannel(CHANNEL);
  readonly #beating = setInterval(() => this.#say({ kind: "beat" }), BEAT_MS);
  #held: Held | null = null;

  constructor() {
    this.#channel.onmessage = ({ data }: MessageEvent<Said>) => {
      if (data.kind === "hello" && this.#held !== null) this.show(this.#held);
    };
  }

  show(held: Held): void {
    this.#held = held;
    const { view, standing, stale, toldAt } = held;
    this.#say({ kind: "picture", view, standing, stale, passedMs: performance.now() - toldAt, language: words.language.code });
  }

  close(): void {
    clearInterval(this.#beating);
    this.#channel.close();
  }

  #say(said: Said): void {
    this.#channel.postMessage(said);
  }
}

export class UpperScreen implements Held {
  view = $state.raw<StationView | null>(null);
  standing = $state<Standing>("connecting");
  stale = $state.raw<StalePicture | null>(null);
  toldAt = $state.raw(0);
  readonly #channel = new BroadcastChannel(CHANNEL);
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.#channel.onmessage = ({ data }: MessageEvent<Said>) => this.#hear(data);
    this.#channel.postMessage({ kind: "hello" } satisfies Said);
  }

  close(): void {
    clearTimeout(this.#silence);
    this.#channel.close();
  }

  #hear(said: Said): void {
    if (said.kind === "hello") return;
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => (this.standing = "connecting"), SILENT_MS);
    if (said.kind === "beat") {
      // A beat while this window waits: the one below was silent for a while, and says again what it knows.
      if (this.standing === "connecting") this.#channel.postMessage({ kind: "hello" } satisfies Said);
      return;
    }
    this.view = said.view;
    this.standing = said.standing;
    this.stale = said.stale;
    this.toldAt = performance.now() - said.passedMs;
    if (said.language !== words.language.code) words.choose(said.language);
  }
}
