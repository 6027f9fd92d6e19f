// The Simplified Chinese catalogue.

import type { Catalogue } from "../catalogue";
import { EVENTS } from "./events";
import patrons from "./patrons";
import { TO_STAFF } from "./refusals";
import { STAFF } from "./staff";

export default {
  ...patrons,
  events: EVENTS,
  words: { ...patrons.words, ...STAFF },
  refusals: { ...TO_STAFF, ...patrons.refusals },
} satisfies Catalogue;
