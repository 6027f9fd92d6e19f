// What a station keeps for its patron: which chips are in the rack, and three layouts. It belongs to one session of one
// patron, outlives a reload, and is gone as soon as the station has another session or none.

import type { Chips } from "../station/wagering.svelte";
import type { StationView } from "../wire/views";

export const PLACES = 3;

interface Kept {
  readonly session: string;
  /** The chips in the rack; none chosen is all of the table's. */
  readonly rack: readonly number[];
  readonly layouts: readonly (Chips | null)[];
}

const nothing = (session: string): Kept => ({ session, rack: [], layouts: Array.from({ length: PLACES }, () => null) });

/** Names the patron's session: the control session, and in a tournament its session; empty while nobody is there. */
export function sessionOf({ table, station, session }: Pick<StationView, "table" | "station" | "session">): string {
  if (session !== null) return `${table.name} ${station.name} ${session.tournament} ${session.round} ${session.session}`;
  return station.control === 0 ? "" : `${table.name} ${station.name} ${station.control}`;
}

export class Keepsake {
  #kept = $state.raw<Kept>(nothing(""));
  readonly #place: string;

  constructor(place: string) {
    this.#place = `sabot patron ${place}`;
    this.#kept = this.#read();
  }

  get layouts(): readonly (Chips | null)[] {
    return this.#kept.layouts;
  }

  /** The table's chips that the patron wants in the rack. */
  rack(chips: readonly number[]): readonly number[] {
    const chosen = chips.filter((chip) => this.#kept.rack.includes(chip));
    return chosen.length === 0 ? chips : chosen;
  }

  /** Another session finds nothing of the one before. */
  follow(session: string): void {
    if (session !== this.#kept.session) this.#keep(nothing(session));
  }

  /** Takes a chip into the rack or out of it; the last one stays. */
  turn(chip: number, chips: readonly number[]): void {
    const rack = this.rack(chips);
    const turned = rack.includes(chip) ? rack.filter((one) => one !== chip) : [...rack, chip];
    if (turned.length > 0) this.#keep({ ...this.#kept, rack: turned });
  }

  save(place: number, layout: Chips | null): void {
    this.#keep({ ...this.#kept, layouts: this.#kept.layouts.map((one, at) => (at === place ? layout : one)) });
  }

  #keep(kept: Kept): void {
    this.#kept = kept;
    if (kept.session === "") localStorage.removeItem(this.#place);
    else localStorage.setItem(this.#place, JSON.stringify(kept));
  }

  #read(): Kept {
    try {
      const kept = JSON.parse(localStorage.getItem(this.#place) ?? "null") as Kept | null;
      return kept?.layouts.length === PLACES && Array.isArray(kept.rack) ? kept : nothing("");
    } catch {
      return nothing("");
    }
  }
}

export function totalOf(layout: Chips): number {
  return Object.values(layout).reduce((sum, cents) => sum + cents, 0);
}
