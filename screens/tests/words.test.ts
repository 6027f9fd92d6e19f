import { afterEach, describe, expect, test } from "vitest";
import { TOLD } from "../src/wire/told";
import { CHINESE, CHINESE_TOLD } from "../src/words/chinese";
import { ENGLISH } from "../src/words/english";
import { odds } from "../src/words/odds";
import { words } from "../src/words/words.svelte";

const gaps = (sentence: string): string[] => [...sentence.matchAll(/\{(\w+)\}/g)].map(([gap]) => gap).sort();

afterEach(() => {
  if (words.language === "zh") words.switch();
});

describe("the catalogues", () => {
  test.each([
    ["the pages' own words", ENGLISH, CHINESE],
    ["what the server tells", TOLD, CHINESE_TOLD],
  ] as [string, Record<string, string>, Record<string, string>][])("%s have the same figures in both languages", (_, english, chinese) => {
    for (const [key, sentence] of Object.entries(english)) {
      expect([key, gaps(chinese[key] ?? "")]).toEqual([key, gaps(sentence)]);
    }
  });
});

describe("words", () => {
  test("money has two digits and the locale's separators, and chips no idle zeros", () => {
    expect([words.money(123_456_50), words.amount(100_000), words.amount(250)]).toEqual(["123,456.50", "1,000", "2.50"]);
  });
  test("a message is told with money, times of the table's zone and the names of bets", () => {
    words.timeZone = "Australia/Melbourne";
    const values = { bet: "tie", title: "Tie", from_ms: Date.UTC(2026, 0, 1, 9, 40), minimum_cents: 5_000 };
    const message = { code: "minimum_rises", text: "", clause: "", values };
    expect(words.tell(message)).toBe("The minimum on Tie becomes 50.00 at 20:40");
    words.switch();
    expect(words.tell(message)).toBe("和 的最低投注将于 20:40 改为 50.00");
  });
  test("a message that no catalogue knows is shown as the server put it", () => {
    words.switch();
    expect(words.tell({ code: "never heard of", text: "As it is", clause: "", values: {} })).toBe("As it is");
  });
  test("odds are told the way round that each language has them", () => {
    expect(odds("6 to 1 – 25 to 1")).toBe("6 to 1 – 25 to 1");
    words.switch();
    expect(odds("6 to 1 – 25 to 1")).toBe("1 赔 6 – 1 赔 25");
  });
  test("the choice of a language is kept", () => {
    words.switch();
    expect(localStorage.getItem("sabot language")).toBe("zh");
  });
});
