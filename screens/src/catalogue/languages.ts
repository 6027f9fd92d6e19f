// The languages of the pages. languages.json lists them in the order in which they are offered; the catalogue of each is in
// the folder named by its code, and a page fetches it when the language is chosen.

import listed from "./languages.json";

export interface Language {
  /** What a device keeps of the choice, and the name of the catalogue's folder. */
  readonly code: string;
  /** The `lang` attribute, and the form of numbers and dates. */
  readonly locale: string;
  /** What the language calls itself, in full and as a mark on a button. */
  readonly name: string;
  readonly mark: string;
  /** How a date writes its month: in figures, where the font has no letters but those of the catalogue. */
  readonly month: "short" | "2-digit";
  /** How a question to the records names a station, a coup and a table; the first group is the name. */
  readonly question: Readonly<Record<"station" | "coup" | "table", string>>;
}

export const LANGUAGES: readonly Language[] = listed.map((entry) => ({ ...entry, month: entry.month as Language["month"] }));
/** The language of the server's own sentences, and of a page where nobody has chosen. */
export const FIRST: Language = LANGUAGES[0]!;
