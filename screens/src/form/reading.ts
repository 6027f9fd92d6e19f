// Whether a page offers acts at all: a person who only reads is shown no form.

import { getContext, setContext } from "svelte";

const KEY = Symbol("only reads");

export function setOnlyReads(onlyReads: () => boolean): void {
  setContext(KEY, onlyReads);
}

export function getOnlyReads(): () => boolean {
  return getContext<(() => boolean) | undefined>(KEY) ?? (() => false);
}
