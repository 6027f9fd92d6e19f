import { expect, test } from "vitest";
import { waitBefore } from "../src/link/backoff";

test("the wait doubles from 0.2 s to 3 s, and is anything below that", () => {
  const longest = Array.from({ length: 7 }, (_, attempt) => waitBefore(attempt, () => 1));
  expect(longest).toEqual([200, 400, 800, 1600, 3000, 3000, 3000]);
  expect(waitBefore(6, () => 0)).toBe(0);
});
