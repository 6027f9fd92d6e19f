// Where the seats of a table stand on the map, and what each is drawn as: one path for all seats of a kind, so that a table of
// fifty is as few nodes as one of five.

import type { MapSeat, MapTable } from "../wire/views";

export const WIDTH = 200;
export const HEIGHT = 94;
const RING_MOST = 30;
/** The part of a ring that is the dealer's, at the top. */
const DEALERS = 0.1;
const STEPS = 720;

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** What a seat is drawn as: by its trouble, or by how much money lies there. */
export const MARKS = ["free", "none", "some", "more", "much", "most", "hidden", "called", "served", "out"] as const;
export type Mark = (typeof MARKS)[number];
export const LEVELS = ["some", "more", "much", "most"] as const;
/** A seat's mark grows with its money, so that it is read without colour. */
const RADIUS: Readonly<Record<Mark, number>> = { free: 1.1, none: 2.2, some: 2.6, more: 3.4, much: 4.3, most: 5.3, hidden: 3.4, called: 5.3, served: 4.4, out: 3.6 };

/** How each state of a seat is called. */
export const SEAT_WORDS = {
  free: "seat_free",
  playing: "seat_open",
  leaving: "seat_leaving",
  called: "seat_calls",
  served: "seat_served",
  faulted: "seat_faulted",
  out_of_service: "seat_out_of_service",
} as const satisfies Readonly<Record<MapSeat[1], string>>;

/** One ring of seats for most tables, two where there are many. */
export function ringsOf(seats: number): readonly number[] {
  return seats <= RING_MOST ? [seats] : [Math.ceil(seats * 0.58), Math.floor(seats * 0.42)];
}

const known = new Map<number, readonly Place[]>();

/** From the dealer's left hand round to the right, the outer ring first. */
export function placesOf(seats: number): readonly Place[] {
  let places = known.get(seats);
  if (places === undefined) {
    places = ringsOf(seats).flatMap((count, ring) => onEllipse(count, 93 - 17 * ring, 40 - 14 * ring));
    known.set(seats, places);
  }
  return places;
}

/** Evenly by the length of the way round, since equal angles crowd at the ends of an ellipse. */
function onEllipse(count: number, rx: number, ry: number): readonly Place[] {
  const at = (turn: number): Place => {
    const angle = -Math.PI / 2 + 2 * Math.PI * turn;
    return { x: WIDTH / 2 + rx * Math.cos(angle), y: HEIGHT / 2 + ry * Math.sin(angle) };
  };
  const way = [0];
  for (let step = 1; step <= STEPS; step++) {
    const [one, other] = [at((step - 1) / STEPS), at(step / STEPS)];
    way.push((way[step - 1] ?? 0) + Math.hypot(other.x - one.x, other.y - one.y));
  }
  const whole = way[STEPS] ?? 0;
  return Array.from({ length: count }, (_, place) => {
    const wanted = whole * (DEALERS / 2 + (1 - DEALERS) * (count === 1 ? 0.5 : place / (count - 1)));
    const step = way.findIndex((length) => length >= wanted);
    return at(step / STEPS);
  });
}

export function markOf([, state, cents]: MapSeat, scale: readonly number[]): Mark {
  if (state === "called" || state === "served") return state;
  if (state === "faulted" || state === "out_of_service") return "out";
  if (cents === null) return "hidden";
  if (cents > 0) return LEVELS[scale.filter((step) => cents >= step).length] ?? "most";
  return state === "free" ? "free" : "none";
}

/** The paths of a table by mark, for those marks that some seat has. */
export function seatPaths(table: MapTable, scale: readonly number[]): readonly (readonly [Mark, string])[] {
  const places = placesOf(table.seats.length);
  const paths = new Map<Mark, string>();
  table.seats.forEach((seat, number) => {
    const place = places[number];
    if (place === undefined) return;
    const mark = markOf(seat, scale);
    paths.set(mark, (paths.get(mark) ?? "") + drawn(mark, place));
  });
  return MARKS.flatMap((mark) => (paths.has(mark) ? [[mark, paths.get(mark) ?? ""] as const] : []));
}

export function drawn(mark: Mark, { x, y }: Place): string {
  const r = RADIUS[mark];
  const at = `M${(x - r).toFixed(1)} `;
  if (mark === "called") return `M${x.toFixed(1)} ${(y - r).toFixed(1)}l${r} ${2 * r}h${-2 * r}z`;
  if (mark === "hidden") return `${at}${(y - r).toFixed(1)}h${2 * r}v${2 * r}h${-2 * r}z`;
  if (mark === "out") return `${at}${(y - r).toFixed(1)}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`;
  return `${at}${y.toFixed(1)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
}
