// A code from the sheet as people type it, and the page of each kind of device that has one.

export const LENGTH = 16;
const GROUP = 4;
const PAGES: Readonly<Record<string, string>> = { station: "station", console: "console", display: "display", desk: "floor" };

/** The letters of a code; blanks, dashes and everything that no code has are left out. */
export function readCode(written: string, letters: readonly string[]): string {
  const known = [...written.toUpperCase()].filter((letter) => letters.includes(letter));
  return known.slice(0, LENGTH).join("");
}

export function inGroups(code: string): string {
  const padded = code.padEnd(LENGTH, "·");
  return Array.from({ length: LENGTH / GROUP }, (_, group) => padded.slice(group * GROUP, (group + 1) * GROUP)).join(" ");
}

/** Nothing for a device that is a program. */
export function pageOf(kind: string): string {
  return PAGES[kind] ?? "";
}
