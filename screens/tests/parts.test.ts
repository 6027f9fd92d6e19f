import { mount, tick, unmount, type Component } from "svelte";
import { afterEach, describe, expect, test } from "vitest";
import Card from "../src/card/Card.svelte";
import { readCard } from "../src/card/card";
import { chipsFor, faceOf } from "../src/chip/chip";
import Stack from "../src/chip/Stack.svelte";
import { FIRST, LANGUAGES } from "../src/catalogue/languages";
import { handsShown } from "../src/hand/hands";
import LanguageSwitch from "../src/language/LanguageSwitch.svelte";
import LinkNotice from "../src/link/LinkNotice.svelte";
import { rowsOf } from "../src/layout/diagram";
import Notices from "../src/notice/Notices.svelte";
import StateBand from "../src/notice/StateBand.svelte";
import { statesIn, withoutStates } from "../src/notice/states";
import { beads, inSight } from "../src/roads/bead_plate";
import BeadPlate from "../src/roads/BeadPlate.svelte";
import BigRoad from "../src/roads/BigRoad.svelte";
import type { Area, Cards, HandView, ResultShown, ScreenMessage } from "../src/wire/views";
import { words } from "../src/words/words.svelte";

let shown: object | null = null;
function show<Props extends Record<string, any>>(part: Component<Props>, props: Props): HTMLElement {
  shown = mount<Props, object>(part, { target: document.body, props });
  return document.body;
}
afterEach(async () => {
  if (shown !== null) await unmount(shown);
  shown = null;
  words.choose(FIRST.code);
});

describe("cards", () => {
  test("every one of the 52 is read, with as many pips as it counts", () => {
    for (const suit of "SHDC") {
      for (const [place, rank] of [..."A23456789TJQK"].entries()) {
        const face = readCard(rank + suit);
        expect(face.red).toBe(suit === "H" || suit === "D");
        expect(face.pips).toHaveLength(place > 0 && place < 10 ? place + 1 : 0);
      }
    }
  });
  test("are read out in the language of the page", () => {
    const card = show(Card, { card: "QH" }).querySelector("svg");
    expect(card?.getAttribute("aria-label")).toBe("queen of hearts");
    words.choose("zh");
    expect(words.card("QH")).toBe("红心Q");
  });
});

describe("chips", () => {
  test("make up an amount as a dealer would", () => {
    expect(chipsFor(63_000, [500, 2_500, 10_000, 50_000])).toEqual([50_000, 10_000, 2_500, 500]);
    expect(chipsFor(700, [500, 2_500])).toEqual([500, 200]);
    expect(chipsFor(0, [500])).toEqual([]);
  });
  test("of large value are told in thousands", () => {
    expect([faceOf(2_500), faceOf(100_000), faceOf(500_000), faceOf(50)]).toEqual(["25", "1K", "5K", "0.5"]);
  });
  test("on their way look different from those that are accepted", () => {
    const props = { cents: 2_500, denominations: [500, 2_500], pending: true };
    const stack = show(Stack, props).querySelector(".stack");
    expect(stack?.classList.contains("pending")).toBe(true);
    expect(stack?.querySelector("svg")?.classList.contains("pending")).toBe(true);
  });
});

describe("roads", () => {
  test("the bead plate fills columns of six, and whole left columns go when it is full", () => {
    const plate = ["P", "Bb", "T", "Bbp", "P", "P", "B", "T"];
    expect(beads(plate, 4).map(({ column, row }) => [column, row])).toEqual([[0, 0], [0, 1], [0, 2], [0, 3], [0, 4], [0, 5], [1, 0], [1, 1]]);
    expect(beads(plate, 1).map(({ winner }) => winner)).toEqual(["B", "T"]);
    expect(beads(plate, 4)[3]).toMatchObject({ bankerPair: true, playerPair: true });
  });
  test("a road that is wider than its place shows its newest columns", () => {
    const marks = [[1, 1], [2, 1], [3, 1], [4, 1]] as const;
    expect(inSight(marks, 3)).toEqual({ marks: marks.slice(1), first: 2 });
    expect(inSight(marks, 9).first).toBe(1);
  });
  test("beads carry a letter, or a character in Chinese, and never colour alone", () => {
    words.choose("zh");
    const page = show(BeadPlate, { plate: ["B", "P", "T"] });
    expect([...page.querySelectorAll("text")].map((text) => text.textContent)).toEqual(["庄", "闲", "和"]);
  });
  test("the Big Road shows ties with their number, before the first bead too", () => {
    const road = [[1, 1, "B", 2, "b"], [1, 2, "B", 0, "n"]] as const;
    const page = show(BigRoad, { road, leadingTies: 0 });
    expect(page.querySelectorAll("[data-bead=B]")).toHaveLength(2);
    expect(page.querySelector(".tie + text")?.textContent).toBe("2");
  });
});

