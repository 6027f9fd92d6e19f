// The lights of a table, and the sign of each.

import type { MapLights } from "../wire/views";

export type LightKind = keyof MapLights;
export type LightState = MapLights[LightKind];

export const LIGHTS = ["alarms", "calls", "census", "integrity"] as const satisfies readonly LightKind[];
/** An exclamation mark, a bell, a card and an eye. */
export const SIGNS: Readonly<Record<LightKind, string>> = {
  alarms: "M10 4.5v7M10 15v.3",
  calls: "M5 13.5h10c-1.4-1.2-1.4-3-1.4-4.6C13.6 6.6 12 5.2 10 5.2S6.4 6.6 6.4 8.9c0 1.6 0 3.4-1.4 4.6zM9 15.6h2M10 5.2V4",
  integrity: "M3.5 10c2-3.4 4.2-5 6.5-5s4.5 1.6 6.5 5c-2 3.4-4.2 5-6.5 5s-4.5-1.6-6.5-5zM8.2 10a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0 -3.6 0",
  census: "M6.5 4.5h7v11h-7zM10 8v.2M10 12v.2",
};
