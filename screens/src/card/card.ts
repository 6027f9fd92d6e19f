// A card as it is written on the wire, and as it is read out.

import type { Key } from "../catalogue/catalogue";

/** Each suit as an outline about the origin, one unit to each side, and its name. */
const SUITS = {
  s: ["M0-1C.25-.55 1-.25 1 .3A.46.46 0 0 1 .16 .52C.18 .75.26 .88.42 1H-.42C-.26 .88-.18 .75-.16 .52A.46.46 0 0 1-1 .3C-1-.25-.25-.55 0-1Z", "spades"],
  h: ["M0 1C-.3.55-1 .1-1-.42A.52.52 0 0 1 0-.58A.52.52 0 0 1 1-.42C1 .1.3.55 0 1Z", "hearts"],
  d: ["M0-1Q.3-.42.78 0Q.3.42 0 1Q-.3.42-.78 0Q-.3-.42 0-1Z", "diamonds"],
  c: ["M0-1A.44.44 0 0 1 .33-.27A.44.44 0 1 1 .15 .47C.18 .72.26 .88.42 1H-.42C-.26 .88-.18 .72-.15 .47A.44.44 0 1 1-.33-.27A.44.44 0 0 1 0-1Z", "clubs"],
} as const;
const COURT: Readonly<Record<string, Key>> = { A: "ace", J: "jack", Q: "queen", K: "king" };

export interface CardFace {
  readonly rank: string;
  /** The outline of its suit. */
  readonly suit: string;
  readonly suitName: Key;
  /** The key of the rank's name where it has one; the others are their number. */
  readonly rankName: Key | null;
  readonly red: boolean;
  readonly pips: readonly (readonly [x: number, y: number])[];
}

const [left, middle, right] = [37, 50, 63];
/** Where the pips stand on a face of 100 by 140. */
const PIPS: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  "2": [[middle, 32], [middle, 108]],
  "3": [[middle, 32], [middle, 70], [middle, 108]],
  "4": [[left, 32], [right, 32], [left, 108], [right, 108]],
  "5": [[left, 32], [right, 32], [middle, 70], [left, 108], [right, 108]],
  "6": [[left, 32], [right, 32], [left, 70], [right, 70], [left, 108], [right, 108]],
  "7": [[left, 32], [right, 32], [middle, 52], [left, 70], [right, 70], [left, 108], [right, 108]],
  "8": [[left, 32], [right, 32], [middle, 52], [left, 70], [right, 70], [middle, 88], [left, 108], [right, 108]],
  "9": [[left, 30], [right, 30], [left, 57], [right, 57], [middle, 70], [left, 83], [right, 83], [left, 110], [right, 110]],
  "10": [
    [left, 30], [right, 30], [middle, 43], [left, 57], [right, 57],
    [left, 83], [right, 83], [middle, 97], [left, 110], [right, 110],
  ],
};

export function readCard(notation: string): CardFace {
  const [rank = "", letter = ""] = notation;
  const suit = letter.toLowerCase();
  const [outline, name] = SUITS[suit as keyof typeof SUITS];
  const shown = rank === "T" ? "10" : rank;
  return {
    rank: shown,
    suit: outline,
    suitName: name,
    rankName: COURT[rank] ?? null,
    red: suit === "h" || suit === "d",
    pips: PIPS[shown] ?? [],
  };
}
