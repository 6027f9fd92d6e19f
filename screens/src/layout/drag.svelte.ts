// Dragging a chip or a stack. A touch that moves less than the threshold stays a touch.

const THRESHOLD_PX = 8;

export interface Load {
  readonly cents: number;
  /** The bet whose stack it is; none for a chip from the rack. */
  readonly from: string | null;
}

export interface Dragged extends Load {
  readonly x: number;
  readonly y: number;
}

export class Drag {
  /** What is in the air, and where. */
  dragged = $state.raw<Dragged | null>(null);
  readonly #drop: (load: Load, onto: string | null) => void;
  #justDropped = false;

  constructor(drop: (load: Load, onto: string | null) => void) {
    this.#drop = drop;
  }

  /** Whether the click that follows belongs to a drag and is to be left alone. */
  get swallowsClick(): boolean {
    return this.#justDropped;
  }

  lift(event: PointerEvent, load: Load): void {
    if (!event.isPrimary || event.button !== 0) return;
    const { clientX, clientY, pointerId } = event;
    const table = tableOf(event.target);
    this.#justDropped = false;
    const move = (moved: PointerEvent): void => {
      if (moved.pointerId !== pointerId) return;
      const far = Math.hypot(moved.clientX - clientX, moved.clientY - clientY) >= THRESHOLD_PX;
      if (far || this.dragged !== null) this.dragged = { ...load, x: moved.clientX, y: moved.clientY };
    };
    const end = (ended: PointerEvent): void => {
      if (ended.pointerId !== pointerId) return;
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      removeEventListener("touchmove", hold);
      if (this.dragged === null) return;
      this.dragged = null;
      this.#justDropped = true;
      setTimeout(() => (this.#justDropped = false));
      if (ended.type === "pointerup") this.#drop(load, betAt(ended.clientX, ended.clientY, table));
    };
    // Without this a chip that is thrown counts as a fling, and the browser takes the next touch for its end.
    const hold = (moved: TouchEvent): void => {
      if (moved.cancelable) moved.preventDefault();
    };
    addEventListener("touchmove", hold, { passive: false });
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }
}

function betAt(x: number, y: number, table: Element | null): string | null {
  const there = document.elementFromPoint(x, y);
  if (tableOf(there) !== table) return null;
  return there?.closest<HTMLElement>("[data-area]")?.dataset["area"] ?? null;
}

/** The pane of the table, where two are shown: chips of one table are not laid at the other. */
function tableOf(target: EventTarget | null): Element | null {
  return target instanceof Element ? target.closest("[data-pane]") : null;
}
