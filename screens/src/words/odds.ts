// Odds as the rule books print them, in the language of the page.

import { words } from "./words.svelte";

export function odds(pays: string): string {
  return pays.replace(/(\d+) to (\d+)/g, (_, more: string, less: string) => words.say("pays", { more, less }));
}
