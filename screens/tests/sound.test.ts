import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../src/catalogue/languages";
import voices from "../src/catalogue/voices.json";
import { CLIPS, clickBetween, sayingBetween, stillHolds, type Heard } from "../src/sound/saying";
import { readVoice } from "../src/sound/voice";
import type { Cards, HandView, PhaseShown, ResultShown } from "../src/wire/views";

const phase = (coup: number, name: string, change: Partial<PhaseShown> = {}): PhaseShown => ({
  phase: name,
  coup,
  shoe: 1,
  announcement: null,
  dummy: false,
  last_of_shoe: false,
  frozen: false,
  locked: false,
  awaits_confirmation: false,
  ...change,
});
const hand = (cards: readonly string[], points: number | null): HandView => ({ cards, points, title: "" }) as unknown as HandView;
const dealt = (coup: number, player: HandView, banker: HandView): Cards => ({ coup, dummy: false, player, banker, due: null, complete: false });
const result = (coup: number, change: Partial<ResultShown> = {}): ResultShown =>
  ({ coup, shoe: 1, winner: "banker", player: hand(["2S", "3D"], 5), banker: hand(["3H", "3C"], 6), dummy: false, corrected: false, invalid: false, ...change }) as ResultShown;

const none = hand([], null);
const open = (coup: number, change: Partial<PhaseShown> = {}): Heard => ({ phase: phase(coup, "wagering", change), cards: dealt(coup, none, none), result: result(coup - 1) });
const closed = (coup: number): Heard => ({ phase: phase(coup, "no_more_bets"), cards: dealt(coup, none, none), result: result(coup - 1) });
const counted = (coup: number, player = hand(["2S", "3D"], 5), banker = hand(["3H", "3C"], 6)): Heard => ({
  phase: phase(coup, "dealing"),
  cards: dealt(coup, player, banker),
  result: result(coup - 1),
});
const over = (coup: number, change: Partial<ResultShown> = {}): Heard => ({ phase: phase(coup, "between_coups"), cards: null, result: result(coup, change) });
const said = (before: Heard | null, now: Heard, stages: readonly string[] = []): string | undefined => sayingBetween(before, now, stages)?.clips.join(" ");

describe("what is said", () => {
  test("follows a coup from its opening to its result", () => {
    expect(said(over(6), open(7))).toBe("place_your_bets");
    expect(said(open(7), closed(7))).toBe("no_more_bets");
    expect(said(closed(7), counted(7))).toBe("player 5 banker 6");
    expect(said(counted(7), counted(7, hand(["2S", "3D", "TH"], 5)))).toBe("player 5 banker 6");
    expect(said(counted(7), over(7))).toBe("banker_wins 6 to 5");
    expect(said(counted(7), over(7, { winner: "player", player: hand([], 9), banker: hand([], 0) }))).toBe("player_wins 9 to 0");
    expect(said(counted(7), over(7, { winner: "tie", player: hand([], 6), banker: hand([], 6) }))).toBe("tie 6");
  });
  test("is nothing when a page begins, and nothing while nothing changes", () => {
    for (const view of [open(7), closed(7), counted(7), over(7)]) {
      expect(said(null, view)).toBeUndefined();
      expect(said(view, { ...view })).toBeUndefined();
    }
  });
  test("is nothing of the first card, which closes no more than it has", () => {
    expect(said(closed(7), counted(7, hand(["2S"], null), none))).toBeUndefined();
  });
  test("speaks of the coup of now alone, however many views were missed", () => {
    expect(said(open(5), over(7))).toBe("banker_wins 6 to 5");
    expect(said(closed(6), open(7))).toBe("place_your_bets");
    expect(said(counted(6), { ...over(7), result: result(6) })).toBeUndefined(); // Coup 7 was void.
    expect(said(closed(7), { ...counted(7), cards: dealt(6, hand(["2S", "3D"], 5), hand(["3H", "3C"], 6)) })).toBeUndefined();
    expect(said(over(7), { ...over(7), phase: phase(7, "between_coups", { shoe: 2 }) })).toBeUndefined();
  });
  test("is said once, also where the table stood still in between", () => {
    const frozen = open(7, { frozen: true });
    expect(said(open(7), frozen)).toBeUndefined();
    expect(said(frozen, open(7), ["open"])).toBeUndefined();
  });
  test("is nothing of a dummy coup, a locked table, or a result that was put right or made invalid", () => {
    expect(said(over(6), open(7, { dummy: true }))).toBeUndefined();
    expect(said(over(6), open(7, { locked: true }))).toBeUndefined();
    expect(said(counted(7), over(7, { corrected: true }))).toBeUndefined();
    expect(said(counted(7), over(7, { invalid: true }))).toBeUndefined();
  });
  test("is dropped as soon as the coup has gone on, or another has begun", () => {
    const waiting = sayingBetween(over(6), open(7), []);
    expect(waiting).not.toBeNull();
    if (waiting === null) return;
    expect(stillHolds(waiting, open(7))).toBe(true);
    expect(stillHolds(waiting, closed(7))).toBe(false);
    expect(stillHolds(waiting, open(8))).toBe(false);
  });
});

describe("clicks", () => {
  const wagers = (cents: number): Pick<Heard, "wagers"> => ({ wagers: { on_layout: cents > 0 ? { tie: cents } : {}, sealed: false, remembered: {}, undos: 0 } });
  test("are heard of a chip that was laid and a card that came, within one coup", () => {
    expect(clickBetween({ ...open(7), ...wagers(0) }, { ...open(7), ...wagers(500) })).toBe("chip");
    expect(clickBetween({ ...open(7), ...wagers(500) }, { ...open(7), ...wagers(0) })).toBeNull();
    expect(clickBetween({ ...over(6), ...wagers(0) }, { ...open(7), ...wagers(500) })).toBeNull();
    expect(clickBetween(closed(7), counted(7))).toBe("card");
    expect(clickBetween(null, counted(7))).toBeNull();
  });
});

describe("voices", () => {
  test("every language has words for every clip", () => {
    for (const { code } of LANGUAGES) {
      const spoken = (voices as Record<string, { words: Record<string, string> }>)[code];
      expect(Object.keys(spoken?.words ?? {}).toSorted()).toEqual([...CLIPS].toSorted());
    }
  });
  test("are read from one file, with silence and both signs where they were", () => {
    const head = new TextEncoder().encode(JSON.stringify({ rate: 11_025, clips: { player: [0, 1], to: [1, 2] } }));
    const file = new Uint8Array(4 + head.length + 3);
    new DataView(file.buffer).setUint32(0, head.length, true);
    file.set(head, 4);
    file.set([0xff, 0x80, 0x00], 4 + head.length);
    const voice = readVoice(file.buffer);
    expect(voice.rate).toBe(11_025);
    expect(voice.samples("player")?.[0]).toBeCloseTo(0);
    expect(voice.samples("to")?.[0]).toBeCloseTo(0.98, 1);
    expect(voice.samples("to")?.[1]).toBeCloseTo(-0.98, 1);
    expect(voice.samples("banker")).toBeNull();
  });
});
