// A location tells once for each posting that it shows it, and again when what it told was lost.

import { expect, test } from "vitest";
import type { Outcome } from "../src/link/asks";
import { ShownSigns } from "../src/notice/shown_signs";
import type { DeviceAct } from "../src/wire/frames";

class Asking {
  isLive = true;
  outcome: Outcome = { kind: "done", epoch: 1, version: 1, layout: null };
  readonly asked: DeviceAct[] = [];

  ask(command: DeviceAct): Promise<Outcome> {
    this.asked.push(command);
    return Promise.resolve(this.outcome);
  }
}

test("each posting is told once", () => {
  const [link, signs] = [new Asking(), new ShownSigns()];
  for (const posted of ["a", "a", "b"]) signs.tell(link, posted);
  expect(link.asked).toEqual([
    { do: "shows_sign", sign: "a" },
    { do: "shows_sign", sign: "b" },
  ]);
});

test("what was lost is told again, and nothing is told while nobody hears", async () => {
  const [link, signs] = [new Asking(), new ShownSigns()];
  link.outcome = { kind: "lost" };
  signs.tell(link, "a");
  await Promise.resolve();
  link.isLive = false;
  signs.tell(link, "a");
  expect(link.asked).toHaveLength(1);
  link.isLive = true;
  signs.tell(link, "a");
  expect(link.asked).toHaveLength(2);
});
