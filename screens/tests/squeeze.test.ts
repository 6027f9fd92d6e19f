import { flushSync, mount, unmount } from "svelte";
import { expect, test } from "vitest";
import { cornerAt, ENOUGH, foldOf } from "../src/squeeze/fold";
import { coverable, Squeeze } from "../src/squeeze/squeeze.svelte";
import type { StationView } from "../src/wire/views";

const CARD = { width: 100, height: 140 };
const CORNER = { x: 100, y: 140 };

test("a corner that is drawn over shows as much of the face as it uncovers of the back", () => {
  const fold = foldOf(CARD, CORNER, { x: 60, y: 140 })!;
  expect(fold.lifted).toBeCloseTo(0.2);
  expect(Math.min(...fold.back.map(({ x }) => x))).toBe(0);
  expect(Math.max(...fold.back.map(({ x }) => x))).toBeCloseTo(80);
  const [a, b, c, d, e, f] = fold.matrix;
  const laid = fold.face.map(({ x, y }) => ({ x: a * x + c * y + e, y: b * x + d * y + f }));
  expect(Math.min(...laid.map(({ x }) => x))).toBeCloseTo(60);
  expect(Math.max(...laid.map(({ x }) => x))).toBeCloseTo(80);
  expect([...new Set(laid.map(({ y }) => Math.round(y)))].sort()).toEqual([0, 140]);
});

test("the corner comes to lie where the finger is, at its proper place on the face", () => {
  const to = { x: 62, y: 71 };
  const [a, b, c, d, e, f] = foldOf(CARD, CORNER, to)!.matrix;
  // The lower right corner of the back is the lower left one of the face.
  expect(a * 0 + c * 140 + e).toBeCloseTo(to.x);
  expect(b * 0 + d * 140 + f).toBeCloseTo(to.y);
  expect(a * d - b * c, "a face is turned and never mirrored").toBeCloseTo(1);
});

test("a card that is hardly lifted stays covered, and one that is drawn over is turned", () => {
  expect(foldOf(CARD, CORNER, CORNER)).toBeNull();
  expect(foldOf(CARD, CORNER, { x: 80, y: 110 })!.lifted).toBeLessThan(ENOUGH);
  expect(foldOf(CARD, CORNER, { x: 10, y: 10 })!.lifted).toBeGreaterThan(ENOUGH);
  expect(cornerAt(CARD, { x: 80, y: 20 })).toEqual({ x: 100, y: 0 });
});

const hand = (...cards: string[]): object => ({ cards, points: cards.length, title: "", natural: true, pair: "none" });
const viewOf = (coup: number, player: object, squeeze: string[] = ["player"]): StationView =>
  ({ squeeze, cards: { coup, player, banker: hand("2S", "3S") } }) as unknown as StationView;

test("the first two cards of the hand lie covered until the third, and the third until the result", () => {
  expect(coverable("player", viewOf(1, hand("4S", "5S")))).toEqual([0, 1]);
  expect(coverable("player", viewOf(1, hand("4S", "5S", "6S")))).toEqual([2]);
  expect(coverable("banker", viewOf(1, hand("4S", "5S")))).toEqual([]);
  expect(coverable("player", { ...viewOf(1, hand()), cards: null })).toEqual([]);
});

test("nothing tells the count before the patron has turned the cards, and what lay open is not covered again", () => {
  let view = viewOf(7, hand("4S"));
  const squeeze = new Squeeze(() => view);
  expect(squeeze.covered("player"), "seen before it was fetched").toEqual([]);
  view = viewOf(7, hand("4S", "5S"));
  expect(squeeze.covered("player")).toEqual([1]);
  expect(squeeze.seen.cards?.player).toMatchObject({ points: null, natural: false, cards: ["4S", "5S"] });
  squeeze.turn("player", 1);
  expect(squeeze.seen.cards?.player.points).toBe(2);
  view = viewOf(8, hand("4S"));
  expect(squeeze.covered("player")).toEqual([0]);
  view = viewOf(8, hand("4S"), []);
  squeeze.follow();
  view = viewOf(8, hand("4S"));
  expect(squeeze.covered("player"), "it was shown while the table was frozen").toEqual([]);
});

test("a drag turns a card only when enough of it was lifted; a touch and the keyboard turn it, too", () => {
  let turned = 0;
  const { Cover } = new Squeeze(() => viewOf(1, hand()));
  const shown = mount(Cover, { target: document.body, props: { card: "9S", across: false, name: "Player 1", onturn: () => (turned += 1) } });
  flushSync();
  const button = document.querySelector<HTMLElement>("[data-covered]")!;
  Object.defineProperties(button, { offsetWidth: { value: 100 }, offsetHeight: { value: 140 } });
  button.getBoundingClientRect = () => new DOMRect(0, 0, 100, 140);
  button.setPointerCapture = () => {};
  const send = (type: string, clientX: number, clientY: number): void => {
    button.dispatchEvent(new PointerEvent(type, { clientX, clientY, isPrimary: true, bubbles: true }));
    flushSync();
  };
  const drag = (x: number, y: number): void => {
    send("pointerdown", 95, 135);
    send("pointermove", x, y);
  };
  drag(75, 120);
  expect(button.querySelector("[data-card]"), "a corner of the face is seen").not.toBeNull();
  send("pointerup", 75, 120);
  button.click();
  flushSync();
  expect(button.querySelector("[data-card]")).toBeNull();
  expect(turned).toBe(0);
  drag(0, 0);
  send("pointercancel", 0, 0);
  expect(turned, "the browser took the touch away").toBe(0);
  drag(0, 0);
  send("pointerup", 0, 0);
  expect(turned).toBe(1);
  button.click();
  button.click();
  expect(turned, "the click after the drag is no touch").toBe(2);
  void unmount(shown);
});
