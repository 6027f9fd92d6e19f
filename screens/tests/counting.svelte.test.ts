import { flushSync } from "svelte";
import { afterEach, expect, test, vi } from "vitest";
import { Counting } from "../src/station/counting.svelte";

afterEach(() => void vi.useRealTimers());

test("a balance that rises is counted up to its new figure, and one that falls is there at once", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  let cents = $state(47_500);
  let counting: Counting | undefined;
  const end = $effect.root(() => {
    counting = new Counting(() => cents);
  });
  flushSync();
  cents = 57_500;
  flushSync();
  expect(counting?.shown).toBe(47_500);
  for (let step = 0; step < 5; step += 1) {
    vi.advanceTimersByTime(70);
    flushSync();
  }
  expect(counting?.shown).toBe(52_500);
  for (let step = 0; step < 5; step += 1) {
    vi.advanceTimersByTime(70);
    flushSync();
  }
  expect(counting?.shown).toBe(57_500);
  cents = 55_000;
  flushSync();
  expect(counting?.shown).toBe(55_000);
  end();
});
