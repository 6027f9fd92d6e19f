import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Identity } from "../src/device/identity";
import { Link } from "../src/link/link.svelte";

/** A socket of which the test says what happens. */
class Socket {
  static readonly OPEN = 1;
  static all: Socket[] = [];
  readyState = Socket.OPEN;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly sent: string[] = [];

  constructor(readonly address: string) {
    Socket.all.push(this);
  }

  send(frame: string): void {
    this.sent.push(frame);
  }

  close(): void {
    this.onclose?.({ code: 1000 });
  }
}

let link: Link<{ clock: number }>;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", Socket);
  Socket.all = [];
  link = new Link<{ clock: number }>({ device: "A1" } as Identity, "ws://floor/ws");
});

afterEach(() => {
  link.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function closedWith(code: number): void {
  const socket = Socket.all.at(-1);
  socket?.onmessage?.({ data: JSON.stringify({ type: "bye", why: "why" }) });
  socket?.onclose?.({ code });
}

test("a device that the floor cannot look up now stays what it is and tries again", () => {
  for (const code of [1013, 1011, 4001, 1006]) {
    const tried = Socket.all.length;
    closedWith(code);
    expect(link.standing).toBe("connecting");
    vi.advanceTimersByTime(3_000);
    expect(Socket.all.length).toBe(tried + 1);
  }
});

test("only a refused proof makes it unknown", () => {
  closedWith(4003);
  expect(link.standing).toBe("unknown");
});

test("while the journal does not answer the page says that it waits", () => {
  closedWith(4005);
  expect(link.standing).toBe("paused");
  vi.advanceTimersByTime(3_000);
  expect(link.standing).toBe("paused");
});

test("a link follows its table to the process that owns it, and tries both where that one is gone", () => {
  const told = (): void => {
    const socket = Socket.all.at(-1);
    socket?.onmessage?.({ data: JSON.stringify({ type: "bye", why: "why", owner: "http://other:1" }) });
    socket?.onclose?.({ code: 4001 });
    vi.advanceTimersByTime(3_000);
  };
  told();
  expect(Socket.all.at(-1)?.address).toBe("ws://other:1/ws");
  const tried = new Set<string>();
  for (let time = 0; time < 4; time += 1) {
    Socket.all.at(-1)?.onclose?.({ code: 1006 });
    vi.advanceTimersByTime(3_000);
    tried.add(Socket.all.at(-1)?.address ?? "");
  }
  expect(tried).toEqual(new Set(["ws://floor/ws", "ws://other:1/ws"]));
});
