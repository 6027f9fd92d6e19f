// Chips: an amount broken down as a dealer would, the largest below, and the colours of each value.

const COLOURS = ["#e8e4d8", "#c8323a", "#2f7d4f", "#26272b", "#6a3fa0", "#c77f1a", "#1f6f8b", "#8a3b5e"] as const;

/** The chips that make an amount; what no chip makes up shows as one odd chip of that rest. */
export function chipsFor(cents: number, denominations: readonly number[]): readonly number[] {
  const chips: number[] = [];
  let rest = cents;
  for (const value of [...denominations].sort((one, other) => other - one)) {
    while (rest >= value) {
      chips.push(value);
      rest -= value;
    }
  }
  return rest > 0 ? [...chips, rest] : chips;
}

export function colourOf(value: number, denominations: readonly number[]): string {
  const place = denominations.indexOf(value);
  return COLOURS[place % COLOURS.length] ?? COLOURS[0];
}

/** Letters on a chip: large values in thousands, so that they stay readable. */
export function faceOf(cents: number): string {
  const units = cents / 100;
  return units >= 1000 && units % 1000 === 0 ? `${units / 1000}K` : String(units);
}
