// The order for repeats under way. The page alone holds it: a reload or a lost link ends it, and nothing is wagered.

import type { Chips, Wagering } from "../station/wagering.svelte";
import type { StationView } from "../wire/views";
import { words } from "../words/words.svelte";
import { orderOf, stepOf, type Circumstances, type Order, type Why } from "./repeats";

export class Repeating {
  order = $state.raw<Order | null>(null);
  /** Why the last order has ended early, until the patron has touched something or read it. */
  ended = $state.raw<Why | null>(null);
  readonly #wagering: Wagering;

  constructor(wagering: Wagering) {
    this.#wagering = wagering;
    wagering.ontouch = () => this.stop("touch");
  }

  begin(view: StationView, layout: Chips, coups: number): void {
    this.ended = null;
    this.order = orderOf(view, layout, coups);
  }

  stop(why: Why): void {
    if (why === "touch") this.forget();
    else if (this.order !== null) this.#end(why);
    this.order = null;
  }

  #end(why: Why): void {
    this.ended = why;
    // A refusal is told already, with its clause.
    if (why !== "refused") this.#wagering.say({ bet: null, text: words.say("repeats_ended", { why: words.say(`repeats_why_${why}`) }) });
  }

  /** Why the last order has ended needs to be told no more. */
  forget(): void {
    this.ended = null;
  }

  /** Called with every view, and whenever the link or the time left changes. */
  follow(now: Circumstances): void {
    if (this.order === null) return;
    const step = stepOf(this.order, now);
    if (step.do === "stop") this.stop(step.why);
    if (step.do === "lay") this.#lay(this.order, now.view.phase.coup);
  }

  #lay(order: Order, coup: number): void {
    const next = { ...order, coup, left: order.left - 1 };
    this.order = next; // Before it is asked, so that no coup is laid twice.
    void this.#wagering.layAsOrdered(order.layout).then((accepted) => {
      if (this.order !== next) return;
      if (!accepted) this.stop("refused");
      else if (next.left === 0) this.order = null;
    });
  }
}
