// Which pad a field wants, when a device is shown one, and how keys write into the field.

export type Pad = "pin" | "number" | "amount" | "text";
export type TypedField = HTMLInputElement | HTMLTextAreaElement;

const KEPT_UNDER = "sabot keypad";
const TYPED = new Set(["text", "password", "search", "tel"]);
/** Longer texts are files, which nobody types by touch. */
const LONGEST = 1_000;
/** On a phone the keyboard of the phone is the better one. */
const PHONE = "(max-width: 599px), (max-height: 479px)";

/** `?keypad=always` or `?keypad=never` in the address is kept by the device; `?keypad=touch` is as without. */
export function chosenBy(search: string): string {
  const asked = new URLSearchParams(search).get("keypad");
  if (asked !== null) localStorage.setItem(KEPT_UNDER, asked);
  return localStorage.getItem(KEPT_UNDER) ?? "touch";
}

export function isShownFor(pointer: string, chosen: string): boolean {
  if (chosen === "always" || chosen === "never") return chosen === "always";
  return pointer === "touch" && !matchMedia(PHONE).matches;
}

/** The field that a touch is meant for: itself, or that of its label. */
export function fieldAt(target: EventTarget | null): TypedField | null {
  if (!(target instanceof Element)) return null;
  const touched = target.closest("input, textarea, label, button, select");
  const field = touched instanceof HTMLLabelElement ? touched.control : touched;
  if (!(field instanceof HTMLTextAreaElement) && !(field instanceof HTMLInputElement && TYPED.has(field.type))) return null;
  return field.disabled || field.readOnly || field.maxLength > LONGEST ? null : field;
}

export function padOf({ type, inputMode }: Readonly<Pick<TypedField, "type" | "inputMode">>): Pad {
  if (type === "password") return "pin";
  if (inputMode === "decimal") return "amount";
  return inputMode === "numeric" ? "number" : "text";
}

/** In place of what is marked, or where the caret stands; nothing where the field is full. */
export function typeInto(field: TypedField, text: string): void {
  const { selectionStart, selectionEnd, value } = field;
  const from = selectionStart ?? value.length;
  const to = selectionEnd ?? value.length;
  if (field.maxLength >= 0 && value.length - (to - from) + text.length > field.maxLength) return;
  field.setRangeText(text, from, to, "end");
  tell(field);
}

export function takeBack(field: TypedField): void {
  const to = field.selectionEnd ?? field.value.length;
  const from = field.selectionStart === to ? Math.max(0, to - 1) : (field.selectionStart ?? to);
  if (from === to) return;
  field.setRangeText("", from, to, "end");
  tell(field);
}

function tell(field: TypedField): void {
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
