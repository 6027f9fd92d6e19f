// A chip that flies: a copy of the picture of one, which is gone when it has arrived.

import { mayMove, middleOf, type Point } from "./motion";

const FLIGHT_MS = 220;

function placeOf(end: Element | Point): Point {
  return end instanceof Element ? middleOf(end) : end;
}

export function fly(chip: Element | null, from: Element | Point | null, to: Element | Point | null): void {
  if (!mayMove() || chip === null || from === null || to === null) return;
  const { width, height } = chip.getBoundingClientRect();
  const copy = document.createElement("div");
  copy.append(chip.cloneNode(true));
  copy.dataset["flying"] = "";
  Object.assign(copy.style, { position: "fixed", left: "0", top: "0", width: `${width}px`, height: `${height}px`, zIndex: "30", pointerEvents: "none" });
  document.body.append(copy);
  const at = ({ x, y }: Point): string => `translate(${x - width / 2}px, ${y - height / 2}px)`;
  const flight = copy.animate([{ transform: at(placeOf(from)) }, { transform: at(placeOf(to)) }], { duration: FLIGHT_MS, easing: "ease-in-out", fill: "both" });
  flight.onfinish = flight.oncancel = () => copy.remove();
}
