import { describe, expect, test } from "vitest";
import { Asks, type Outcome } from "../src/link/asks";
import type { Ask } from "../src/wire/frames";

function started(last = 0): { asks: Asks; sent: Ask[]; hellos: number[] } {
  const sent: Ask[] = [];
  const hellos: number[] = [];
  const asks = new Asks(
    (frame) => sent.push(frame),
    () => hellos.push(sent.length),
  );
  asks.welcome(7, last, null);
  return { asks, sent, hellos };
}

const undo = { do: "undo" } as const;
const clear = { do: "clear" } as const;

describe("commands on their way to the table", () => {
  test("go one at a time, and the next waits for the answer", async () => {
    const { asks, sent } = started();
    const first = asks.ask(undo, { coup: 3 });
    const second = asks.ask(clear, { coup: 3 });
    expect(sent).toEqual([{ type: "ask", epoch: 7, n: 1, coup: 3, command: undo }]);
    asks.answered({ type: "answer", epoch: 7, n: 1, version: 40 });
    expect(await first).toEqual({ kind: "done", epoch: 7, version: 40, layout: null });
    expect(sent[1]).toEqual({ type: "ask", epoch: 7, n: 2, coup: 3, command: clear });
    const refusal = { code: "wagering_closed", clause: "CROWN 4.7", text: "wagering is closed" };
    asks.answered({ type: "answer", epoch: 7, n: 2, version: 41, refusal });
    expect(await second).toEqual({ kind: "refused", refusal });
  });

  test("count on from what the welcome says, as after a reload", () => {
    const { asks, sent } = started(12);
    void asks.ask(undo);
    expect(sent[0]?.n).toBe(13);
  });

  test("are repeated under the same name in the same epoch until they are answered", async () => {
    const { asks, sent } = started();
    const asked = asks.ask(undo);
    asks.close();
    expect(asks.pending).toEqual([7, 1]);
    asks.welcome(7, 1, null);
    expect(sent).toHaveLength(2);
    expect(sent[1]).toEqual(sent[0]);
    asks.answered({ type: "answer", epoch: 7, n: 1, version: 9 });
    expect(await asked).toEqual({ kind: "done", epoch: 7, version: 9, layout: null });
  });

  test("are settled by the welcome of a new epoch, and never said again in it", async () => {
    const { asks, sent } = started();
    const asked = asks.ask(undo);
    asks.close();
    asks.welcome(8, 0, { type: "lost", epoch: 7, n: 1 });
    expect(await asked).toEqual({ kind: "lost" });
    expect(sent).toHaveLength(1);
    void asks.ask(clear);
    expect(sent[1]).toMatchObject({ epoch: 8, n: 1 });
  });

  test("ask again when a welcome of a new epoch says nothing of them, since it answers an earlier hello", () => {
    const { asks, sent, hellos } = started();
    void asks.ask(undo);
    asks.welcome(8, 0, null);
    expect([sent.length, hellos.length, asks.pending]).toEqual([1, 1, [7, 1]]);
  });

  test("believe a no that is on no record only where no earlier copy can have been taken", async () => {
    const refusal = { code: "not_served", clause: "", text: "nothing was done" };
    const no = { type: "answer", epoch: 7, version: 0, refusal } as const;
    const { asks, sent, hellos } = started();
    const once = asks.ask(undo);
    asks.answered({ ...no, n: 1 });
    expect(await once).toEqual({ kind: "refused", refusal });

    const twice = asks.ask(clear);
    asks.repeat();
    asks.answered({ ...no, n: 2 });
    expect([sent.length, hellos.length, asks.pending]).toEqual([3, 1, [7, 2]]);
    asks.welcome(7, 1, null);
    expect(await twice).toEqual({ kind: "refused", refusal });
  });

  test("ignore an answer of an older epoch", async () => {
    const { asks } = started();
    const outcomes: Outcome[] = [];
    void asks.ask(undo).then((outcome) => outcomes.push(outcome));
    asks.answered({ type: "answer", epoch: 6, n: 1, version: 1 });
    await Promise.resolve();
    expect(outcomes).toEqual([]);
  });

  test("that were never said are lost when the link is, so that no old touch is played later", async () => {
    const { asks, sent } = started();
    void asks.ask(undo);
    const waiting = asks.ask(clear);
    asks.close();
    expect(await waiting).toEqual({ kind: "lost" });
    asks.welcome(7, 1, { type: "answer", epoch: 7, n: 1, version: 2 });
    expect(sent).toHaveLength(1);
  });
});
