// A card that is dealt slides from the shoe with its back up and turns; the third card then turns sideways.

import { LONGEST_MS, mayMove, middleOf, shoeOf } from "./motion";

/** When it has arrived, when its edge is seen and the face comes up, and when it lies open, as shares of the whole. */
const ARRIVED = 0.5;
const EDGE = 0.65;
const OPEN = 0.8;

/** For `in:`, which runs where a card is new and not where a page is opened with cards on it. A covered one does not turn. */
export function dealt(card: HTMLElement, { across = false, covered = false }: { across?: boolean; covered?: boolean } = {}): { duration: number } {
  const page = card.closest("main");
  const face = card.firstElementChild;
  if (!mayMove() || page === null || face === null) return { duration: 0 };
  const [shoe, place] = [shoeOf(page), middleOf(card)];
  const from = `translate(${shoe.x - place.x}px, ${shoe.y - place.y}px)`;
  const timing = { duration: LONGEST_MS, easing: "ease-out" };
  if (covered) {
    card.animate([{ transform: from }, { transform: "none", offset: ARRIVED }, { transform: "none" }], timing);
    return { duration: 0 };
  }
  card.dataset["turning"] = "";
  const slide = card.animate(
    [
      { transform: `${from} scaleX(1)` },
      { transform: "scaleX(1)", offset: ARRIVED },
      { transform: "scaleX(0)", offset: EDGE },
      { transform: "scaleX(1)", offset: OPEN },
      { transform: "scaleX(1)" },
    ],
    timing,
  );
  const upright = { opacity: 1, transform: "rotate(0deg)" };
  const lies = { opacity: 1, transform: across ? "rotate(90deg)" : "rotate(0deg)" };
  face.animate([{ ...upright, opacity: 0 }, { ...upright, opacity: 0, offset: EDGE }, { ...upright, offset: EDGE }, { ...upright, offset: OPEN }, lies], timing);
  slide.onfinish = slide.oncancel = () => void delete card.dataset["turning"];
  return { duration: 0 };
}
