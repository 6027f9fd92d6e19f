import { afterEach, describe, expect, test } from "vitest";
import type { Glossary } from "../src/catalogue/catalogue";
import { FIRST, LANGUAGES } from "../src/catalogue/languages";
import { CATALOGUES } from "./catalogues";
import { readQuestion } from "../src/floor/question";
import { REFUSALS } from "../src/wire/refusals";
import { gapsOf } from "../src/words/forms";
import { words } from "../src/words/words.svelte";

const gaps = (sentence: string): string[] => [...gapsOf(sentence)].sort();
/** Figures that are sentences of the server's own language. */
const IN_ONE_LANGUAGE = new Set(["why", "what", "how"]);
/** The figures of a refusal, by its code, from table, house, stamper or web. */
const formsOf = (code: string): readonly string[] => (code in REFUSALS ? REFUSALS[code as keyof typeof REFUSALS] : []);
const figuresOf = (code: string): string[] => {
  const [first = [], ...others] = formsOf(code).map((sentence) => [...new Set(gaps(sentence))]);
  return first.filter((name) => others.every((other) => other.includes(name)));
};

afterEach(() => {
  words.choose(FIRST.code);
});

describe.each(CATALOGUES)("the catalogue of $code", ({ catalogue, locale, month }) => {
  test.each(["words", "told"] as const)("has the same keys and figures as the first in its %s", (part) => {
    const figures = (sentences: Glossary): unknown => Object.fromEntries(Object.entries(sentences).map(([key, sentence]) => [key, gaps(sentence)]));
    expect(figures(catalogue[part])).toEqual(figures(CATALOGUES[0]!.catalogue[part]));
    expect(Object.values(catalogue[part]).every((sentence) => sentence.trim() !== "")).toBe(true);
  });
  test("has all letters that a date is written with", () => {
    const dates = [...Array(12).keys()].map((number) => new Intl.DateTimeFormat(locale, { year: "numeric", month, day: "2-digit" }).format(Date.UTC(2026, number, 28)));
    expect(dates.filter((date) => !/^[\x20-\x7f]+$/.test(date))).toEqual([]);
  });
  test("has its own example of a question understood", () => {
    expect(readQuestion(catalogue.words.question_example)).toEqual({ station: "A12", coup: "30", table: "" });
  });
});

test.each(CATALOGUES.slice(1))("every refusal in $code says the figures that the server gives, and no others", ({ catalogue }) => {
  const sentences: Readonly<Record<string, string | readonly string[]>> = catalogue.refusals;
  const told = (names: string[]): string[] => names.filter((name) => !IN_ONE_LANGUAGE.has(name));
  for (const [code, said] of Object.entries(sentences)) {
    const distinct = (sentence: string): string[] => [...new Set(gaps(sentence))];
    if (typeof said === "string") expect([code, distinct(said)]).toEqual([code, told(figuresOf(code))]);
    else expect([code, said.map(distinct)]).toEqual([code, formsOf(code).map((form) => told(distinct(form)))]);
  }
});

test.each(["refusals", "terms"] as const)("all languages but the server's own translate the same %s", (part) => {
  const [first, ...others] = CATALOGUES.slice(1).map(({ catalogue }) => Object.keys(catalogue[part]).sort());
  for (const other of others) expect(other).toEqual(first);
});

