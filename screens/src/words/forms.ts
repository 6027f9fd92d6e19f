// Sentences with gaps, and the recognition of one by its form.

export type Values = Readonly<Record<string, string | number>>;

/** The names of the figures that a sentence has room for. */
export function gapsOf(sentence: string): readonly string[] {
  return [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/** Sentences that are found by the form of another language, with what stands in its gaps. */
export class Forms {
  readonly #whole: ReadonlyMap<string, string>;
  readonly #withGaps: readonly (readonly [RegExp, string])[];

  constructor(glossary: Values) {
    const entries = Object.entries(glossary).map(([form, sentence]) => [form, String(sentence)] as const);
    this.#whole = new Map(entries.filter(([form]) => gapsOf(form).length === 0));
    this.#withGaps = entries.filter(([form]) => gapsOf(form).length > 0).map(([form, sentence]) => [asPattern(form), sentence]);
  }

  find(text: string, fill: (sentence: string, values: Values) => string): string | null {
    const whole = this.#whole.get(text);
    if (whole !== undefined) return whole;
    for (const [pattern, sentence] of this.#withGaps) {
      const match = pattern.exec(text);
      if (match !== null) return fill(sentence, { ...match.groups });
    }
    return null;
  }
}

const made = new WeakMap<object, Forms>();

export function formsOf(glossary: Values): Forms {
  const forms = made.get(glossary) ?? new Forms(glossary);
  made.set(glossary, forms);
  return forms;
}

function asPattern(form: string): RegExp {
  const parts = form.split(/\{(\w+)\}/).map((part, place) => (place % 2 === 0 ? part.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`) : `(?<${part}>.+?)`));
  return new RegExp(`^${parts.join("")}$`);
}
