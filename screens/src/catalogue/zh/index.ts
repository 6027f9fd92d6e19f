// The Simplified Chinese catalogue.

import type { Catalogue } from "../catalogue";
import patrons from "./patrons";
import { TO_STAFF } from "./refusals";
import { STAFF } from "./staff";

export default {
  ...patrons,
  words: { ...patrons.words, ...STAFF },
  refusals: { ...TO_STAFF, ...patrons.refusals },
} satisfies Catalogue;
