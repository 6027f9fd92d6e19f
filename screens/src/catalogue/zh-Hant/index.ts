// The Traditional Chinese catalogue.

import type { Catalogue } from "../catalogue";
import { PAGES } from "./pages";
import { TO_PATRONS, TO_STAFF } from "./refusals";
import { STAFF } from "./staff";
import { TERMS } from "./terms";
import { TOLD } from "./told";
import { TOURNAMENT } from "./tournament";

export default {
  words: { ...PAGES, ...STAFF, ...TOURNAMENT },
  told: TOLD,
  refusals: { ...TO_STAFF, ...TO_PATRONS },
  terms: TERMS,
  question: { station: /投注機\s*([\w.-]+)/, coup: /第\s*(\d+)\s*局/, table: /檯\s*([\w.-]+)/ },
} satisfies Catalogue;
