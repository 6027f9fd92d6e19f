// What a catalogue has to hold, in every language with the same keys.

import type { EVENTS } from "../wire/events";
import type { LIGHTS } from "../wire/lights";
import type { REFUSALS } from "../wire/refusals";
import type { TOLD } from "../wire/told";
import type { CARE } from "./en/care";
import type { PAGES } from "./en/pages";
import type { PIT } from "./en/pit";
import type { REPORT_WORDS } from "./en/reports";
import type { SCHOOL } from "./en/school";
import type { STAFF } from "./en/staff";
import type { TOURNAMENT } from "./en/tournament";

export type PageWords = Readonly<Record<keyof typeof PAGES, string>>;
export type CareWords = Readonly<Record<keyof typeof CARE, string>>;
export type PitWords = Readonly<Record<keyof typeof PIT, string>>;
export type StaffWords = Readonly<Record<keyof typeof STAFF, string>>;
export type ReportWords = Readonly<Record<keyof typeof REPORT_WORDS, string>>;
export type SchoolWords = Readonly<Record<keyof typeof SCHOOL, string>>;
export type ToldWords = Readonly<Record<keyof typeof TOLD, string>>;
/** What a page itself says when it cannot ask, beside what the server refuses by. */
export type RefusalCode = keyof typeof REFUSALS | "unreachable";
/** Several sentences where tables, house and tournaments refuse by the same code with other figures, in the server's order. */
export type RefusalWords = Readonly<Partial<Record<RefusalCode, string | readonly string[]>>>;
export type TournamentWords = Readonly<Record<keyof typeof TOURNAMENT, string>>;
export type Key = keyof PageWords | keyof CareWords | keyof StaffWords | keyof ReportWords | keyof SchoolWords | keyof PitWords | keyof TournamentWords;
/** What stands between the parts of a list. */
type Between = `list_${"comma" | "semicolon" | "and" | "and_all" | "spaced" | "joined"}`;
export type EventWords = Readonly<Record<keyof typeof EVENTS | Between, string>>;
export type LightWords = Readonly<Record<keyof typeof LIGHTS, string>>;
/** Where a key is missing, the server's own words stand. */
export type Glossary = Readonly<Record<string, string>>;

/** What the patrons' pages need. */
export interface PatronCatalogue {
  /** The pages' own words. */
  readonly words: PageWords & CareWords & TournamentWords;
  /** The server's messages, by their codes. */
  readonly told: ToldWords;
  /** Refusals, by their codes; where one is missing, the server's own words stand. */
  readonly refusals: RefusalWords;
  /** Names of rule sets by their codes, and the words that rule sets prescribe by the form in which the server says them. */
  readonly terms: Glossary;
  /** Reasons that the server has put into words itself, by their English form. */
  readonly reasons: Glossary;
}

/** The same with what staff are told. */
export interface Catalogue extends PatronCatalogue {
  readonly words: PageWords & CareWords & TournamentWords & StaffWords & ReportWords & SchoolWords & PitWords;
  /** What is on record; nothing in the language in which the server itself speaks. */
  readonly events: EventWords | null;
  /** What the lights of integrity say. */
  readonly lights: LightWords;
}
