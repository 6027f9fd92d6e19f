// What the patrons' pages say in Simplified Chinese.

import type { PatronCatalogue } from "../catalogue";
import { CARE } from "./care";
import { PAGES } from "./pages";
import { TO_PATRONS } from "./patron_refusals";
import { REASONS } from "./reasons";
import { TERMS } from "./terms";
import { TOLD } from "./told";
import { TOURNAMENT } from "./tournament";

export default {
  words: { ...PAGES, ...CARE, ...TOURNAMENT },
  told: TOLD,
  refusals: TO_PATRONS,
  terms: TERMS,
  reasons: REASONS,
} satisfies PatronCatalogue;
