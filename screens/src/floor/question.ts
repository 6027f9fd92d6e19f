// "What happened to station A12 in coup 30?" as something that can be looked up.

import { LANGUAGES } from "../catalogue/languages";

export interface Sought {
  readonly station: string;
  readonly coup: string;
  readonly table: string;
}

/** What a question names, in any language; a name that is missing from it is empty. */
export function readQuestion(question: string): Sought {
  const named = (what: keyof Sought): string => LANGUAGES.map((one) => new RegExp(one.question[what], "i").exec(question)?.[1]).find((found) => found !== undefined) ?? "";
  return { station: named("station"), coup: named("coup"), table: named("table") };
}
