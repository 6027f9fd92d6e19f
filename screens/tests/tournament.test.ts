import { mount, tick, unmount, type Component } from "svelte";
import { afterEach, describe, expect, test, vi } from "vitest";
import Board from "../src/board/Board.svelte";
import { BoardFeed } from "../src/board/board_feed.svelte";
import { isDue, lastThrough, NEW_MS, pagesOf, ROWS, TURN_MS } from "../src/board/pages";
import { FIRST, LANGUAGES } from "../src/catalogue/languages";
import Leaders from "../src/session/Leaders.svelte";
import { coupOf, ordinal, standingLine, titleOf, unitOf } from "../src/session/session";
import SessionBanner from "../src/session/SessionBanner.svelte";
import { Tournaments } from "../src/tournament/tournaments.svelte";
import Standing from "../src/session/Standing.svelte";
import Checklist from "../src/tournament/Checklist.svelte";
import type { BoardRow, TournamentBoard } from "../src/wire/tournament";
import type { SeatStanding, TableSession } from "../src/wire/views";
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
  vi.unstubAllGlobals();
});

const SESSION: TableSession = {
  tournament: "SPRING",
  title: { en: "Spring", zh: "春季" },
  stage: "open",
  round: "heats",
  session: 1,
  counted: 16,
  coups: 20,
  left: 4,
  ends_ms: null,
  hidden: false,
  cash: false,
  top: [
    [7, 126_000],
    [4, 125_000],
    [9, 125_000],
  ],
  director: true,
  agreed: 0,
  seated: 8,
};
const STANDING: SeatStanding = {
  entrant: 12,
  substitute: "",
  status: "playing",
  score: 114_000,
  rank_at_table: 3,
  seats: 8,
  rank: 3,
  entrants: 8,
  line: 125_000,
  line_rank: 2,
  through: false,
  bust: false,
  warnings: 0,
  agreed: false,
};
const row = (entrant: number, through: boolean, changes: Partial<BoardRow> = {}): BoardRow => ({
  rank: entrant,
  entrant,
  name: `E${entrant}`,
  score: 100_000 - entrant,
  change: null,
  table: "T1",
  station: `A${entrant}`,
  status: "playing",
  through,
  out: false,
  ...changes,
});
const rows = (count: number, through: number): readonly BoardRow[] => Array.from({ length: count }, (_, place) => row(place + 1, place < through));
const BOARD: TournamentBoard = {
  tournament: "SPRING",
  title: SESSION.title,
  phase: "in_session",
  round: "heats",
  provisional: true,
  sittings: [{ table: "T1", round: "heats", session: 1, state: "open", counted: 16, left: 4 }],
  rows: rows(3, 1),
  prizes: [{ place: 1, share: 60, cents: null, text: {} }],
  pool_cents: 250_000,
  next_start_ms: null,
  director: true,
  time_zone: "Australia/Melbourne",
};

describe("a session", () => {
  test("has credits for its unit, and a table that is only reserved has its currency", () => {
    const table = { currency: "AUD" };
    expect(unitOf({ session: SESSION, table })).toBe("Credits");
    expect(unitOf({ session: { ...SESSION, stage: "reserved", round: "" }, table })).toBe("AUD");
    expect(unitOf({ session: null, table })).toBe("AUD");
  });
  test("tells the standing, what the line has and what is left, and names no bet", () => {
    expect(standingLine(STANDING, SESSION)).toBe("3rd of 8 · 2nd has 1,250.00 · 4 coups left");
    expect(standingLine({ ...STANDING, line: null, rank: null, rank_at_table: 1 }, { ...SESSION, left: 1 })).toBe("1st of 8 · 1 coup left");
    words.choose("zh");
    expect(standingLine(STANDING, SESSION)).toBe("第 3 名（共 8 人） · 第 2 名有 1,250.00 · 剩余 4 局");
  });
  test.each([
    [1, "1st"],
    [2, "2nd"],
    [3, "3rd"],
    [11, "11th"],
    [22, "22nd"],
  ])("place %i is said %s", (rank, said) => {
    expect(ordinal(rank)).toBe(said);
  });
  test("counts the coup under way, and between coups the last that counted", () => {
    expect([coupOf(SESSION, "wagering"), coupOf(SESSION, "between_coups"), coupOf({ ...SESSION, counted: 20, left: 0, stage: "played" }, "between_coups")]).toEqual([
      "Coup 17 of 20",
      "Coup 16 of 20",
      "Coup 20 of 20",
    ]);
  });
  test.each(LANGUAGES)("has a title in $code, or the nearest to it", ({ code }) => {
    words.choose(code);
    expect(titleOf(SESSION.title)).toBe(code === FIRST.code ? "Spring" : "春季");
    expect(titleOf({ en: "Only one" })).toBe("Only one");
  });
  test("shares a place between equals", () => {
    const leaders = show(Leaders, { session: SESSION });
    expect([...leaders.querySelectorAll("li")].map((line) => line.textContent)).toEqual(["1st Entrant 7 1,260.00", "2nd Entrant 4 1,250.00", "2nd Entrant 9 1,250.00"]);
  });
});

