// Asking the floor something over HTTP, as a person who is signed on.

import type { Refused } from "../wire/frames";

export type Answered<Answer> =
  | { readonly kind: "done"; readonly value: Answer }
  | { readonly kind: "refused"; readonly refusal: Refused };

export interface Tokens {
  /** Of the person who acts. */
  readonly token?: string;
  /** Of the person who approves. */
  readonly second?: string;
}

const NOTHING_TO_SAY = 204;
const UNREACHABLE: Refused = { code: "unreachable", clause: "", text: "the floor cannot be reached just now" };

export async function request<Answer>(
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: string,
  body: object | null = null,
  { token, second }: Tokens = {},
): Promise<Answered<Answer>> {
  const headers: Record<string, string> = {
    ...(body === null ? {} : { "Content-Type": "application/json" }),
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(second === undefined ? {} : { "Sabot-Second": second }),
  };
  try {
    const answer = await fetch(path, { method, headers, ...(body === null ? {} : { body: JSON.stringify(body).normalize() }) });
    const said: unknown = answer.status === NOTHING_TO_SAY ? null : await answer.json();
    return answer.ok ? { kind: "done", value: said as Answer } : { kind: "refused", refusal: said as Refused };
  } catch {
    return { kind: "refused", refusal: UNREACHABLE };
  }
}
