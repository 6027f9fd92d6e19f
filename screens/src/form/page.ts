// What the forms of a page have in common: a person who only reads is shown none, and none is sent while an act is under way.

import { getContext, setContext } from "svelte";

export interface FormPage {
  readonly onlyReads: boolean;
  readonly busy: boolean;
}
const KEY = Symbol("page of forms");

export function setFormPage(page: FormPage): void {
  setContext(KEY, page);
}

export function getFormPage(): FormPage {
  return getContext<FormPage | undefined>(KEY) ?? { onlyReads: false, busy: false };
}
