// What a clause is about, by how its name begins; the longest beginning counts.

import type { Key } from "../catalogue/catalogue";
import { TOPICS } from "../catalogue/topics";
import { READINGS } from "../wire/readings";

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
  const about = found(reading) ?? found((READINGS as Readonly<Record<string, string>>)[reading] ?? "");
  return { key: about?.key ?? "topic_house", read: about !== null };
}

function found(clause: string): Topic | null {
  const plain = clause.replace(/^(?:MBS|RWS)-HOUSE/, "HOUSE").replace(/^MBS-\w+/, "MBS");
  const beginning = BEGINNINGS.find((one) => plain.startsWith(one) && !/^[\d]/.test(plain.slice(one.length)));
  return beginning === undefined ? null : { key: TOPICS[beginning]!, read: false };
}
