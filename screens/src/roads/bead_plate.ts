// Where the beads of the plate lie, and what each says.

export const ROWS = 6;

export interface Bead {
  readonly column: number;
  readonly row: number;
  readonly winner: "B" | "P" | "T";
  readonly bankerPair: boolean;
  readonly playerPair: boolean;
}

/** The newest beads that fit: when the plate is full, whole left columns go. */
export function beads(plate: readonly string[], columns: number): readonly Bead[] {
  const gone = Math.max(0, Math.ceil(plate.length / ROWS) - columns);
  return plate.slice(gone * ROWS).map((coup, place) => ({
    column: Math.floor(place / ROWS),
    row: place % ROWS,
    winner: coup[0] as Bead["winner"],
    bankerPair: coup.includes("b"),
    playerPair: coup.includes("p"),
  }));
}

/** Marks that still fit when a road is wider than its place: the left ones are out of sight. */
export function inSight<Mark extends readonly [column: number, ...rest: unknown[]]>(
  marks: readonly Mark[],
  columns: number,
): { readonly marks: readonly Mark[]; readonly first: number } {
  const widest = marks.reduce((most, [column]) => Math.max(most, column), 0);
  const first = Math.max(1, widest - columns + 1);
  return { marks: marks.filter(([column]) => column >= first), first };
}
