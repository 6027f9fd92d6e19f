// What the patrons' pages say in English. The server's own sentences are English, so refusals and the words of rule sets
// stand as they come.

import { TOLD } from "../../wire/told";
import type { PatronCatalogue } from "../catalogue";
import { PAGES } from "./pages";
import { TOURNAMENT } from "./tournament";

export default {
  words: { ...PAGES, ...TOURNAMENT },
  told: TOLD,
  refusals: {},
  terms: {},
  reasons: {},
} satisfies PatronCatalogue;
