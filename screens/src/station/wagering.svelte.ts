// A patron's touches on their way to the table: one after the other, each shown as pending until it is answered.
// The answer says what lies on the layout, so no touch waits for a view.

import { clauseTitled } from "../clause/title";
import type { Link } from "../link/link.svelte";
import type { DeviceAct, Refused } from "../wire/frames";
import type { StationView } from "../wire/views";
import { words } from "../words/words.svelte";

type Whole = "undo" | "clear" | "repeat" | "double";
type Touch =
  | { readonly do: "add"; readonly bet: string; readonly cents: number }
  | { readonly do: "lift"; readonly bet: string }
  | { readonly do: "move"; readonly source: string; readonly target: string }
  | { readonly do: "lay"; readonly wagers: Chips }
  | { readonly do: Whole };
/** A touch, the coup that the patron saw when it was made, and who is told whether it was accepted. */
type Made = Touch & { readonly coup: number; readonly told?: ((accepted: boolean) => void) | undefined };
export type Chips = Readonly<Record<string, number>>;

export interface Remark {
  /** The area that it is about; none where it is about the whole layout. */
  readonly bet: string | null;
  readonly text: string;
}

const REMARK_MS = 3_000;

export class Wagering {
  remark = $state.raw<Remark | null>(null);
  /** Told of every touch of the patron on the layout, before it is on its way. */
  ontouch: () => void = () => undefined;
  readonly #link: Link<StationView>;
  #touches = $state.raw<readonly Made[]>([]);
  /** The layout by the newest answer, and the version from which on the view has it. */
  #answered = $state.raw<{ readonly layout: Chips; readonly epoch: number; readonly version: number } | null>(null);
  #busy = false;
  #forgetting: ReturnType<typeof setTimeout> | undefined;

  constructor(link: Link<StationView>) {
    this.#link = link;
  }

  /** What lies on each area, by the newest answer or the view, whichever is newer. */
  laid: Chips = $derived.by(() => {
    const { epoch, version, view } = this.#link;
    const answered = this.#answered;
    const isNewer = answered !== null && answered.epoch === epoch && answered.version > version;
    return isNewer ? answered.layout : (view?.wagers.on_layout ?? {});
  });

  /** What is on its way to each area. */
  pending: Chips = $derived.by(() => {
    const sums: Record<string, number> = {};
    const layout = this.laid;
    const put = (bet: string, cents: number): void => void (sums[bet] = (sums[bet] ?? 0) + cents);
    for (const touch of this.#touches) {
      if (touch.do === "add") put(touch.bet, touch.cents);
      if (touch.do === "move") put(touch.target, layout[touch.source] ?? 0);
      if (touch.do === "lay") Object.entries(touch.wagers).forEach(([bet, cents]) => put(bet, Math.max(0, cents - (layout[bet] ?? 0))));
      if (touch.do === "double") Object.entries(layout).forEach(([bet, cents]) => put(bet, cents));
      if (touch.do === "repeat") Object.entries(this.#link.view?.wagers.remembered ?? {}).forEach(([bet, cents]) => put(bet, cents));
    }
    return sums;
  });

  get isBusy(): boolean {
    return this.#touches.length > 0;
  }

  /** A chip more. Touches that come quicker than the table answers are taken together. */
  add(bet: string, cents: number): void {
    this.ontouch();
    const last = this.#touches.at(-1);
    if (this.#touches.length > 1 && last?.do === "add" && last.bet === bet && last.coup === this.#link.view?.phase.coup) {
      this.#touches = [...this.#touches.slice(0, -1), { ...last, cents: last.cents + cents }];
    } else {
      this.#take({ do: "add", bet, cents });
    }
  }

  lift(bet: string): void {
    this.ontouch();
    this.#take({ do: "lift", bet });
  }

  move(source: string, target: string): void {
    this.ontouch();
    this.#take({ do: "move", source, target });
  }

  whole(what: Whole): void {
    this.ontouch();
    this.#take({ do: what });
  }

  /** The whole layout at once, as the patron has saved it. */
  lay(wagers: Chips): void {
    this.ontouch();
    this.#take({ do: "lay", wagers });
  }

  /** The same where the patron has ordered it ahead, which is no touch now; whether it was accepted. */
  layAsOrdered(wagers: Chips): Promise<boolean> {
    return new Promise((told) => this.#take({ do: "lay", wagers }, told));
  }

  #take(touch: Touch, told?: (accepted: boolean) => void): void {
    const coup = this.#link.view?.phase.coup;
    if (coup === undefined) return told?.(false);
    this.#touches = [...this.#touches, { ...touch, coup, told }];
    void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (let touch = this.#touches[0]; touch !== undefined; touch = this.#touches[0]) {
      await this.#carry(touch);
      this.#touches = this.#touches.slice(1);
    }
    this.#busy = false;
  }

  async #carry(touch: Made): Promise<void> {
    const wanted = touch.do === "add" ? (this.laid[touch.bet] ?? 0) + touch.cents : 0;
    const outcome = await this.#link.ask(commandFor(touch, wanted), { coup: touch.coup });
    if (outcome.kind === "refused") this.#refused(touch, outcome.refusal);
    touch.told?.(outcome.kind === "done");
    if (outcome.kind === "done") {
      // Of what an earlier owner of the table has taken, the record alone is known; the view comes with the welcome.
      if (outcome.layout === null) await this.#link.seen(outcome.version);
      else this.#answered = { layout: outcome.layout, epoch: outcome.epoch, version: outcome.version };
      if (touch.do === "add") this.#compare(touch.bet, wanted);
    }
  }

  /** The table takes the next lower wager that is permitted (CROWN 5.3): say so where it was less than was asked. */
  #compare(bet: string, wanted: number): void {
    const view = this.#link.view;
    const stands = this.laid[bet] ?? 0;
    const area = view?.table.areas.find((one) => one.bet === bet);
    if (stands >= wanted || area === undefined || view?.phase.phase !== "wagering") return;
    const figures = {
      bet,
      title: area.title,
      amount: words.amount(stands),
      minimum: words.amount(area.sign.minimum_cents),
      maximum: words.amount(area.sign.maximum_cents),
    };
    this.say({ bet, text: words.say("clamped", figures) });
  }

  #refused(touch: Touch, refusal: Refused): void {
    const bet = "bet" in touch ? touch.bet : touch.do === "move" ? touch.target : null;
    const area = this.#link.view?.table.areas.find((one) => one.bet === bet);
    const name = area === undefined ? "" : `${words.bet(area.bet, area.title)}${words.say("colon")}`;
    const clause = refusal.clause ? ` (${clauseTitled(refusal.clause)})` : "";
    this.say({ bet, text: `${name}${words.refuse(refusal)}${clause}` });
  }

  /** Say something about the layout for a while. */
  say(remark: Remark): void {
    clearTimeout(this.#forgetting);
    this.remark = remark;
    this.#forgetting = setTimeout(() => (this.remark = null), REMARK_MS);
  }
}

function commandFor(touch: Touch, wanted: number): DeviceAct {
  switch (touch.do) {
    case "add":
      return { do: "set_wager", bet: touch.bet, cents: wanted };
    case "lift":
      return { do: "set_wager", bet: touch.bet, cents: 0 };
    case "move":
      return { do: "move", source: touch.source, target: touch.target };
    case "lay":
      return { do: "lay", wagers: touch.wagers };
    default:
      return { do: touch.do };
  }
}
