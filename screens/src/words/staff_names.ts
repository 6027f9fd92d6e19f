// Names of what has a code on the wire: acts, roles, facts, resolutions, kinds of things. One without a name of its own
// is shown by its code, in plain letters.

import { ROLES } from "../wire/rules";
import type { ScreenMessage } from "../wire/views";
import { words } from "./words.svelte";

function named(prefix: string, code: string): string | null {
  const key = `${prefix}_${code.replaceAll(/\W/g, "_")}`;
  return words.has(key) ? words.say(key) : null;
}

export function name(prefix: string, code: string): string {
  return named(prefix, code) ?? code.replaceAll("_", " ");
}

export function actName(verb: string): string {
  return name("act", verb);
}

export function roleNames(roles: readonly string[]): string {
  return ROLES.filter((role) => roles.includes(role)).map((role) => name("role", role)).join(words.say("or"));
}

/** All roles of one person. */
export function roleList(roles: readonly string[]): string {
  return roles.map((role) => name("role", role)).join(words.say("comma"));
}

/** What the table tells, in words short enough to be read while dealing. */
export function told(message: ScreenMessage): string {
  const key = `told_${message.code}`;
  return words.has(key) ? words.say(key, message.values) : words.tell(message);
}

export function betName(bet: string): string {
  return words.has(bet) ? words.say(bet) : bet.replaceAll("_", " ");
}

/** The server's own sentence, or the catalogue's where the page is in another language. */
export function sentence(prefix: string, code: string, servers: string): string {
  return words.inServersLanguage ? servers : (named(prefix, code) ?? servers);
}

/** A date with its time of day, in the casino's own zone, with the zone's name. */
export function moment(atMs: number, seconds = false): string {
  const { month } = words.language;
  const day = new Intl.DateTimeFormat(words.locale, { year: "numeric", month, day: "2-digit", timeZone: words.timeZone }).format(atMs);
  return words.say("moment", { day, time: words.time(atMs, seconds), zone: words.zone(atMs) });
}
