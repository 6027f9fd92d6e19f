// Round places on an axis, and the way from a figure to its place.

export interface Axis {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
}

const NICE = [1, 2, 5, 10] as const;
const HOUR_MS = 3_600_000;
const APART_MS = [60_000, 300_000, 900_000, 1_800_000, HOUR_MS, 2 * HOUR_MS, 3 * HOUR_MS, 6 * HOUR_MS] as const;

/** From 0, or from below it, to the largest figure, in about so many round steps. */
export function axisOf(figures: readonly number[], steps = 5): Axis {
  const [least, most] = [Math.min(0, ...figures), Math.max(0, ...figures)];
  const span = most - least || 1;
  const power = 10 ** Math.floor(Math.log10(span / steps));
  const apart = (NICE.find((one) => one * power * steps >= span) ?? 10) * power;
  const [low, high] = [Math.floor(least / apart) * apart, Math.max(Math.ceil(most / apart), Math.floor(least / apart) + 1) * apart];
  const ticks = Array.from({ length: Math.round((high - low) / apart) + 1 }, (_, place) => low + place * apart);
  return { low, high, ticks };
}

/** Moments at round times of day, some of them marked. */
export function timesOf(moments: readonly number[], most = 8): Axis {
  const [first, last] = [Math.min(...moments), Math.max(...moments)];
  const [low, high] = last > first ? [first, last] : [first - HOUR_MS / 2, first + HOUR_MS / 2];
  const apart = APART_MS.find((one) => (high - low) / one <= most) ?? 12 * HOUR_MS;
  const from = Math.ceil(low / apart) * apart;
  const ticks = Array.from({ length: Math.max(0, Math.floor((high - from) / apart) + 1) }, (_, place) => from + place * apart);
  return { low, high, ticks: ticks.length > 0 ? ticks : [low] };
}

export function placeOn({ low, high }: Axis, from: number, to: number): (figure: number) => number {
  return (figure) => from + ((figure - low) / (high - low)) * (to - from);
}
