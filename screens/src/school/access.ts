// The word by which this browser may see a lesson: a trainee's comes with the link and is kept, the teacher's PIN is typed.

import { request, type Answered } from "../staff/request";

const KEY = "sabot-school-key";
const PIN = "sabot-school-pin";

const given = /(?:^#|&)key=([^&]+)/.exec(location.hash)?.[1];
if (given !== undefined) localStorage.setItem(KEY, decodeURIComponent(given));

/** The teacher's PIN lasts as long as the window does. */
export function keepPin(pin: string): void {
  sessionStorage.setItem(PIN, pin);
}

export function forgetPin(): void {
  sessionStorage.removeItem(PIN);
}

export function hasPin(): boolean {
  return sessionStorage.getItem(PIN) !== null;
}

export function askSchool<Answer>(method: "GET" | "POST", path: string, body: object | null = null): Promise<Answered<Answer>> {
  return request<Answer>(method, path, body, { token: sessionStorage.getItem(PIN) ?? localStorage.getItem(KEY) ?? "" });
}
