// What is said aloud, as a function of the view before and the view now. Everything said belongs to one coup and one
// stage of it, so that nothing is said twice, late, or of a coup that is over.

import type { Cards, PhaseShown, ResultShown, StationView } from "../wire/views";

/** What each language has a clip of (`catalogue/voices.json`). */
export const CLIPS = [
  ...(["place_your_bets", "no_more_bets", "player", "banker", "player_wins", "banker_wins", "tie", "to"] as const),
  ...(["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"] as const),
] as const;
export type Clip = (typeof CLIPS)[number];

export interface Heard {
  readonly phase: PhaseShown;
  readonly cards: Cards | null;
  readonly result: ResultShown | null;
  /** A station's own. */
  readonly wagers?: StationView["wagers"];
}

export interface Saying {
  /** Shoe and coup. */
  readonly coup: string;
  readonly stage: string;
  readonly clips: readonly Clip[];
}

export type Click = "chip" | "card";

export function coupOf({ phase }: Pick<Heard, "phase">): string {
  return `${phase.shoe}/${phase.coup}`;
}

const figure = (points: number): Clip => String(points) as Clip;

/** What would be said of a view's coup as it stands; nothing in a coup without wagers, or while the table stands still. */
export function standingOf(view: Heard): Saying | null {
  const { phase, cards, result } = view;
  const coup = coupOf(view);
  if (phase.dummy || phase.frozen || phase.locked || phase.awaits_confirmation) return null;
  if (phase.phase === "wagering") return { coup, stage: "open", clips: ["place_your_bets"] };
  if (cards !== null) return cards.coup === phase.coup ? { coup, ...dealtOf(cards) } : null;
  const isNew = result !== null && result.coup === phase.coup && result.shoe === phase.shoe;
  return isNew && !result.dummy && !result.invalid && !result.corrected ? { coup, ...decidedOf(result) } : null;
}

function dealtOf({ player, banker }: Cards): Omit<Saying, "coup"> {
  const isCounted = player.cards.length >= 2 && banker.cards.length >= 2 && player.points !== null && banker.points !== null;
  if (!isCounted || player.points === null || banker.points === null) return { stage: "closed", clips: ["no_more_bets"] };
  return {
    stage: `counts ${player.cards.length}:${player.points} ${banker.cards.length}:${banker.points}`,
    clips: ["player", figure(player.points), "banker", figure(banker.points)],
  };
}

function decidedOf({ winner, player, banker }: ResultShown): Omit<Saying, "coup"> {
  const points = [player.points ?? 0, banker.points ?? 0];
  const [high, low] = [figure(Math.max(...points)), figure(Math.min(...points))];
  if (winner === "tie") return { stage: "result", clips: ["tie", high] };
  return { stage: "result", clips: [winner === "player" ? "player_wins" : "banker_wins", high, "to", low] };
}

/** What to say now that a view has followed another; `said` are the stages of this coup that were said already. */
export function sayingBetween(before: Heard | null, now: Heard, said: readonly string[]): Saying | null {
  const saying = standingOf(now);
  if (before === null || saying === null) return null;
  const earlier = standingOf(before);
  const isSame = earlier !== null && earlier.coup === saying.coup && earlier.stage === saying.stage;
  return isSame || said.includes(saying.stage) ? null : saying;
}

/** Whether something that waited to be said still holds. */
export function stillHolds(saying: Saying, now: Heard): boolean {
  const standing = standingOf(now);
  return standing !== null && standing.coup === saying.coup && standing.stage === saying.stage;
}

const total = (layout: Readonly<Record<string, number>> | undefined): number => Object.values(layout ?? {}).reduce((sum, cents) => sum + cents, 0);
const dealt = (cards: Cards | null): number => (cards === null ? 0 : cards.player.cards.length + cards.banker.cards.length);

/** The click of a card that came, or of chips that were laid, within one coup. */
export function clickBetween(before: Heard | null, now: Heard): Click | null {
  if (before === null || coupOf(before) !== coupOf(now)) return null;
  if (now.cards !== null && dealt(now.cards) > dealt(before.cards)) return "card";
  return total(now.wagers?.on_layout) > total(before.wagers?.on_layout) ? "chip" : null;
}