describe("hands", () => {
  const empty: HandView = { cards: [], points: null, title: "", natural: false, pair: "none" };
  const nine: HandView = { cards: ["9S", "KD"], points: 9, title: "9", natural: true, pair: "none" };
  const result = { coup: 4, shoe: 1, player: empty, banker: nine, winner: "banker" } as unknown as ResultShown;
  const cards = { coup: 5, player: empty, banker: empty } as unknown as Cards;

  test("in a coup only its own hands are shown, before the first card too", () => {
    const phase = { coup: 5, shoe: 1 };
    expect(handsShown({ phase, cards, result })).toEqual({ player: empty, banker: empty, winner: null, past: false });
    expect(handsShown({ phase, cards: { ...cards, player: nine }, result })).toMatchObject({ player: nine, banker: empty, winner: null });
  });
  test("between coups the newest result stays, and is past once a void coup or another shoe has come", () => {
    expect(handsShown({ phase: { coup: 4, shoe: 1 }, cards: null, result })).toMatchObject({ banker: nine, winner: "banker", past: false });
    expect(handsShown({ phase: { coup: 5, shoe: 1 }, cards: null, result })).toMatchObject({ banker: nine, past: true });
    expect(handsShown({ phase: { coup: 4, shoe: 2 }, cards: null, result })).toMatchObject({ past: true });
  });
});

describe("states", () => {
  const told = (code: string): ScreenMessage => ({ code, text: "", clause: "", values: {} });

  test("what overrules the game is told apart from the notices, the gravest first", () => {
    const messages = ["closure", "minimum_rises", "void_coup", "frozen"].map(told);
    expect(statesIn(messages).map(({ code }) => code)).toEqual(["frozen", "void_coup", "closure"]);
    expect(withoutStates(messages).map(({ code }) => code)).toEqual(["minimum_rises"]);
  });
  test.each(LANGUAGES.map(({ code }) => code))("are named in large words: %s", (code) => {
    words.choose(code);
    const page = show(StateBand, { states: statesIn(["last_coup", "frozen"].map(told)) });
    expect([...page.querySelectorAll("strong")].map((name) => name.textContent)).toEqual([words.say("state_frozen"), words.say("state_last_coup")]);
  });
});

describe("the layout", () => {
  const area = (bet: string): Area => ({ bet }) as Area;
  test("follows the rule set's diagram on a wide screen and has a place for a bet that no diagram knows", () => {
    const table = { areas: ["player", "banker", "tie", "own"].map(area), rows: [["tie"], ["player", "banker"]] };
    expect(rowsOf(table, "landscape").map((row) => row.map(({ bet }) => bet))).toEqual([["tie"], ["player", "banker"], ["own"]]);
    expect(rowsOf(table, "portrait").map((row) => row.map(({ bet }) => bet))).toEqual([["player", "tie", "banker"], ["own"]]);
    expect(rowsOf(table, "upright").map((row) => row.map(({ bet }) => bet))).toEqual([["player", "banker"], ["tie"], ["own"]]);
  });
});

test("a notice is told in the language of the page, with its clause", () => {
  words.choose("zh");
  const notices = [{ code: "last_coup", text: "LAST COUP OF THIS SHOE", clause: "CROWN 3.9.3", values: {} }];
  const page = show(Notices, { notices });
  expect(page.querySelector("li")?.textContent).toContain("本靴最后一局");
  expect(page.querySelector("[data-clause]")?.textContent).toBe("CROWN 3.9.3 · 本靴最后一局");
});

test("the language switch shows the other languages' marks, and a sheet of all names, each in its own language", async () => {
  const page = show(LanguageSwitch, {});
  const marks = (): string[] => [...page.querySelectorAll("[data-languages] [lang]")].map((mark) => mark.textContent);
  expect(marks()).toEqual(LANGUAGES.slice(1).map(({ mark }) => mark));
  page.querySelector<HTMLElement>("[data-languages]")?.click();
  await tick();
  const names = [...page.querySelectorAll<HTMLElement>("[data-language]")];
  expect(names.map((name) => [name.textContent, name.lang])).toEqual(LANGUAGES.map(({ name, locale }) => [name, locale]));
  names.at(-1)?.click();
  await tick();
  expect(words.language).toBe(LANGUAGES.at(-1));
  expect(marks()).toEqual(LANGUAGES.slice(0, -1).map(({ mark }) => mark));
});

describe("a picture that is not current", () => {
  const standing = "live" as const;
  test.each(LANGUAGES.map(({ code }) => code))("is marked with its time in %s", (code) => {
    words.choose(code);
    const since_ms = Date.UTC(2026, 5, 6, 21, 4);
    const notice = show(LinkNotice, { standing, stale: { since_ms } }).querySelector('[data-standing="stale"]');
    expect(notice?.textContent).toContain(words.time(since_ms));
    expect(notice?.textContent).toContain(words.say("stale_note"));
  });
  test("is said to be none where there never was one", () => {
    expect(show(LinkNotice, { standing, stale: { since_ms: 0 } }).textContent).toContain(words.say("no_picture"));
  });
  test("is not spoken of while it is current", () => {
    expect(show(LinkNotice, { standing, stale: null }).querySelector(".notice")).toBeNull();
  });
});
