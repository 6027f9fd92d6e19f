import "fake-indexeddb/auto";
import { expect, test } from "vitest";
import { identityFor, keep, proof, publicKey } from "../src/device/identity";

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

test("a device keeps one key, which cannot be taken out, and proves it to one floor for one nonce", async () => {
  const made = await identityFor("station");
  expect(made.keys.privateKey.extractable).toBe(false);
  await keep("station", { ...made, device: "station-A1" });
  const again = await identityFor("station");
  expect(again.device).toBe("station-A1");
  expect(await publicKey(again)).toBe(await publicKey(made));
  expect(await publicKey(await identityFor("display"))).not.toBe(await publicKey(made));

  const curve = { name: "ECDSA", namedCurve: "P-256" };
  const key = await crypto.subtle.importKey("spki", fromBase64Url(await publicKey(made)), curve, false, ["verify"]);
  const signature = fromBase64Url(await proof(again, "a floor", "a nonce"));
  const how = { name: "ECDSA", hash: "SHA-256" };
  const text = (floor: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(`sabot device proof\n${floor}\na nonce`);
  expect(signature).toHaveLength(64);
  expect(await crypto.subtle.verify(how, key, signature, text("a floor"))).toBe(true);
  expect(await crypto.subtle.verify(how, key, signature, text("another floor"))).toBe(false);
});
