import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Identity } from "../src/device/identity";
import { Link } from "../src/link/link.svelte";
import { Places } from "../src/stadium/places.svelte";
import type { StationView } from "../src/wire/views";

class Socket {
  static readonly OPEN = 1;
  readyState = 0;
  send(): void {}
  close(): void {}
}

let places: Places;

function open(query: string): void {
  history.replaceState(null, "", `/station${query}`);
  const first = new Link<StationView>({ device: "S-17" } as Identity, "ws://floor/ws");
  first.table = "T1";
  first.places = { T2: "A3", T1: "A1", T3: "A2" };
  places = new Places(first);
}

function has(table: string, balance_cents: number, wagered_cents: number): void {
  const place = places.all.find((one) => one.table === table);
  if (place !== undefined) place.link.view = { purse: { balance_cents, wagered_cents } } as StationView;
}

beforeEach(() => vi.stubGlobal("WebSocket", Socket));
afterEach(() => {
  for (const { link } of places.all) link.close();
  vi.unstubAllGlobals();
});

test("there is a link to each table, and the page's own one is to the first", () => {
  open("");
  expect(places.all.map(({ table }) => table)).toEqual(["T1", "T2", "T3"]);
  expect(places.inSight).toEqual([]);
});

test("the address names the tables in sight, at most two and no others than its own", () => {
  open("?tables=T9,T3,T3,T2,T1&keypad=never");
  expect(places.inSight).toEqual(["T3", "T2"]);
  expect(location.search).toBe("?keypad=never&tables=T3,T2");
  places.list();
  expect(location.search).toBe("?keypad=never");
});

test("a table takes the place of the one in sight, or of the one that was looked at longest", () => {
  open("");
  places.look("T2");
  places.look("T1");
  expect(places.inSight).toEqual(["T1"]);
  open("?tables=T1,T2");
  places.look("T3");
  expect(places.inSight).toEqual(["T2", "T3"]);
  places.look("T2");
  expect(places.inSight).toEqual(["T2", "T3"]);
  places.lookAtOne();
  expect(places.inSight).toEqual(["T2"]);
});

test("the second table is the one where the patron has chips on the layout, or else a balance", () => {
  open("?tables=T1");
  has("T2", 100, 0);
  has("T3", 0, 50);
  places.lookAtTwo();
  expect(places.inSight).toEqual(["T1", "T3"]);
  open("?tables=T1");
  has("T3", 100, 0);
  places.lookAtTwo();
  expect(places.inSight).toEqual(["T1", "T3"]);
});
