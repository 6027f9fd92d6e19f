// Exact fractions such as `241149546272/19524993263685`, which no double holds, as percents and as one in so many.

export interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

export function readFraction(written: string): Fraction {
  const [over = "0", under = "1"] = written.split("/");
  return { over: BigInt(over), under: BigInt(under) };
}

/** Rounded to so many decimals, halves away from zero; `-0.5000` keeps its sign. */
export function rounded({ over, under }: Fraction, decimals: number): string {
  const scale = 10n ** BigInt(decimals);
  const size = over < 0n ? -over : over;
  const units = (2n * size * scale + under) / (2n * under);
  const whole = String(units / scale);
  const rest = decimals === 0 ? "" : `.${String(units % scale).padStart(decimals, "0")}`;
  return `${over < 0n && units > 0n ? "-" : ""}${whole}${rest}`;
}

/** A part of all in percent, with four decimals. */
export function percent({ over, under }: Fraction): string {
  return `${rounded({ over: 100n * over, under }, 4)}%`;
}

/** The n of "1 in n", with as many decimals as tell something; null for what never happens. */
export function oneIn({ over, under }: Fraction): string | null {
  if (over <= 0n) return null;
  return rounded({ over: under, under: over }, under / over >= 100n ? 0 : 2);
}
