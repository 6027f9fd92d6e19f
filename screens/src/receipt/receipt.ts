// Whether a receipt leads to the public seal, worked out here and nowhere else.

import { fromHex, toHex } from "../device/bytes";
import type { Receipt } from "../wire/views";

type Bytes = Uint8Array<ArrayBuffer>;

/** A leaf is SHA-256 over 0, the salt, station and wagers; a node is SHA-256 over 1, left and right; the last is the root. */
export async function rootOf(receipt: Receipt): Promise<string> {
  const wagers = Object.entries(receipt.wagers).sort(([one], [other]) => (one < other ? -1 : 1));
  const content = new TextEncoder().encode(JSON.stringify([receipt.station, wagers]));
  let digest = await hashed(Uint8Array.of(0), fromHex(receipt.salt), content);
  for (const [side, neighbour] of receipt.path) {
    const other = fromHex(neighbour);
    digest = await (side === "left" ? hashed(Uint8Array.of(1), other, digest) : hashed(Uint8Array.of(1), digest, other));
  }
  return toHex(digest.buffer);
}

export async function proves(receipt: Receipt, root: string): Promise<boolean> {
  return (await rootOf(receipt)) === root;
}

async function hashed(...parts: Bytes[]): Promise<Bytes> {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", joined));
}
