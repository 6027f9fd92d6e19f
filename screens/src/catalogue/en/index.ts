// The English catalogue. A refusal with a time is filled here, since the page knows the time of day in the table's zone.

import { LIGHTS } from "../../wire/lights";
import { REFUSALS } from "../../wire/refusals";
import type { Catalogue } from "../catalogue";
import patrons from "./patrons";
import { PIT } from "./pit";
import { REPORT_WORDS } from "./reports";
import { SCHOOL } from "./school";
import { STAFF } from "./staff";

export default {
  ...patrons,
  events: null,
  lights: LIGHTS,
  words: { ...patrons.words, ...STAFF, ...REPORT_WORDS, ...SCHOOL, ...PIT },
  refusals: { ...patrons.refusals, notice_too_short: REFUSALS.notice_too_short, sign_due: REFUSALS.sign_due[0] },
} satisfies Catalogue;
