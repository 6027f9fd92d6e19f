// Who this device is: a key that cannot leave the browser, and the name that the floor enrolled it under.

import { toBase64Url } from "./bytes";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256" } as const;
const STORE = "identity";

export interface Identity {
  readonly keys: CryptoKeyPair;
  /** The name under which the floor knows the key; empty until it is enrolled. */
  readonly device: string;
}

/** The identity kept for this page's kind, or a new one with a key that no script can read. */
export async function identityFor(kind: string): Promise<Identity> {
  const kept = await read(kind);
  return kept ?? newIdentity(kind);
}

export async function newIdentity(kind: string): Promise<Identity> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, false, ["sign", "verify"]);
  return keep(kind, { keys, device: "" });
}

export async function keep(kind: string, identity: Identity): Promise<Identity> {
  await transact("readwrite", (store) => store.put(identity, kind));
  return identity;
}

/** The public half as the floor wants it: SubjectPublicKeyInfo in base64url. */
export async function publicKey(identity: Identity): Promise<string> {
  return toBase64Url(await crypto.subtle.exportKey("spki", identity.keys.publicKey));
}

/** The answer to a challenge: a device that can sign this holds the key. */
export async function proof(identity: Identity, floor: string, nonce: string): Promise<string> {
  const text = new TextEncoder().encode(`sabot device proof\n${floor}\n${nonce}`);
  const how = { name: "ECDSA", hash: "SHA-256" };
  return toBase64Url(await crypto.subtle.sign(how, identity.keys.privateKey, text));
}

function read(kind: string): Promise<Identity | undefined> {
  return transact("readonly", (store) => store.get(kind) as IDBRequest<Identity | undefined>);
}

async function transact<Answer>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Answer>,
): Promise<Answer> {
  const opening = indexedDB.open("sabot", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await settled(opening);
  try {
    return await settled(act(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function settled<Answer>(request: IDBRequest<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the browser's store did not answer"));
  });
}
