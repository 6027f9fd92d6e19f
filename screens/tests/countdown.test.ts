import { flushSync, mount, unmount } from "svelte";
import { afterEach, describe, expect, test, vi } from "vitest";
import Countdown from "../src/countdown/Countdown.svelte";
import { remaining } from "../src/countdown/countdown";

const clock = {
  at_ms: 1_000_000,
  deadline_ms: 1_030_000,
  remaining_ms: 30_000,
  period_ms: 30_000,
  stands_still: false,
  countdown_clause: "CROWN 8.2",
};

describe("the countdown", () => {
  test("counts from what was told by the page's own clock, whatever the time of day", () => {
    expect(remaining(clock, 500, 500)).toEqual({ milliseconds: 30_000, seconds: 30, share: 1, urgency: "calm" });
    expect(remaining(clock, 500, 15_500)).toMatchObject({ milliseconds: 15_000, seconds: 15, share: 0.5 });
  });
  test("shows 1 until the very end and 0 only when it is over", () => {
    expect(remaining(clock, 0, 29_999)?.seconds).toBe(1);
    expect(remaining(clock, 0, 30_000)?.seconds).toBe(0);
    expect(remaining(clock, 0, 99_000)?.milliseconds).toBe(0);
  });
  test("turns amber at ten seconds and red at five", () => {
    expect(remaining(clock, 0, 19_999)?.urgency).toBe("calm");
    expect(remaining(clock, 0, 20_000)?.urgency).toBe("soon");
    expect(remaining(clock, 0, 25_000)?.urgency).toBe("now");
  });
  test("stands still while the accounts are frozen", () => {
    expect(remaining({ ...clock, stands_still: true }, 0, 12_000)?.milliseconds).toBe(30_000);
  });
  test("is not there while nothing can be wagered", () => {
    expect(remaining({ ...clock, remaining_ms: null }, 0, 0)).toBeNull();
  });
});

describe("the digits", () => {
  afterEach(() => void vi.useRealTimers());

  test("change when a second is over, and nothing is drawn between", () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const shown = mount(Countdown, { target: document.body, props: { clock: { ...clock, remaining_ms: 3_400 }, toldAt: performance.now() } });
    const seen: string[] = [];
    for (let passed = 0; passed < 40; passed += 1) {
      flushSync();
      seen.push(document.querySelector(".digits")?.textContent ?? "");
      vi.advanceTimersByTime(100);
    }
    expect([seen[0], seen[5], seen[15], seen[25], seen[36]]).toEqual(["4", "3", "2", "1", "0"]);
    expect(seen.filter((digits, place) => place > 0 && digits !== seen[place - 1])).toEqual(["3", "2", "1", "0"]);
    expect(vi.getTimerCount()).toBe(0);
    void unmount(shown);
  });
});
