// Repeats that a patron orders ahead (G-212): what the order says now. In any doubt it says stop, so that nothing is
// wagered that the patron may not want any more.

import { statesIn } from "../notice/states";
import type { Chips } from "../station/wagering.svelte";
import type { ScreenMessage, StationView } from "../wire/views";
import { sessionOf } from "./keepsake.svelte";

export interface Order {
  readonly layout: Chips;
  /** Coups in which it is still to be laid. */
  readonly left: number;
  /** The newest coup in which it lies, or which it leaves out. */
  readonly coup: number;
  readonly shoe: number;
  readonly session: string;
  /** The messages that the patron saw when the order was given; any other one ends it. */
  readonly seen: readonly string[];
}

export type Why = "touch" | "refused" | "news" | "last_coup" | "leaving" | "link" | "missed" | "house";
export type Step = { readonly do: "wait" } | { readonly do: "lay" } | { readonly do: "stop"; readonly why: Why };

export interface Circumstances {
  readonly view: StationView;
  /** Whether the link answers, and the picture is current. */
  readonly current: boolean;
  /** Whether chips can be laid at this moment. */
  readonly open: boolean;
}

const stop = (why: Why): Step => ({ do: "stop", why });

function messagesOf(view: StationView): readonly string[] {
  const told: readonly ScreenMessage[] = [...view.notices, ...view.returned, ...view.station.messages];
  return told.map(({ code, values }) => `${code} ${JSON.stringify(values)}`);
}

/** Why no repeat can be ordered, or goes on, whatever the coup; null where nothing speaks against it. */
export function obstacle({ view, current }: Circumstances): Why | null {
  const { phase, station } = view;
  if (!current) return "link";
  if (!station.open || station.leaving || station.directed_to_leave || station.faulted) return "leaving";
  if (view.table.most_repeats === 0) return "house";
  if (phase.last_of_shoe) return "last_coup";
  const overruled = phase.frozen || phase.locked || phase.awaits_confirmation || phase.dummy;
  return overruled || statesIn(view.notices).length > 0 ? "news" : null;
}

/** An order for the next coups. A layout that does not lie there yet while wagering is open is laid in this coup, too. */
export function orderOf(view: StationView, layout: Chips, coups: number): Order {
  const { coup, shoe, phase } = view.phase;
  const lies = Object.keys(view.wagers.on_layout).length > 0;
  const from = phase === "wagering" && !lies ? coup - 1 : coup;
  return { layout, left: Math.min(coups, view.table.most_repeats), coup: from, shoe, session: sessionOf(view), seen: messagesOf(view) };
}

export function stepOf(order: Order, circumstances: Circumstances): Step {
  const { view, open } = circumstances;
  const { coup, shoe, phase } = view.phase;
  if (sessionOf(view) !== order.session) return stop("leaving");
  const against = obstacle(circumstances);
  if (against !== null) return stop(against);
  if (messagesOf(view).some((one) => !order.seen.includes(one))) return stop("news");
  if (shoe !== order.shoe || coup < order.coup || coup > order.coup + 1) return stop("missed");
  if (coup === order.coup) return { do: "wait" };
  if (phase !== "wagering") return stop("missed");
  if (view.actions["lay"]?.open !== true) return stop("refused");
  return open ? { do: "lay" } : stop("missed");
}
