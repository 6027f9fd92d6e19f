// A pad on the screen for every field that is touched, on any page that calls this once. A keyboard goes on working beside it.

import { mount, unmount } from "svelte";
import { chosenBy, fieldAt, isShownFor, padOf, takeBack, typeInto, type TypedField } from "./fields";
import Keypad from "./Keypad.svelte";

interface Shown {
  readonly field: TypedField;
  /** Where the pad stands: a sheet that is open makes everything outside it unreachable. */
  readonly host: HTMLElement;
  readonly pad: HTMLElement;
  readonly before: string;
  readonly component: object;
}

let shown: Shown | null = null;
/** The input modes of fields whose device's own keyboard is kept away, as the page wrote them. */
const modes = new Map<TypedField, string>();
const HEIGHT = "--keypad";

export function offerKeypads(): void {
  const chosen = chosenBy(location.search);
  const meant = (event: Event & { pointerType?: string }): TypedField | null => (isShownFor(event.pointerType ?? "", chosen) ? fieldAt(event.target) : null);
  // The device's own keyboard would come with the focus, which is before the click.
  document.addEventListener("pointerdown", (event) => {
    const field = meant(event);
    if (field === null || modes.has(field)) return;
    modes.set(field, field.inputMode);
    field.inputMode = "none";
  });
  // The page moves when a pad is shown: the touch must be over by then.
  document.addEventListener("click", (event) => {
    const field = meant(event);
    if (field !== null) show(field);
  });
  document.addEventListener("focusin", ({ target }) => {
    if (shown !== null && target !== shown.field && !shown.pad.contains(target as Node)) hide();
  });
}

function show(field: TypedField): void {
  if (shown?.field === field) return;
  hide();
  const host = field.closest("dialog") ?? document.body;
  const pad = document.createElement("div");
  host.append(pad);
  const kind = padOf({ type: field.type, inputMode: modes.get(field) ?? field.inputMode });
  const props = {
    kind,
    ontype: (text: string) => act(() => typeInto(field, text)),
    onback: () => act(() => takeBack(field)),
    ondone: () => {
      hide();
      if (kind === "pin") field.form?.requestSubmit();
    },
    onown: () => {
      hide();
      field.blur();
      field.focus();
    },
  };
  shown = { field, host, pad, before: field.value, component: mount(Keypad, { target: pad, props }) };
  field.addEventListener("focusout", left);
  host.style.setProperty(HEIGHT, `${pad.firstElementChild?.clientHeight ?? 0}px`);
  field.focus({ preventScroll: true });
  requestAnimationFrame(() => field.scrollIntoView({ block: "center" }));
}

function act(key: () => void): void {
  const { field } = shown!;
  if (!field.isConnected) return hide();
  field.focus({ preventScroll: true });
  key();
}

/** Only to a place outside: the pad itself leaves the field in focus. */
function left({ relatedTarget }: Event & { relatedTarget?: EventTarget | null }): void {
  if (!(relatedTarget instanceof Node && shown?.pad.contains(relatedTarget))) hide();
}

function hide(): void {
  if (shown === null) return;
  const { field, host, pad, before, component } = shown;
  shown = null;
  field.removeEventListener("focusout", left);
  field.inputMode = modes.get(field) ?? "";
  modes.delete(field);
  host.style.removeProperty(HEIGHT);
  void unmount(component);
  pad.remove();
  // A browser tells of a change only where a keyboard made it.
  if (field.isConnected && field.value !== before) field.dispatchEvent(new Event("change", { bubbles: true }));
}
