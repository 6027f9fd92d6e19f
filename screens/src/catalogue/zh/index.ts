// The Simplified Chinese catalogue.

import type { Catalogue } from "../catalogue";
import { EVENTS } from "./events";
import patrons from "./patrons";
import { PIT } from "./pit";
import { TO_STAFF, WHY } from "./refusals";
import { SCHOOL } from "./school";
import { STAFF } from "./staff";

export default {
  ...patrons,
  events: EVENTS,
  words: { ...patrons.words, ...STAFF, ...SCHOOL, ...PIT },
  reasons: { ...patrons.reasons, ...WHY },
  refusals: { ...TO_STAFF, ...patrons.refusals },
} satisfies Catalogue;
