import { expect, test } from "vitest";
import { risen } from "../src/motion/chips.svelte";

test("a chip flies where there is more than before, and nowhere else", () => {
  expect(risen({ tie: 500, banker: 500 }, { tie: 1_000, player: 500, banker: 500 })).toEqual(["tie", "player"]);
  expect(risen({ tie: 500 }, {})).toEqual([]);
});
