// What the curves say, in words.

import type { CurvePoint } from "../wire/web";
import { words } from "../words/words.svelte";

export function winInWords(last: CurvePoint | undefined): string {
  if (last === undefined) return words.say("nothing_there");
  const { win, expected, low, high } = last;
  if (expected === null || low === null || high === null) return words.money(win);
  const verdict = words.say(win < low ? "below_bounds" : win > high ? "above_bounds" : "within_bounds");
  return words.say("win_in_words", { win: words.money(win), expected: words.money(Math.round(expected)), low: words.money(Math.round(low)), high: words.money(Math.round(high)), verdict });
}
