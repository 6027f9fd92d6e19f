// A record in the language of the page. Names, amounts and codes stand in its gaps; what people typed stays as it is.

import type { EventWords, LightWords } from "../catalogue/catalogue";
import type { Phrase, RecordStory } from "../wire/web";
import { words } from "../words/words.svelte";

type Value = string | number | Phrase;
const SIGNED = new Set(["change_cents", "difference_cents", "net_cents"]);

export function sentencesOf({ sentences, phrases, refused }: RecordStory): readonly string[] {
  const catalogue = words.events;
  if (catalogue === null) return sentences;
  if (refused !== null) return [words.say("refused_record", { why: words.refuse(refused), clause: refused.clause })];
  return phrases.map((phrase) => told(phrase, catalogue));
}

/** What a light of integrity says. */
export function lightText(phrase: Phrase): string {
  return told(phrase, words.lights);
}

function told({ code, values = {}, parts = [] }: Phrase, catalogue: EventWords | LightWords): string {
  const sentence = (catalogue as Readonly<Record<string, string>>)[code] ?? code;
  if (parts.length > 0) return parts.map((part) => shown("", part, catalogue)).join(sentence);
  const filled = Object.entries(values).map(([name, value]) => [name, shown(name, value, catalogue)] as const);
  return words.fill(sentence, Object.fromEntries(filled));
}

function shown(name: string, value: Value, catalogue: EventWords | LightWords): string | number {
  if (typeof value === "object") return told(value, catalogue);
  if (typeof value === "string") return value;
  if (SIGNED.has(name)) return words.signed(value);
  return name === "cents" ? words.money(value) : value;
}
