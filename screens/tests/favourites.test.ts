import { beforeEach, describe, expect, test } from "vitest";
import { Keepsake, sessionOf } from "../src/favourites/keepsake.svelte";
import { orderOf, stepOf, type Circumstances } from "../src/favourites/repeats";
import type { ScreenMessage, StationView } from "../src/wire/views";

const CHIPS = [500, 2_500, 10_000] as const;
const LAYOUT = { banker: 2_500, tie: 500 };
const told = (code: string): ScreenMessage => ({ code, text: code, clause: "", values: {} });

/** What a repeat looks at of a station's view. */
function viewOf(coup: number, phase: string, change: Partial<Record<"phase" | "station" | "table" | "more", object>> = {}): StationView {
  return {
    table: { name: "T1", most_repeats: 20, ...change.table },
    phase: { coup, phase, shoe: 1, dummy: false, frozen: false, locked: false, awaits_confirmation: false, last_of_shoe: false, ...change.phase },
    station: { name: "A1", control: 4, open: true, leaving: false, directed_to_leave: false, faulted: false, messages: [], ...change.station },
    session: null,
    notices: [],
    returned: [],
    wagers: { on_layout: {}, remembered: LAYOUT, sealed: false, undos: 0 },
    actions: { lay: { open: phase === "wagering", code: "", clause: "", why: "", values: {} } },
    ...change.more,
  } as unknown as StationView;
}
const now = (view: StationView, change: Partial<Circumstances> = {}): Circumstances => ({
  view,
  current: true,
  open: view.phase.phase === "wagering",
  ...change,
});

describe("repeats that are ordered ahead", () => {
  const order = orderOf(viewOf(7, "dealing"), LAYOUT, 5);

  test("wait for the next opening, and lay once in its coup", () => {
    expect(stepOf(order, now(viewOf(7, "dealing")))).toEqual({ do: "wait" });
    expect(stepOf(order, now(viewOf(7, "between")))).toEqual({ do: "wait" });
    expect(stepOf(order, now(viewOf(8, "wagering")))).toEqual({ do: "lay" });
    expect(stepOf({ ...order, coup: 8 }, now(viewOf(8, "wagering")))).toEqual({ do: "wait" });
  });
  test("begin in this coup where wagering is open and nothing lies there", () => {
    const empty = viewOf(8, "wagering");
    expect(stepOf(orderOf(empty, LAYOUT, 2), now(empty))).toEqual({ do: "lay" });
    const laid = viewOf(8, "wagering", { more: { wagers: { on_layout: LAYOUT, remembered: {}, sealed: false, undos: 1 } } });
    expect(stepOf(orderOf(laid, LAYOUT, 2), now(laid))).toEqual({ do: "wait" });
  });
  test("are as many as the house allows", () => {
    expect(orderOf(viewOf(7, "dealing"), LAYOUT, 50).left).toBe(20);
    expect(orderOf(viewOf(7, "dealing", { table: { most_repeats: 3 } }), LAYOUT, 5).left).toBe(3);
  });

  const next = (change: Parameters<typeof viewOf>[2]): StationView => viewOf(8, "wagering", change);
  test.each([
    ["the link is lost", now(next({}), { current: false }), "link"],
    ["the patron leaves", now(next({ station: { leaving: true } })), "leaving"],
    ["the patron is sent away", now(next({ station: { directed_to_leave: true } })), "leaving"],
    ["the station fails", now(next({ station: { faulted: true } })), "leaving"],
    ["the station closes", now(next({ station: { open: false } })), "leaving"],
    ["another patron has the station", now(next({ station: { control: 5 } })), "leaving"],
    ["the house turns them off", now(next({ table: { most_repeats: 0 } })), "house"],
    ["it is the last coup", now(next({ phase: { last_of_shoe: true } })), "last_coup"],
    ["the accounts are frozen", now(next({ phase: { frozen: true } })), "news"],
    ["the table is locked", now(next({ phase: { locked: true } })), "news"],
    ["records must be confirmed", now(next({ phase: { awaits_confirmation: true } })), "news"],
    ["it is a dummy coup", now(next({ phase: { dummy: true } })), "news"],
    ["a coup was void", now(next({ more: { notices: [told("void_coup")] } })), "news"],
    ["a result was corrected", now(next({ more: { notices: [told("recalculated")] } })), "news"],
    ["a minimum rises", now(next({ more: { notices: [told("minimum_rises")] } })), "news"],
    ["something went back", now(next({ more: { returned: [told("left_out")] } })), "news"],
    ["the patron is told something", now(next({ station: { messages: [told("owed")] } })), "news"],
    ["no chips may be laid here, as at a limit", now(next({ more: { actions: { lay: { open: false, code: "limit", clause: "", why: "", values: {} } } } })), "refused"],
    ["the time was up already", now(next({}), { open: false }), "missed"],
    ["a coup went by", now(viewOf(9, "wagering")), "missed"],
    ["the opening was not seen in time", now(viewOf(8, "dealing")), "missed"],
    ["there is another shoe", now(next({ phase: { shoe: 2 } })), "missed"],
  ] as const)("stop when %s", (_, circumstances, why) => {
    expect(stepOf(order, circumstances)).toEqual({ do: "stop", why });
  });
  test("go on under a message that the patron saw when they were ordered", () => {
    const station = { messages: [told("query_open")] };
    const known = orderOf(viewOf(7, "dealing", { station }), LAYOUT, 5);
    expect(stepOf(known, now(viewOf(8, "wagering", { station })))).toEqual({ do: "lay" });
  });
});

describe("what a station keeps for its patron", () => {
  beforeEach(() => localStorage.clear());

  test("outlives a reload, and is gone in another session", () => {
    const session = sessionOf(viewOf(1, "wagering"));
    const first = new Keepsake("T1 A1");
    first.follow(session);
    first.save(1, LAYOUT);
    first.turn(500, CHIPS);
    const reloaded = new Keepsake("T1 A1");
    reloaded.follow(session);
    expect(reloaded.layouts).toEqual([null, LAYOUT, null]);
    expect(reloaded.rack(CHIPS)).toEqual([2_500, 10_000]);
    reloaded.follow(sessionOf(viewOf(1, "wagering", { station: { control: 5 } })));
    expect(reloaded.layouts).toEqual([null, null, null]);
    expect(new Keepsake("T1 A1").layouts).toEqual([null, null, null]);
  });
  test("is gone as soon as the station is closed", () => {
    const kept = new Keepsake("T1 A1");
    kept.follow("T1 A1 4");
    kept.save(0, LAYOUT);
    kept.follow(sessionOf(viewOf(1, "closed", { station: { control: 0 } })));
    expect(localStorage.length).toBe(0);
  });
  test("leaves a chip in the rack, and begins anew where the store cannot be read", () => {
    localStorage.setItem("sabot patron T1 A1", "{nonsense");
    const kept = new Keepsake("T1 A1");
    kept.follow("T1 A1 4");
    expect(kept.rack(CHIPS)).toEqual(CHIPS);
    for (const chip of CHIPS) kept.turn(chip, CHIPS);
    expect(kept.rack(CHIPS)).toEqual([10_000]);
  });
});
