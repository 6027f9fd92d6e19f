// The English catalogue. The server's own sentences are English, so refusals and the words of rule sets stand as they come;
// a refusal with a time is filled here, since the page knows the time of day in the table's zone.

import { REFUSALS } from "../../wire/refusals";
import { TOLD } from "../../wire/told";
import type { Catalogue } from "../catalogue";
import { PAGES } from "./pages";
import { STAFF } from "./staff";
import { TOURNAMENT } from "./tournament";

export default {
  words: { ...PAGES, ...STAFF, ...TOURNAMENT },
  told: TOLD,
  refusals: { notice_too_short: REFUSALS.notice_too_short, sign_due: REFUSALS.sign_due[0] },
  terms: {},
  question: { station: /\bstation\s+([\w.-]+)/i, coup: /\bcoup\s+(\d+)/i, table: /\btable\s+([\w.-]+)/i },
} satisfies Catalogue;
