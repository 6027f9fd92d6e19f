import { describe, expect, test } from "vitest";
import { quickAmounts } from "../src/form/field";
import { fieldAt, isShownFor, padOf, takeBack, typeInto } from "../src/keypad/fields";

function field(attributes: Readonly<Record<string, string>> = {}): HTMLInputElement {
  const made = document.createElement("input");
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

describe("keys on the screen", () => {
  test("are those that a field asks for", () => {
    expect(padOf(field({ type: "password", inputmode: "numeric" }))).toBe("pin");
    expect(padOf(field({ inputmode: "decimal" }))).toBe("amount");
    expect(padOf(field({ inputmode: "numeric" }))).toBe("number");
    expect(padOf(field())).toBe("text");
  });
  test("are not for fields that nobody types into", () => {
    for (const type of ["checkbox", "time", "datetime-local", "file"]) expect(fieldAt(field({ type }))).toBeNull();
    expect(fieldAt(field({ disabled: "" }))).toBeNull();
    expect(fieldAt(null)).toBeNull();
  });
  test("write where the caret stands, tell the page of it, and stop where the field is full", () => {
    const typed = field({ maxlength: "4" });
    let told = 0;
    typed.addEventListener("input", () => (told += 1));
    for (const key of ["1", "00", "5", "6"]) typeInto(typed, key);
    expect([typed.value, told]).toEqual(["1005", 3]);
    takeBack(typed);
    expect(typed.value).toBe("100");
  });
  test("come by touch, or as the device was told", () => {
    expect(isShownFor("mouse", "always")).toBe(true);
    expect(isShownFor("mouse", "touch")).toBe(false);
    expect(isShownFor("touch", "never")).toBe(false);
  });
});

test("quick amounts are round, and begin at the middle chip of the table", () => {
  expect(quickAmounts([500, 2_500, 10_000, 50_000, 100_000])).toEqual([10_000, 50_000, 100_000, 500_000, 1_000_000]);
  expect(quickAmounts([100, 500, 2_500])[0]).toBe(500);
});
