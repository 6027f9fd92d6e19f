// What the patrons' pages say in English. The server's own sentences are English, so refusals without a time and the
// words of rule sets stand as they come.

import { TOLD } from "../../wire/told";
import type { PatronCatalogue } from "../catalogue";
import { CARE } from "./care";
import { PAGES } from "./pages";
import { TO_PATRONS } from "./patron_refusals";
import { TOURNAMENT } from "./tournament";

export default {
  words: { ...PAGES, ...CARE, ...TOURNAMENT },
  told: TOLD,
  refusals: TO_PATRONS,
  terms: {},
  reasons: {},
} satisfies PatronCatalogue;
