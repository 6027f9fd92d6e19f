// Names of what has a code on the wire: acts, roles, facts, resolutions, kinds of things. One without a name of its own
// is shown by its code, in plain letters.

import type { Message } from "../wire/views";
import { ENGLISH, type Key } from "./english";
import { words } from "./words.svelte";

const SENIORITY = ["dealer", "game_supervisor", "casino_supervisor", "cashier", "technician", "operator", "inspector"];

function named(prefix: string, code: string): string | null {
  const key = `${prefix}_${code.replaceAll(/\W/g, "_")}`;
  return key in ENGLISH ? words.say(key as Key) : null;
}

export function name(prefix: string, code: string): string {
  return named(prefix, code) ?? code.replaceAll("_", " ");
}

export function actName(verb: string): string {
  return name("act", verb);
}

export function roleNames(roles: readonly string[]): string {
  return [...roles].sort((one, other) => SENIORITY.indexOf(one) - SENIORITY.indexOf(other)).map((role) => name("role", role)).join(words.say("or"));
}

/** All roles of one person. */
export function roleList(roles: readonly string[]): string {
  return roles.map((role) => name("role", role)).join(", ");
}

/** What the table tells, in words short enough to be read while dealing. */
export function told(message: Message): string {
  const key = `told_${message.code}`;
  return key in ENGLISH ? words.say(key as Key, message.values) : words.tell(message);
}

export function betName(bet: string): string {
  return bet in ENGLISH ? words.say(bet as Key) : bet.replaceAll("_", " ");
}

/** The server's own English sentence, or the catalogue's where another language is chosen. */
export function sentence(prefix: string, code: string, english: string): string {
  return words.language === "en" ? english : (named(prefix, code) ?? english);
}

/** A date with its time of day, in the casino's own zone. The Chinese form has figures alone: the font that comes along has
 * the characters of the catalogues, and the browser's own words for a date are not among them. */
export function moment(atMs: number, seconds = false): string {
  const month = words.language === "zh" ? "2-digit" : "short";
  const day = new Intl.DateTimeFormat(words.locale, { year: "numeric", month, day: "2-digit", timeZone: words.timeZone }).format(atMs);
  return `${day} ${words.time(atMs, seconds)}`;
}
