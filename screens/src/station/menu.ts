// What a patron reaches by the menu, in the order in which it stands there. A new sheet needs its entry here and its place in
// Pages.svelte.

import type { Key } from "../catalogue/catalogue";
import type { Area, StationView } from "../wire/views";

/** The sheets of a station. An area stands for the sheet of its bet. */
export type PageName = Area | "rules" | "roads" | "history" | "receipt" | "query" | "leave" | "settled" | "devices" | "notices" | "favourites" | "play" | "attendant";

export interface Entry {
  /** The sheet that it opens. */
  readonly opens: Exclude<PageName, Area>;
  readonly word: Key;
  /** Whether it is there at all. */
  readonly shown?: (view: StationView) => boolean;
  readonly closed?: (view: StationView) => boolean;
}

export const ENTRIES: readonly Entry[] = [
  { opens: "favourites", word: "arrange", shown: ({ session, standing }) => session === null || standing !== null },
  { opens: "rules", word: "rules" },
  { opens: "roads", word: "roads" },
  { opens: "history", word: "history" },
  { opens: "receipt", word: "receipt" },
  { opens: "query", word: "query" },
  { opens: "notices", word: "notices" },
  { opens: "play", word: "my_play", shown: ({ care }) => care !== null },
  { opens: "attendant", word: "call_attendant" },
  { opens: "devices", word: "devices_here", shown: ({ station, session }) => station.remote && session === null },
  {
    // A seat of a session is left by retiring, at the Director's desk.
    opens: "leave",
    word: "leave",
    shown: ({ session, station, actions }) => session === null && !(station.leaving && actions["stay"]?.open),
    closed: ({ station }) => !station.open || station.leaving,
  },
];
