// All catalogues, fetched before a test begins, so that a language that is chosen is there at once.

import type { Catalogue } from "../src/catalogue/catalogue";
import { forStaff } from "../src/catalogue/for_staff";
import { LANGUAGES, type Language } from "../src/catalogue/languages";
import { words } from "../src/words/words.svelte";

await words.open(forStaff);
await Promise.all(LANGUAGES.map(({ code }) => words.fetch(code)));

export const CATALOGUES: readonly (Language & { readonly catalogue: Catalogue })[] = await Promise.all(
  LANGUAGES.map(async (language) => ({ ...language, catalogue: await forStaff(language.code) })),
);
