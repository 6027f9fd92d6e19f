// How a device becomes known to the floor: by an invitation in the address, or by a code that a supervisor approves.

import type { QrPicture } from "../wire/web";
import { identityFor, keep, newIdentity, publicKey, type Identity } from "./identity";

const ASK_AGAIN_MS = 2_000;

interface Approved {
  readonly device?: string;
}

export class Enrolment {
  /** The code to be read to a supervisor, while one is waited for. */
  code = $state("");
  trouble = $state("");
  /** The link to this request at the floor's desk, for its camera. */
  picture = $state.raw<QrPicture | null>(null);

  readonly #kind: string;

  constructor(kind: string) {
    this.#kind = kind;
  }

  /** The identity, once the floor knows it. */
  async known(): Promise<Identity> {
    const identity = await this.invited();
    return identity.device === "" ? this.#wait(identity) : identity;
  }

  /** The identity as it is, enrolled by the invitation in the address if there is one. */
  async invited(): Promise<Identity> {
    const identity = await identityFor(this.#kind);
    const invitation = /(?:^#|&)invitation=([^&]+)/.exec(location.hash)?.[1];
    if (invitation !== undefined) {
      history.replaceState(null, "", location.pathname + location.search);
      const accepted = await this.#accept(invitation, identity);
      if (accepted !== "") return keep(this.#kind, { ...identity, device: accepted });
    }
    return identity;
  }

  /** The floor no longer knows this device: wait for the approval of a new key, since each is enrolled once. */
  async anew(): Promise<Identity> {
    this.code = "";
    return this.#wait(await newIdentity(this.#kind));
  }

  async #draw(link: string): Promise<void> {
    const answer = await fetch(`/api/qr?text=${encodeURIComponent(link)}`).catch(() => null);
    this.picture = answer?.ok ? ((await answer.json()) as QrPicture) : null;
  }

  async #accept(invitation: string, identity: Identity): Promise<string> {
    const path = `/api/invitations/${encodeURIComponent(invitation)}`;
    const answer = await post<Approved>(path, { key: await publicKey(identity) });
    if (answer.device === undefined) this.trouble = "invitation";
    return answer.device ?? "";
  }

  async #wait(identity: Identity): Promise<Identity> {
    for (;;) {
      const asked = await post<{ id?: string; code?: string }>("/api/enrolments", {
        kind: this.#kind,
        key: await publicKey(identity),
      });
      this.code = asked.code ?? "";
      if (asked.id !== undefined) void this.#draw(`${location.origin}/floor#waiting=${asked.id}&code=${this.code}`);
      while (asked.id !== undefined) {
        await pause(ASK_AGAIN_MS);
        const answer = await fetch(`/api/enrolments/${asked.id}`).catch(() => null);
        if (!answer?.ok) break; // The floor cannot be reached, or has forgotten the request: make a new one.
        const { device } = (await answer.json()) as Approved;
        if (device) return keep(this.#kind, { ...identity, device });
      }
      await pause(ASK_AGAIN_MS);
    }
  }
}

async function post<Answer extends object>(path: string, body: object): Promise<Partial<Answer>> {
  const headers = { "Content-Type": "application/json" };
  try {
    const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    return answer.ok ? ((await answer.json()) as Answer) : {};
  } catch {
    return {}; // The floor cannot be reached now; the caller asks again.
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
