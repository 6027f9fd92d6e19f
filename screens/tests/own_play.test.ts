// When a patron is shown what is about the own play.

import { expect, test } from "vitest";
import { asksFor, timed } from "../src/patron/limits";
import type { TimedMessage } from "../src/wire/views";

test("time and money are acknowledged between coups, and never cover a coup in which they fall due", () => {
  const due = { check_due_ms: 1000, check_binds: false };
  expect(asksFor(due, "between_coups", () => 999)).toBe(false);
  expect(asksFor(due, "between_coups", () => 1000)).toBe(true);
  for (const phase of ["wagering", "no_more_bets", "dealing"]) expect(asksFor(due, phase, () => 5000)).toBe(false);
  expect(asksFor({ ...due, check_binds: true }, "wagering", () => 5000)).toBe(true);
  expect(asksFor({ check_due_ms: 0, check_binds: false }, "between_coups", () => 5000)).toBe(false);
});

test("a message with a time is told in its time alone", () => {
  const message = { code: "on_break", text: "", clause: "", values: {} };
  const notices: TimedMessage[] = [
    { from_ms: 10, until_ms: 20, message },
    { from_ms: 20, until_ms: null, message },
  ];
  expect([9, 10, 19, 20, 99].map((now) => timed(notices, now).length)).toEqual([0, 1, 1, 1, 1]);
});
