// What clauses are about, by how their names begin; the longest beginning counts.

import type { Key } from "../catalogue/catalogue";
import { READINGS } from "../wire/readings";

const TOPICS: Readonly<Record<string, Key>> = {
  "CROWN 1": "topic_meanings",
  "CROWN 1.2": "topic_dealing",
  "CROWN 1.5": "topic_account",
  "CROWN 1.6": "topic_dealing",
  "CROWN 2": "topic_layout",
  "CROWN Diagram": "topic_layout",
  "CROWN 3": "topic_cards",
  "CROWN 3.5": "topic_shuffle",
  "CROWN 3.6": "topic_shuffle",
  "CROWN 3.7": "topic_cut",
  "CROWN 3.8": "topic_burn",
  "CROWN 3.9": "topic_last_coup",
  "CROWN 4": "topic_wagers",
  "CROWN 4.4": "topic_conduct",
  "CROWN 4.5": "topic_conduct",
  "CROWN 4.6": "topic_period",
  "CROWN 4.7": "topic_period",
  "CROWN 4.11": "topic_side_wagers",
  "CROWN 5": "topic_limits",
  "CROWN 6": "topic_account",
  "CROWN 6.2": "topic_buy_in",
  "CROWN 6.3": "topic_buy_in",
  "CROWN 6.4": "topic_buy_in",
  "CROWN 6.5": "topic_buy_in",
  "CROWN 6.6": "topic_leaving",
  "CROWN 6.7": "topic_leaving",
  "CROWN 7": "topic_rules_shown",
  "CROWN 8": "topic_period",
  "CROWN 8.3": "topic_dealing",
  "CROWN 8.4": "topic_dealing",
  "CROWN 9": "topic_third_cards",
  "CROWN 10": "topic_pays",
  "CROWN 11": "topic_mistakes",
  "CROWN 11.10": "topic_void",
  "CROWN 11.11": "topic_wrong_result",
  "CROWN 11.12": "topic_query",
  "CROWN 11.14": "topic_failure",
  "CROWN 11.15": "topic_failure",
  "CROWN 11.16": "topic_failure",
  "CROWN 12": "topic_tournaments",
  "CROWN 13": "topic_conduct",
  "CROWN 13.3": "topic_void",
  "CROWN 13.4": "topic_void",
  "CROWN 13.7": "topic_closing",
  "CROWN 13.8": "topic_idle",
  "CROWN 13.9": "topic_disputes",
  "CROWN 13.10": "topic_disputes",
  "CROWN 13.11": "topic_disputes",
  "CROWN 13.13": "topic_copies",
  "MBS 1": "topic_meanings",
  "MBS 2": "topic_layout",
  "MBS Diagrams": "topic_layout",
  "MBS 2.1": "topic_cards",
  "MBS 3": "topic_dealing",
  "MBS 3.1": "topic_period",
  "MBS 3.2": "topic_period",
  "MBS 3.3": "topic_cards",
  "MBS 3.4": "topic_cards",
  "MBS 3.5": "topic_wagers",
  "MBS 3.9": "topic_third_cards",
  "MBS 3.10": "topic_pays",
  "MBS 4": "topic_pays",
  "MBS 5": "topic_mistakes",
  "MBS 5.6": "topic_period",
  "MBS 5.7": "topic_period",
  "RWS 1": "topic_meanings",
  "RWS 2.1": "topic_layout",
  "RWS 2.2": "topic_cards",
  "RWS 3": "topic_dealing",
  "RWS 3.1": "topic_period",
  "RWS 3.2": "topic_period",
  "RWS 3.3": "topic_wagers",
  "RWS 3.5": "topic_third_cards",
  "RWS 3.6": "topic_third_cards",
  "RWS 3.7": "topic_cards",
  "RWS 3.8": "topic_pays",
  "RWS 4": "topic_pays",
  "RWS 5": "topic_mistakes",
};
const BEGINNINGS = Object.keys(TOPICS).toSorted((one, other) => other.length - one.length);

export interface Topic {
  readonly key: Key;
  /** Whether it is the house's own reading of a rule. */
  readonly read: boolean;
}

/** Of a clause of a document, or of a reading of one; nothing where the document is not a shipped one. */
export function topicOf(clause: string): Topic | null {
  const [, reading] = /^(G-\d+)/.exec(clause) ?? [];
  if (reading === undefined) return found(clause);
  const about = found((READINGS as Readonly<Record<string, string>>)[reading] ?? "");
  return { key: about?.key ?? "topic_house", read: about !== null };
}

function found(clause: string): Topic | null {
  const plain = clause.replace(/^MBS-\w+/, "MBS");
  const beginning = BEGINNINGS.find((one) => plain.startsWith(one) && !/^[\d]/.test(plain.slice(one.length)));
  return beginning === undefined ? null : { key: TOPICS[beginning]!, read: false };
}
