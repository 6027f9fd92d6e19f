// What the forms of a page have in common: a person who only reads is shown none, and none is sent while an act is under way.

import type { Refused } from "../wire/frames";
import { getContext, setContext } from "svelte";

export interface FormPage {
  readonly onlyReads: boolean;
  readonly busy: boolean;
  /** Why the newest act was refused, where a form says it itself. */
  readonly refusal?: Refused | null;
  /** Say that a form shows this refusal. */
  readonly claim?: (refusal: Refused) => void;
}
const KEY = Symbol("page of forms");

export function setFormPage(page: FormPage): void {
  setContext(KEY, page);
}

export function getFormPage(): FormPage {
  return getContext<FormPage | undefined>(KEY) ?? { onlyReads: false, busy: false };
}
