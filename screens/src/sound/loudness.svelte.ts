// Volume and mute of this device.

export type Kind = "station" | "display" | "console";
export type { Loudness };
export const LOUDEST = 5;
const LOUD = 3;

interface Setting {
  readonly on: boolean;
  readonly volume: number;
}

/** A station sounds unless it was muted, a display and a console only after its key was pressed. */
class Loudness {
  #setting = $state.raw<Setting>({ on: false, volume: LOUD });
  readonly #place: string;

  constructor(kind: Kind) {
    this.#place = `sabot sound ${kind}`;
    this.#setting = this.#read() ?? { on: kind === "station", volume: LOUD };
  }

  get on(): boolean {
    return this.#setting.on;
  }

  get volume(): number {
    return this.#setting.volume;
  }

  /** The factor by which samples are played. */
  get gain(): number {
    return (this.volume / LOUDEST) ** 2;
  }

  turn(on: boolean): void {
    this.#keep({ ...this.#setting, on });
  }

  set(volume: number): void {
    this.#keep({ on: true, volume: Math.max(1, Math.min(LOUDEST, volume)) });
  }

  #keep(setting: Setting): void {
    this.#setting = setting;
    localStorage.setItem(this.#place, JSON.stringify(setting));
  }

  #read(): Setting | null {
    try {
      const kept = JSON.parse(localStorage.getItem(this.#place) ?? "null") as Setting | null;
      return typeof kept?.on === "boolean" && kept.volume >= 1 && kept.volume <= LOUDEST ? kept : null;
    } catch {
      return null;
    }
  }
}

const known = new Map<Kind, Loudness>();

/** One for all parts of a page. */
export function loudnessOf(kind: Kind): Loudness {
  const loudness = known.get(kind) ?? new Loudness(kind);
  known.set(kind, loudness);
  return loudness;
}