describe("a station in a session", () => {
  const view = (standing: Partial<SeatStanding>, open: boolean, session: Partial<TableSession> = {}): any => ({
    session: { ...SESSION, ...session },
    standing: { ...STANDING, ...standing },
    phase: { phase: "between_coups" },
    actions: { agree_to_conclude: { open, code: "", clause: "", why: "", values: {} } },
  });
  test("asks to agree only where that may be done, and then says that it was done", async () => {
    const asked: object[] = [];
    const link: any = { ask: async (act: object) => (asked.push(act), { kind: "done", version: 1 }) };
    const page = show(Standing, { link, view: view({}, true) });
    page.querySelector<HTMLButtonElement>("[data-agree]")?.click();
    await tick();
    expect(asked).toEqual([{ do: "agree_to_conclude" }]);
    await unmount(shown ?? {});
    show(Standing, { link, view: view({ agreed: true }, true) });
    expect(document.querySelector("[data-agree]")).toBeNull();
    expect(document.body.textContent).toContain("You agree to end now");
  });
  test("does not ask where it may not be done", () => {
    expect(show(Standing, { link: { ask: async () => ({ kind: "lost" }) } as any, view: view({}, false) }).querySelector("[data-agree]")).toBeNull();
  });
  test("announces a hidden coup and the last one, a spent purse and warnings", () => {
    const page = show(Standing, { link: {} as any, view: view({ bust: true, warnings: 2 }, false, { hidden: true, left: 1 }) });
    expect(["[data-hidden]", "[data-last]", "[data-bust]"].map((sign) => page.querySelector(sign) !== null)).toEqual([true, true, true]);
    expect(page.textContent).toContain("Warnings for a missed wager: 2");
  });
});

test("the console's banner tells whether the Director is there by a sign and a word", () => {
  const banner = show(SessionBanner, { session: { ...SESSION, director: false }, phase: "wagering", staff: true });
  expect(banner.querySelector("[data-director=away]")?.textContent).toContain("Director away");
  expect(banner.querySelector("[data-coup-of]")?.textContent).toBe("Coup 17 of 20");
});

describe("the leader board", () => {
  test("is cut into pages of ten, and there is always one", () => {
    expect(pagesOf(rows(23, 0)).map((page) => page.length)).toEqual([ROWS, ROWS, 3]);
    expect(pagesOf([])).toEqual([[]]);
  });
  test("draws its line below the last who goes on, and none where all or nobody do", () => {
    expect([lastThrough(rows(5, 2)), lastThrough(rows(5, 0)), lastThrough(rows(5, 5))]).toEqual([2, null, null]);
  });
  test("turns no page while a result is new", () => {
    expect([isDue(TURN_MS, 0, 0), isDue(TURN_MS - 1, 0, 0), isDue(TURN_MS, 0, TURN_MS - NEW_MS + 1)]).toEqual([true, false, false]);
  });
  test("shows places, scores, seats, the line, and as of which coup it speaks", () => {
    const page = show(Board, { board: BOARD, changedMs: 0, heardMs: 0, lost: false });
    expect([...page.querySelectorAll("[data-row]")].map((one) => one.getAttribute("data-rank"))).toEqual(["1", "2", "3"]);
    expect(page.querySelector("[data-row='1']")?.textContent).toContain("T1 / A1");
    expect(page.querySelector("tr.line")?.getAttribute("data-row")).toBe("1");
    expect(page.querySelector("[data-sitting=T1]")?.textContent).toContain("T1: coup 16 of 20");
    expect(page.querySelector("[data-provisional]")?.textContent).toBe("provisional");
    expect(page.textContent).toContain("60 % of the pool");
  });
  test("asks again with the tag of what it has, and keeps it when nothing changed", async () => {
    const asked: (string | undefined)[] = [];
    vi.stubGlobal("fetch", async (_: string, { headers = {} }: { headers?: Record<string, string> } = {}) => {
      asked.push(headers["If-None-Match"]);
      return asked.length === 1 ? new Response(JSON.stringify(BOARD), { headers: { ETag: '"one"' } }) : new Response(null, { status: 304 });
    });
    const feed = new BoardFeed("SPRING");
    await feed.look();
    await feed.look();
    expect(asked).toEqual([undefined, '"one"']);
    expect([feed.board?.round, feed.lost]).toEqual(["heats", false]);
  });
  test("says that it is not fresh when the floor cannot be reached", async () => {
    vi.stubGlobal("fetch", async () => new Response(null, { status: 503 }));
    const feed = new BoardFeed("SPRING");
    await feed.look();
    expect(feed.lost).toBe(true);
  });
});

test("a duty that is not done says so, with its clause and for whom", () => {
  const list = show(Checklist, { checks: [{ clause: "CROWN 12.2.3", code: "entrants_briefed", done: false, missing: [4, 9] }] });
  expect(list.querySelector("[data-check=entrants_briefed]")?.textContent?.replace(/\s+/g, " ")).toContain("Every entrant is briefed CROWN 12.2.3 not done lacking: 4, 9");
});

describe("the desk of a tournament", () => {
  /** A house whose floor has one tournament as soon as it is created. */
  function created(): Tournaments {
    const lines = [{ tournament: "TINY" }];
    const house: any = {
      me: { roles: ["operator"] },
      get: async (_method: string, path: string) => ({ kind: "done", value: path === "/api/tournaments" ? lines : { tournament: "TINY" } }),
      acting: { act: async () => true },
    };
    return new Tournaments(house);
  }

  test("stays when the tournament that it shows is chosen again, so that nothing typed there is lost", async () => {
    const tournaments = created();
    await tournaments.create("TINY", "Tiny");
    const { desk } = tournaments;
    expect(desk).not.toBeNull();
    tournaments.choose("TINY");
    expect(tournaments.desk).toBe(desk);
    tournaments.choose("OTHER");
    expect(tournaments.desk).toBeNull();
  });
});
