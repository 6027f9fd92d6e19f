// Whether the key of the favourites fits beside the chips; where it does not, the menu has it alone.

import type { Arrangement } from "../look/arrangement";

const STATION_PX = 64;
const PHONE_PX = 48;
const BETWEEN_PX = 5;

export function hasRoom(width: number, chips: number, arrangement: Arrangement): boolean {
  const touch = arrangement === "upright" || arrangement === "lying" ? PHONE_PX : STATION_PX;
  return width >= (chips + 1) * (touch + BETWEEN_PX) - BETWEEN_PX;
}
