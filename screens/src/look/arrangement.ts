// How a page is arranged: by the shape of its own screen, and as on a phone where that is small.

export type Arrangement =
  /** Wider than high, from a small table screen to a wall. */
  | "landscape"
  /** Higher than wide: a tablet, or a screen that is turned. */
  | "portrait"
  /** A phone held upright. */
  | "upright"
  /** A phone that lies. */
  | "lying";

const PHONE_WIDTH_PX = 600;
const PHONE_HEIGHT_PX = 500;

export function arrangementOf(width: number, height: number): Arrangement {
  if (width > height) return height < PHONE_HEIGHT_PX ? "lying" : "landscape";
  return width < PHONE_WIDTH_PX ? "upright" : "portrait";
}
