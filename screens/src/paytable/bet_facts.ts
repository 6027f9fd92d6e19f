// What a sheet tells of one bet: each line of its pay table, what is needed beside it, and what the exact odds come to.

import type { BetOddsAnswer, OddsAnswer } from "../wire/web";
import { percent, oneIn, readFraction } from "./fraction";

export interface Figure {
  readonly name: "chance_win" | "chance_push" | "chance_lose" | "house_edge";
  readonly percent: string;
  /** The n of "1 in n"; none for an edge, and for what never happens. */
  readonly oneIn: string | null;
  readonly exact: string;
}

export function figuresOf(odds: BetOddsAnswer): readonly Figure[] {
  const chance = (name: Figure["name"], exact: string): Figure => {
    const fraction = readFraction(exact);
    return { name, percent: percent(fraction), oneIn: oneIn(fraction), exact };
  };
  const chances = [
    chance("chance_win", odds.win),
    ...(odds.push.startsWith("0/") ? [] : [chance("chance_push", odds.push)]),
    chance("chance_lose", odds.lose),
  ];
  return [...chances, { ...chance("house_edge", odds.house_edge), oneIn: null }];
}

/** The odds of a table; null where it cannot be asked now. */
export async function oddsOf(table: string): Promise<OddsAnswer | null> {
  try {
    const answer = await fetch(`/api/tables/${encodeURIComponent(table)}/odds`);
    return answer.ok ? ((await answer.json()) as OddsAnswer) : null;
  } catch {
    return null;
  }
}
