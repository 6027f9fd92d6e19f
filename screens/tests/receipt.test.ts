import { expect, test } from "vitest";
import { toHex } from "../src/device/bytes";
import { proves, rootOf } from "../src/receipt/receipt";

const alone = { station: "A1", wagers: { tie: 500, banker: 2_500 }, salt: "00".repeat(16), path: [], root: "" } as const;

async function sha256(...parts: Uint8Array[]): Promise<string> {
  return toHex(await crypto.subtle.digest("SHA-256", Uint8Array.from(parts.flatMap((part) => [...part]))));
}
const bytes = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

test("a single leaf is its own root, over the wagers in order of their names", async () => {
  const content = new TextEncoder().encode('["A1",[["banker",2500],["tie",500]]]');
  expect(await rootOf(alone)).toBe(await sha256(Uint8Array.of(0), new Uint8Array(16), content));
});

test("neighbours on either side lead to the root, and another wager does not", async () => {
  const leaf = await rootOf(alone);
  const [left, right] = ["11".repeat(32), "22".repeat(32)];
  const node = await sha256(Uint8Array.of(1), bytes(left), bytes(leaf));
  const root = await sha256(Uint8Array.of(1), bytes(node), bytes(right));
  const receipt = { ...alone, path: [["left", left], ["right", right]] as const, root };
  expect(await proves(receipt, root)).toBe(true);
  expect(await proves({ ...receipt, wagers: { ...alone.wagers, tie: 1_000 } }, root)).toBe(false);
});
