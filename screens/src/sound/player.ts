// Plays clips and clicks. A browser lets no page sound before it was touched: until then nothing is played, in silence.

import voices from "../catalogue/voices.json";
import { words } from "../words/words.svelte";
import type { Click, Clip } from "./saying";
import { voiceOf, type Voice } from "./voice";

const SPOKEN: Readonly<Record<string, { readonly between: string; readonly words: Readonly<Record<Clip, string>> } | undefined>> = voices;
const GAP_S = 0.05;
const LATE_MS = 500;
const IDLE_MS = 2_000;
const CLICKS: Readonly<Record<Click, { readonly seconds: number; readonly pitch: number }>> = {
  chip: { seconds: 0.03, pitch: 3_200 },
  card: { seconds: 0.07, pitch: 1_100 },
};

export class Player {
  #context: AudioContext | null = null;
  #voices = new Map<string, Promise<Voice | null>>();
  #playing: AudioBufferSourceNode[] = [];
  /** Rises with everything that is played, so that what was stopped while it was fetched is not played after all. */
  #turn = 0;
  #resting: ReturnType<typeof setTimeout> | undefined;

  /** Says clips one after the other; resolves when they are said, or were stopped. */
  async say(clips: readonly Clip[], volume: number): Promise<void> {
    this.stop();
    const turn = this.#turn;
    const context = this.#awake();
    if (context === null) return;
    const code = words.language.code;
    const voice = await this.#voice(code);
    if (turn !== this.#turn) return;
    const samples = clips.flatMap((clip) => voice?.samples(clip) ?? []);
    if (voice === null || samples.length < clips.length) return this.#speak(clips, volume);
    let at = context.currentTime;
    await new Promise<void>((done) => {
      for (const one of samples) {
        const source = sourceOf(context, one, voice.rate, volume);
        source.start(at);
        at += one.length / voice.rate + GAP_S;
        this.#playing.push(source);
      }
      this.#playing.at(-1)?.addEventListener("ended", () => done());
      // A device without a sound card may never come to the end.
      setTimeout(done, (at - context.currentTime) * 1_000 + LATE_MS);
    });
    this.#rest();
  }

  click(click: Click, volume: number): void {
    const context = this.#awake();
    if (context === null) return;
    const { seconds, pitch } = CLICKS[click];
    const rate = context.sampleRate;
    const noise = Float32Array.from({ length: Math.round(seconds * rate) }, (_, place) => {
      const fading = Math.exp((-6 * place) / (seconds * rate));
      return 0.5 * fading * Math.sin((2 * Math.PI * pitch * place) / rate) * Math.sin(place * place * 0.37);
    });
    sourceOf(context, noise, rate, volume).start();
    this.#rest();
  }

  stop(): void {
    this.#turn += 1;
    for (const source of this.#playing.splice(0)) source.stop();
    if ("speechSynthesis" in globalThis) speechSynthesis.cancel();
  }

  /** The browser's own speech, where the pages were built without voices. */
  #speak(clips: readonly Clip[], volume: number): Promise<void> {
    if (!("speechSynthesis" in globalThis)) return Promise.resolve();
    const spoken = SPOKEN[words.language.code];
    if (spoken === undefined) return Promise.resolve();
    const said = new SpeechSynthesisUtterance(clips.map((clip) => spoken.words[clip]).join(spoken.between));
    Object.assign(said, { lang: words.locale, volume });
    return new Promise((done) => {
      said.onend = said.onerror = () => done();
      speechSynthesis.speak(said);
    });
  }

  #voice(code: string): Promise<Voice | null> {
    const known = this.#voices.get(code) ?? voiceOf(code);
    this.#voices.set(code, known);
    return known;
  }

  #awake(): AudioContext | null {
    clearTimeout(this.#resting);
    if (!navigator.userActivation?.hasBeenActive || !("AudioContext" in globalThis)) return null;
    this.#context ??= new AudioContext();
    void this.#context.resume().catch(() => undefined);
    return this.#context;
  }

  /** A context that runs takes work even in silence. */
  #rest(): void {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => void this.#context?.suspend().catch(() => undefined), IDLE_MS);
  }
}

function sourceOf(context: AudioContext, samples: Float32Array<ArrayBuffer>, rate: number, volume: number): AudioBufferSourceNode {
  const buffer = context.createBuffer(1, samples.length, rate);
  buffer.copyToChannel(samples, 0);
  const source = new AudioBufferSourceNode(context, { buffer });
  source.connect(new GainNode(context, { gain: volume })).connect(context.destination);
  return source;
}
