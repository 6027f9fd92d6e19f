// How long to wait before trying again: longer each time, and never all devices at once.

const FIRST_MS = 200;
const LONGEST_MS = 3_000;

/** A wait of any length up to the bound, which doubles with every attempt (full jitter). */
export function waitBefore(attempt: number, chance: () => number = Math.random): number {
  return chance() * Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt);
}
