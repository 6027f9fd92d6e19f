// A touch on the name of a betting area tells of the bet and lays no chip. The names are marked with `data-name-of`; at
// the keyboard it is the key I on an area.

const CLICK_WITHIN_MS = 350;

function betAt(event: Event, mark: "nameOf" | "bet"): string | null {
  const selector = mark === "bet" ? "[data-bet]" : "[data-name-of]";
  return event.target instanceof Element ? (event.target.closest<HTMLElement>(selector)?.dataset[mark] ?? null) : null;
}

/** Listens before the areas do, so that the same touch neither lays nor lifts chips. */
export function nameTouches(layout: HTMLElement, onname: (bet: string) => void): { destroy: () => void } {
  let pressed: string | null = null;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const listening = new AbortController();
  const listen = <Kind extends "pointerdown" | "pointerup" | "click" | "keydown">(kind: Kind, hear: (event: HTMLElementEventMap[Kind]) => void): void =>
    layout.addEventListener(kind, hear, { capture: true, signal: listening.signal });
  listen("pointerdown", (event) => {
    pressed = event.isPrimary && event.button === 0 ? betAt(event, "nameOf") : null;
    if (pressed !== null) event.stopPropagation();
  });
  // The sheet opens with the click, which would otherwise hit the sheet and close it. An area that takes no chips now
  // is a closed button, whose click is never told: there the sheet opens without it.
  listen("pointerup", (event) => {
    const bet = pressed;
    pressed = null;
    if (bet !== null && betAt(event, "nameOf") === bet) waiting = setTimeout(() => onname(bet), CLICK_WITHIN_MS);
  });
  listen("click", (event) => {
    const bet = betAt(event, "nameOf");
    if (bet === null) return;
    event.stopPropagation();
    clearTimeout(waiting);
    onname(bet);
  });
  listen("keydown", (event) => {
    const bet = event.key.toLowerCase() === "i" ? betAt(event, "bet") : null;
    if (bet !== null) onname(bet);
  });
  return {
    destroy: () => {
      clearTimeout(waiting);
      listening.abort();
    },
  };
}
