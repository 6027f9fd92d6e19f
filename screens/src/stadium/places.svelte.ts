// The tables that a station is at: a link to each of them, and which one or two the patron looks at.

import { Link, socketAddress } from "../link/link.svelte";
import type { StationView } from "../wire/views";

export interface PlaceAt {
  readonly table: string;
  readonly link: Link<StationView>;
}

const ASKED_FOR = "tables";
export const MOST_IN_SIGHT = 2;

export class Places {
  readonly all: readonly PlaceAt[];
  /** The tables that the patron looks at; none while all of them are listed. */
  inSight = $state.raw<readonly string[]>([]);

  constructor(first: Link<StationView>) {
    const others = Object.keys(first.places).filter((table) => table !== first.table);
    this.all = [
      { table: first.table, link: first },
      ...others.map((table) => ({ table, link: new Link<StationView>(first.identity, socketAddress(), table) })),
    ];
    this.#show(asked().filter((table) => this.all.some((place) => place.table === table)));
  }

  /** End the links that were opened here; the first one is its page's. */
  close(): void {
    for (const { link } of this.all.slice(1)) link.close();
  }

  list(): void {
    this.#show([]);
  }

  /** Look at a table: in place of the one that was looked at longest, where two are in sight. */
  look(table: string): void {
    if (this.inSight.length < MOST_IN_SIGHT) return this.#show([table]);
    if (!this.inSight.includes(table)) this.#show([...this.inSight.slice(1), table]);
  }

  /** Two tables side by side: those in sight, then those where the patron has chips on the layout or a balance. */
  lookAtTwo(): void {
    const rest = this.all.filter(({ table }) => !this.inSight.includes(table)).toSorted((one, other) => stakeIn(other) - stakeIn(one));
    this.#show([...this.inSight, ...rest.map(({ table }) => table)]);
  }

  lookAtOne(): void {
    this.#show(this.inSight.slice(0, 1));
  }

  #show(tables: readonly string[]): void {
    this.inSight = [...new Set(tables)].slice(0, MOST_IN_SIGHT);
    const query = new URLSearchParams(location.search);
    query.delete(ASKED_FOR);
    const others = query.size > 0 ? `${query}&` : "";
    const kept = this.inSight.length > 0 ? `${others}${ASKED_FOR}=${this.inSight.map(encodeURIComponent).join(",")}` : String(query);
    history.replaceState(null, "", location.pathname + (kept === "" ? "" : `?${kept}`)); // A page that is loaded again shows the same.
  }
}

/** The tables that the address of the page names: `?tables=T1,T2`. */
function asked(): readonly string[] {
  return (new URLSearchParams(location.search).get(ASKED_FOR) ?? "").split(",").filter((table) => table !== "");
}

/** What a patron has at a table, chips on the layout before any balance. */
function stakeIn({ link }: PlaceAt): number {
  const purse = link.view?.purse;
  return purse === undefined ? 0 : purse.wagered_cents > 0 ? 2 : purse.balance_cents > 0 ? 1 : 0;
}