test.each(CATALOGUES)("a refusal inside a message is said in $code, with its figures", ({ code, catalogue }) => {
  words.choose(code);
  const values = { ticket: "123", refusal: "ticket_void", said: "ticket 123 has been voided" };
  const why = code === FIRST.code ? values.said : (catalogue.refusals.ticket_void as string).replace("{ticket}", "123");
  const told = words.tell({ code: "ticket_given_back", text: "", clause: "", values });
  expect(told).toBe(catalogue.told.ticket_given_back.replace("{said}", why));
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
    words.choose("zh");
    expect(words.tell(message)).toBe("和 的最低投注将于 20:40 改为 50.00");
    const uncounted = { code: "alarm_float_uncounted", text: "", clause: "", values: { moment: "change of dealer" } };
    expect(words.tell(uncounted)).toBe("筹码盘未清点：换荷官");
    words.choose("zh-Hant");
    expect(words.tell(message)).toBe("和 的最低注碼將於 20:40 改為 50.00");
  });
  test("a message that no catalogue knows is shown as the server put it", () => {
    words.choose("zh");
    expect(words.tell({ code: "never heard of", text: "As it is", clause: "", values: {} })).toBe("As it is");
  });
  test("a refusal is told with amounts, bets, roles and times in the language of the page", () => {
    words.timeZone = "Australia/Melbourne";
    const refuse = (code: string, values: Record<string, string | number>): string => words.refuse({ code, clause: "", text: "As it is", values });
    expect(refuse("below_minimum", { bet: "player", minimum_cents: 250_000 })).toBe("As it is");
    const early = { minutes: 20, earliest_ms: Date.UTC(2026, 0, 1, 9, 40, 5) };
    expect(refuse("notice_too_short", early)).toBe("the sign must be shown 20 minutes: the earliest time is 20:40:05");
    words.choose("zh");
    expect(refuse("below_minimum", { bet: "player", minimum_cents: 250_000 })).toBe("闲 的最低投注为 2,500.00");
    expect(refuse("needs_qualifying", { bet: "Tie", needs: "Player or Banker" })).toBe("和 须与下列其中一项同时投注：闲，庄");
    expect(refuse("wrong_role", { needed: "an Operator or Casino Supervisor", role: "a Cashier" })).toBe("此项须由营运方或赌场主管执行");
    expect(refuse("wrong_role", { needed: "Dealer or Clock" })).toBe("此项须由荷官执行");
    expect(refuse("no_case", { kind: "claim", case: 3 })).toBe("没有待处理的查询 3");
    words.choose("zh-Hant");
    expect(refuse("insufficient_credit", { balance_cents: 1_000, cost_cents: 2_500 })).toBe("餘額不足：帳戶有 10.00，需要 25.00");
  });
  test("a refusal that lacks a figure is shown as the server put it", () => {
    words.choose("zh");
    expect(words.refuse({ code: "below_minimum", clause: "", text: "As it is" })).toBe("As it is");
    expect(words.refuse({ code: "table_closed", clause: "", text: "As it is" })).toBe("本桌未开放");
  });
  test("a code that tables and tournaments share is told by the figures that come with it", () => {
    words.choose("zh");
    const refuse = (values: Record<string, string | number>): string => words.refuse({ code: "session_on", clause: "", text: "As it is", values });
    expect(refuse({ sitting: "SPRING/heats/1/T1" })).toBe("场次 SPRING/heats/1/T1 正在进行");
    expect(refuse({ session: 2, round: "heats" })).toBe("heats 第 2 场正在进行");
  });
  test("odds are told the way round that each language has them", () => {
    expect(words.odds("6 to 1 – 25 to 1")).toBe("6 to 1 – 25 to 1");
    words.choose("zh");
    expect(words.odds("6 to 1 – 25 to 1")).toBe("1 赔 6 – 1 赔 25");
    words.choose("zh-Hant");
    expect(words.odds("6 to 1 – 25 to 1")).toBe("1 賠 6 – 1 賠 25");
  });
  test("a rule is told whole in the language of the page: bet, line of the pay table, odds and commission", () => {
    const values = { bet: "banker", title: "Banker", name: "Banker wins", pays: "1 to 1", less: ", less 5% commission", needs: "Player, Banker" };
    const tell = (code: string): string => words.tell({ code, text: "", clause: "", values });
    expect(tell("rule_pays")).toBe("Banker: Banker wins pays 1 to 1, less 5% commission");
    words.choose("zh-Hant");
    expect(tell("rule_pays")).toBe("莊：莊勝，1 賠 1，減佣金 5%");
    expect(tell("rule_needs")).toBe("莊 須與下列其中一項同時投注：閒，莊");
  });
  test.each(LANGUAGES)("the choice of $code is kept and stands in the page's lang attribute", ({ code, locale }) => {
    words.choose(code);
    expect([localStorage.getItem("sabot language"), document.documentElement.lang]).toEqual([code, locale]);
  });
  test("a language that is not in the list counts as the first", () => {
    words.choose("never heard of");
    expect(words.language).toBe(FIRST);
  });
});
