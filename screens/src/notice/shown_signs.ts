// Tells the floor that this location shows what is posted, the limits and the signs, once for each posting (CROWN 5.1, 5.2).

import type { Link } from "../link/link.svelte";

type Asking = Pick<Link<never>, "isLive" | "ask">;

/** Those of the location that a link is for: several parts of a page may show what is posted, and it is told once. */
export function signsOf(link: Asking): ShownSigns {
  const known = OF_LINKS.get(link) ?? new ShownSigns();
  OF_LINKS.set(link, known);
  return known;
}

export class ShownSigns {
  #told = "";

  // Called in an effect, which runs when the page shows the view and again when the connection is back.
  tell(link: Asking, posted: string): void {
    if (!link.isLive || posted === this.#told) return;
    this.#told = posted;
    void link.ask({ do: "shows_sign", sign: posted }).then(({ kind }) => {
      if (kind === "lost") this.#told = "";
    });
  }
}

const OF_LINKS = new WeakMap<Asking, ShownSigns>();
