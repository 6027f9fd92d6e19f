// Motion that nobody waits for: transforms alone, on top of what is already right, over in under 300 ms, and none where the
// device asks for calm. What moves cannot be touched, so it is never in the way of a touch.

import { prefersReducedMotion } from "svelte/motion";

/** The longest that anything moves. */
export const LONGEST_MS = 280;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Whether things may move now: on a page that is seen, and where the device has not asked for less. */
export function mayMove(): boolean {
  return !prefersReducedMotion.current && document.visibilityState === "visible";
}

export function middleOf(element: Element): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/** The dealer's side of a page: the middle of its upper edge. The shoe stands to the right of it. */
export function dealerOf(page: Element): Point {
  const { left, top, width } = page.getBoundingClientRect();
  return { x: left + width / 2, y: top };
}

export function shoeOf(page: Element): Point {
  const { right, top } = page.getBoundingClientRect();
  return { x: right, y: top };
}
