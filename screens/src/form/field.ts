// What a form asks for, as data; and amounts and times as people write them.

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly kind?: "text" | "money" | "number" | "numbers" | "date" | "moment" | "choice" | "check" | "time" | "long" | "file";
  readonly choices?: readonly Choice[];
  /** What stands there before anybody writes. */
  readonly value?: string;
  readonly optional?: boolean;
  /** What stands in an empty field. */
  readonly placeholder?: string;
  /** Amounts in cents that one touch writes. */
  readonly quick?: readonly number[];
}

export type Values = Readonly<Record<string, string>>;

export type Problem = "field_empty" | `field_${keyof typeof READABLE}`;

/** Of each kind that is more than words, whether what was written can be read as one. */
const READABLE = {
  money: (written: string) => readCents(written) !== null,
  number: (written: string) => readCount(written) !== null,
  numbers: (written: string) => written.split(",").every((one) => one.trim() === "" || readCount(one) !== null),
  date: (written: string) => /^\d{4}-\d\d-\d\d$/.test(written.trim()) && readMoment(`${written.trim()}T00:00`, "UTC") !== null,
  moment: (written: string) => readMoment(written.trim().replace(" ", "T"), "UTC") !== null,
} as const;

/** What is wrong with what was written in a field, before anything is sent; nothing where it can be read. */
export function problemOf({ kind = "text", optional = false }: Field, written: string): Problem | null {
  if (written.trim() === "") return optional || kind === "check" || kind === "choice" ? null : "field_empty";
  return kind in READABLE && !READABLE[kind as keyof typeof READABLE](written) ? `field_${kind as keyof typeof READABLE}` : null;
}

/** A whole number such as a coup or a count of cards; nothing where it is none. */
export function readCount(written: string): number | null {
  return /^\d{1,9}$/.test(written.trim()) ? Number(written) : null;
}

/** Whole cents from an amount such as 1,250 or 12.50; nothing where it is none. */
export function readCents(written: string): number | null {
  const match = /^(-?)(\d{1,12})(?:\.(\d{1,2}))?$/.exec(written.replaceAll(/[,\s]/g, ""));
  if (match === null) return null;
  const cents = Number(match[2]) * 100 + Number((match[3] ?? "").padEnd(2, "0"));
  return match[1] === "-" ? -cents : cents;
}

/** Round amounts for one touch, from the middle chip of the table upwards: 100, 500, 1,000, 5,000, 10,000. */
export function quickAmounts(chips: readonly number[], count = 5): readonly number[] {
  const least = chips.toSorted((one, other) => one - other)[Math.floor(chips.length / 2)] ?? 0;
  const round = Array.from({ length: 24 }, (_, place) => 10 ** Math.floor(place / 2) * (place % 2 === 0 ? 1 : 5));
  return round.filter((cents) => cents >= Math.max(100, least)).slice(0, count);
}

/** The moment at which a clock in this zone next shows a time of day such as 22:30. */
export function nextTime(written: string, timeZone: string, nowMs: number): number | null {
  const match = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(written.trim());
  if (match === null) return null;
  const wanted = Number(match[1]) * 60 + Number(match[2]);
  const [hours = 0, minutes = 0] = writeMoment(nowMs, timeZone).slice(-5).split(":").map(Number);
  const ahead = (wanted - (hours * 60 + minutes) + 24 * 60) % (24 * 60);
  return Math.floor(nowMs / 60_000) * 60_000 + (ahead === 0 ? 24 * 60 : ahead) * 60_000;
}

/** The moment that a clock in this zone shows as 2026-01-31T22:30; nothing where it is none. */
export function readMoment(written: string, timeZone: string): number | null {
  const asUtc = Date.parse(`${written}Z`);
  if (Number.isNaN(asUtc)) return null;
  const first = asUtc - aheadOfUtc(asUtc, timeZone);
  return asUtc - aheadOfUtc(first, timeZone);
}

/** A moment as a clock in this zone shows it, in the form of a field. */
export function writeMoment(atMs: number, timeZone: string): string {
  return new Date(atMs + aheadOfUtc(atMs, timeZone)).toISOString().slice(0, 16);
}

function aheadOfUtc(atMs: number, timeZone: string): number {
  const figures = new Intl.DateTimeFormat(undefined, {
    calendar: "gregory",
    numberingSystem: "latn",
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(atMs);
  const figure = (type: string): number => Number(figures.find((part) => part.type === type)?.value);
  const shown = Date.UTC(figure("year"), figure("month") - 1, figure("day"), figure("hour"), figure("minute"), figure("second"));
  return shown - Math.floor(atMs / 1000) * 1000;
}
