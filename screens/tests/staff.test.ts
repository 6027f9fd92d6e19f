// What the staff's pages are made of.

import { mount, tick, unmount } from "svelte";
import { afterEach, describe, expect, test, vi } from "vitest";
import CardGrid from "../src/card/CardGrid.svelte";
import { TypedCard } from "../src/card/typed_card.svelte";
import { detailsOf, lacking } from "../src/console/facts";
import { guidedBy } from "../src/console/guided";
import { readQuestion } from "../src/floor/question";
import { nextTime, problemOf, readCents, readMoment, writeMoment } from "../src/form/field";
import { money, text, time, type Report } from "../src/report/report";
import ReportTable from "../src/report/ReportTable.svelte";
import { Acting, type Act, type Heard } from "../src/staff/acting.svelte";
import { Crew, type Member } from "../src/staff/crew.svelte";

const mounted: object[] = [];
afterEach(async () => {
  for (const one of mounted.splice(0)) await unmount(one);
  vi.useRealTimers();
});

describe("a typed card", () => {
  const typed = (keys: string): string[] => {
    const card = new TypedCard();
    return [...keys].map((key) => card.take(key)).flatMap((one) => (one.kind === "card" ? [one.card] : []));
  };
  test("is a rank and then a suit, in large or small letters", () => {
    expect(typed("9sKHtdac")).toEqual(["9S", "KH", "TD", "AC"]);
  });
  test("may write a ten as 10", () => {
    expect(typed("10h0s")).toEqual(["TH", "TS"]);
  });
  test("begins anew with another rank, and a suit alone is none", () => {
    expect(typed("s9Ks")).toEqual(["KS"]);
  });
  test("of a shoe that types ends with an Enter that means nothing more", () => {
    vi.useFakeTimers();
    const card = new TypedCard();
    card.take("9");
    card.take("s");
    expect(card.take("Enter").kind).toBe("part");
    vi.advanceTimersByTime(200);
    expect(card.take("Enter").kind).toBe("other");
  });
  test("is taken back with Backspace while its suit is missing", () => {
    const card = new TypedCard();
    card.take("9");
    expect(card.take("Backspace").kind).toBe("part");
    expect(card.take("Backspace").kind).toBe("other");
  });
});

test("a card of which all copies have left the shoe cannot be picked", () => {
  const picked: string[] = [];
  const props = { onpick: (card: string) => void picked.push(card), gone: { "9S": 8, AS: 8, KH: 7 }, decks: 8, label: "cards" };
  mounted.push(mount(CardGrid, { target: document.body, props }));
  const button = (card: string): HTMLButtonElement => document.querySelector<HTMLButtonElement>(`[data-pick="${card}"]`)!;
  expect(document.querySelectorAll("[data-pick]")).toHaveLength(52);
  expect([button("9S").disabled, button("KH").disabled]).toEqual([true, false]);
  expect(button("KH").getAttribute("aria-label")).toBe("king of hearts, 1 left");
  expect([...document.querySelectorAll("[tabindex='0']")].map((one) => one.getAttribute("data-pick"))).toEqual(["2S"]);
  button("9S").click();
  button("KH").click();
  expect(picked).toEqual(["KH"]);
});

describe("fields", () => {
  test("read amounts to the cent, and nothing that is none", () => {
    expect(["500", "1,250.5", "-0.05", "12.345", "ten", ""].map(readCents)).toEqual([50_000, 125_050, -5, null, null, null]);
  });
  test("read a moment in the casino's own zone, summer and winter", () => {
    for (const written of ["2026-01-31T22:30", "2026-07-01T03:15"]) {
      expect(writeMoment(readMoment(written, "Australia/Melbourne")!, "Australia/Melbourne")).toBe(written);
    }
    expect(readMoment("2026-01-31T22:30", "Asia/Singapore")).toBe(Date.UTC(2026, 0, 31, 14, 30));
    expect(readMoment("tomorrow", "UTC")).toBeNull();
  });
  test("take a time of day for the next one that comes", () => {
    const now = Date.UTC(2026, 0, 31, 14, 30, 20);
    expect(nextTime("22:50", "Asia/Singapore", now)).toBe(Date.UTC(2026, 0, 31, 14, 50));
    expect(nextTime("22:10", "Asia/Singapore", now)).toBe(Date.UTC(2026, 1, 1, 14, 10));
    expect(nextTime("25:00", "UTC", now)).toBeNull();
  });
});

test("the Enter key does what the table waits for, and waits where it waits for a card", () => {
  expect(guidedBy({ verb: "open" })).toEqual({ kind: "ask", command: { do: "open" } });
  expect(guidedBy({ verb: "confirm_records" })).toEqual({ kind: "place", place: "records" });
  expect(guidedBy({ verb: "card" })).toEqual({ kind: "wait" });
});

