// The Traditional Chinese catalogue.

import type { Catalogue } from "../catalogue";
import { EVENTS } from "./events";
import { LIGHTS } from "./lights";
import patrons from "./patrons";
import { PIT } from "./pit";
import { TO_STAFF, WHY } from "./refusals";
import { REPORT_WORDS } from "./reports";
import { SCHOOL } from "./school";
import { STAFF } from "./staff";

export default {
  ...patrons,
  events: EVENTS,
  lights: LIGHTS,
  words: { ...patrons.words, ...STAFF, ...REPORT_WORDS, ...SCHOOL, ...PIT },
  reasons: { ...patrons.reasons, ...WHY },
  refusals: { ...TO_STAFF, ...patrons.refusals },
} satisfies Catalogue;
