// A card that lies face down and is lifted at a corner: the corner is folded over to where the finger is. What is left of the back and
// what is seen of the face are polygons on either side of the fold, which is the line between corner and finger, in the middle.

export interface Point {
  readonly x: number;
  readonly y: number;
}
export interface Size {
  readonly width: number;
  readonly height: number;
}
export interface Fold {
  /** What is still covered. */
  readonly back: readonly Point[];
  /** What is lifted, on the face of the card. */
  readonly face: readonly Point[];
  /** How the face is moved to lie where the flap is, as a CSS matrix. */
  readonly matrix: readonly [number, number, number, number, number, number];
  /** How much of the card is lifted, from 0 to 1. */
  readonly lifted: number;
}

/** A card that is lifted by so much of its area is turned over. */
export const ENOUGH = 0.35;

/** The corner of a card that is nearest to a point. */
export function cornerAt({ width, height }: Size, { x, y }: Point): Point {
  return { x: x * 2 < width ? 0 : width, y: y * 2 < height ? 0 : height };
}

/** The card with a corner drawn to a point; nothing where it is not lifted. */
export function foldOf(card: Size, corner: Point, to: Point): Fold | null {
  const [dx, dy] = [to.x - corner.x, to.y - corner.y];
  const far = Math.hypot(dx, dy);
  if (far < 1) return null;
  const [nx, ny] = [dx / far, dy / far];
  const middle = { x: (corner.x + to.x) / 2, y: (corner.y + to.y) / 2 };
  /** How far a point lies beyond the fold, seen from the corner. */
  const beyond = ({ x, y }: Point): number => (x - middle.x) * nx + (y - middle.y) * ny;
  const { width, height } = card;
  const whole: Point[] = [{ x: 0, y: 0 }, { x: width, y: 0 }, { x: width, y: height }, { x: 0, y: height }];
  const lifted = cut(whole, (point) => -beyond(point));
  // A card is turned over sideways, so the left of its back is the right of its face.
  const face = lifted.map(({ x, y }) => ({ x: width - x, y }));
  const shift = 2 * (middle.x * nx + middle.y * ny);
  const across = 1 - 2 * nx * nx;
  const matrix = [-across, 2 * nx * ny, -2 * nx * ny, 1 - 2 * ny * ny, width * across + shift * nx, shift * ny - 2 * width * nx * ny] as const;
  return { back: cut(whole, beyond), face, matrix, lifted: area(lifted) / (width * height) };
}

/** The part of a polygon where a linear function is not below zero. */
function cut(polygon: readonly Point[], value: (point: Point) => number): Point[] {
  const kept: Point[] = [];
  polygon.forEach((point, place) => {
    const next = polygon[(place + 1) % polygon.length]!;
    const [here, there] = [value(point), value(next)];
    if (here >= 0) kept.push(point);
    if (here < 0 !== there < 0) {
      const share = here / (here - there);
      kept.push({ x: point.x + share * (next.x - point.x), y: point.y + share * (next.y - point.y) });
    }
  });
  return kept;
}

function area(polygon: readonly Point[]): number {
  const twice = polygon.reduce((sum, { x, y }, place) => {
    const next = polygon[(place + 1) % polygon.length]!;
    return sum + x * next.y - next.x * y;
  }, 0);
  return Math.abs(twice) / 2;
}

export function polygonOf(points: readonly Point[]): string {
  return points.length < 3 ? "polygon(0 0, 0 0, 0 0)" : `polygon(${points.map(({ x, y }) => `${x}px ${y}px`).join(", ")})`;
}