test("a field says what is wrong with what was written, before anything is sent", () => {
  const money = { name: "amount", label: "", kind: "money" } as const;
  expect(["abc", "1.234", "9999999999999", " "].map((written) => problemOf(money, written))).toEqual(["field_money", "field_money", "field_money", "field_empty"]);
  expect(["250", "1,250.50", "-5"].map((written) => problemOf(money, written))).toEqual([null, null, null]);
  const cards = { name: "cards", label: "", kind: "number" } as const;
  expect(["abc", "-1", "1.5", "99999999999999999999999", ""].map((written) => problemOf(cards, written))).toEqual(["field_number", "field_number", "field_number", "field_number", "field_empty"]);
  expect(problemOf({ ...cards, optional: true }, "")).toBeNull();
  const read = (kind: "date" | "moment" | "numbers", ...written: string[]): unknown[] => written.map((one) => problemOf({ name: "", label: "", kind, optional: true }, one));
  expect(read("date", "2026-12-31", "", "soon", "2026-13-45", "31.12.2026")).toEqual([null, null, "field_date", "field_date", "field_date"]);
  expect(read("moment", "2026-12-31 20:30", "soon")).toEqual([null, "field_moment"]);
  expect(read("numbers", "3, 7", "3; x")).toEqual([null, "field_numbers"]);
  expect(problemOf({ name: "reason", label: "" }, "  ")).toBe("field_empty");
});

test("a fact is stated when everything that belongs to it is said, and says what is missing before", () => {
  const wrongHand = detailsOf("card_on_wrong_hand");
  expect(lacking(wrongHand, { cards: [], hand: "banker" })).toBe("fact_lacks_cards");
  expect(lacking(wrongHand, { cards: ["7S"], hand: "" })).toBe("fact_lacks_hand");
  expect(lacking(wrongHand, { cards: ["7S"], hand: "banker" })).toBeNull();
  expect(lacking(detailsOf("missed_burn"), { cards: [], hand: "" })).toBeNull();
});

test("a question names station, coup and table in any language", () => {
  expect(readQuestion("What happened to station A12 in coup 30 at table T2?")).toEqual({ station: "A12", coup: "30", table: "T2" });
  expect(readQuestion("站 A12 第 30 局发生了什么？")).toEqual({ station: "A12", coup: "30", table: "" });
  expect(readQuestion("賭檯 T2 投注機 A12 第 30 局")).toEqual({ station: "A12", coup: "30", table: "T2" });
});

describe("a report", () => {
  const report: Report = {
    code: "win",
    title: "Win",
    columns: [{ label: "Station" }, { label: "Win, cents", figure: true }, { label: "When" }],
    rows: [
      [text('A1, "first"'), money(-2_375), time(0)],
      [text("=A1+1"), money(100_000), time(1_000)],
    ],
    totals: [text("Total"), money(97_625), text("")],
  };
  test("is put in order by the size of its figures", async () => {
    mounted.push(mount(ReportTable, { target: document.body, props: { report } }));
    const first = (): string | undefined => document.querySelector("tbody td")?.textContent ?? undefined;
    const head = document.querySelectorAll<HTMLButtonElement>("th button")[1]!;
    head.click();
    await tick();
    expect(first()).toBe('A1, "first"');
    head.click();
    await tick();
    expect(first()).toBe("=A1+1");
    expect(head.closest("th")?.getAttribute("aria-sort")).toBe("descending");
  });
});

describe("an act", () => {
  const dealer: Member = { person: "D1", roles: ["dealer"], token: "d", idleMs: 1_000, once: false };
  const saying = (...heard: Heard[]): Act & { tokens: object[] } => {
    const tokens: object[] = [];
    return {
      verb: "correct",
      roles: ["dealer"],
      seconds: ["game_supervisor"],
      tokens,
      send: (given) => {
        tokens.push(given);
        return Promise.resolve(heard.shift() ?? { kind: "done" });
      },
    };
  };
  const no = (code: string): Heard => ({ kind: "refused", refusal: { code, clause: "G-99", text: "no" } });

  test("goes in the name of whoever is signed on in the right role", async () => {
    const crew = new Crew();
    crew.members = [dealer];
    const act = saying();
    expect(await new Acting(crew).act(act)).toBe(true);
    expect(act.tokens).toEqual([{ token: "d" }]);
  });
  test("asks for a second person where two are due, and is refused when nobody comes", async () => {
    const crew = new Crew();
    crew.members = [dealer];
    const acting = new Acting(crew);
    const under = acting.act(saying(no("second_person_due")));
    await vi.waitFor(() => expect(acting.question?.kind).toBe("second"));
    expect(acting.question?.roles).toEqual(["game_supervisor"]);
    acting.question?.giveUp();
    expect(await under).toBe(false);
    expect(acting.refusal?.code).toBe("second_person_due");
  });
  test("asks who does it where nobody here may, and forgets a session that is over", async () => {
    const crew = new Crew();
    crew.members = [dealer];
    const acting = new Acting(crew);
    const under = acting.act(saying(no("session_over")));
    await vi.waitFor(() => expect(acting.question?.kind).toBe("who"));
    expect(crew.members).toEqual([]);
    acting.question?.giveUp();
    expect(await under).toBe(false);
  });
  test("is not taken twice while it is under way", async () => {
    const crew = new Crew();
    crew.members = [dealer];
    const acting = new Acting(crew);
    const act = saying();
    const [first, second] = await Promise.all([acting.act(act), acting.act(act)]);
    expect([first, second, act.tokens.length]).toEqual([true, false, 1]);
  });
});

test("a screen that nobody touches forgets everybody after the idle time, and not before", () => {
  const crew = new Crew();
  crew.members = [{ person: "D1", roles: ["dealer"], token: "d", idleMs: 60_000, once: false }];
  crew.touched();
  crew.look(performance.now() + 59_000);
  expect([crew.locked, crew.members.length]).toEqual([false, 1]);
  crew.look(performance.now() + 61_000);
  expect([crew.locked, crew.members.length]).toEqual([true, 0]);
});
