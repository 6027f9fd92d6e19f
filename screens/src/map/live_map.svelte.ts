// The tables as the map shows them: once a second the floor tells what changed, and only those tables are drawn again.

import type { Answered } from "../staff/request";
import type { MapFrame, MapTable } from "../wire/views";

export class TableOnMap {
  table: MapTable = $state.raw()!;
  /** When the wagering period ends, by the page's own steady clock. */
  endsAt = $state.raw<number | null>(null);

  constructor(table: MapTable, atMs: number) {
    this.take(table, atMs);
  }

  take(table: MapTable, atMs: number): void {
    this.table = table;
    this.endsAt = table.deadline_ms === null || table.stands_still ? null : performance.now() + table.deadline_ms - atMs;
  }

  /** Whole seconds as a person counts them; nothing while wagering is not open. */
  secondsLeft(now: number): number | null {
    const { remaining_ms } = this.table;
    if (remaining_ms !== null) return Math.ceil(remaining_ms / 1000);
    return this.endsAt === null ? null : Math.max(0, Math.ceil((this.endsAt - now) / 1000));
  }
}

export class LiveMap {
  tables = $state.raw<readonly TableOnMap[] | null>(null);
  scale = $state.raw<readonly number[]>([]);
  /** The page's steady clock as it was at the last look: countdowns and news are drawn together, once a second. */
  now = $state(performance.now());
  readonly #ask: (path: string) => Promise<Answered<MapFrame>>;
  #run = "";
  #mark = 0;
  #asking = false;

  constructor(ask: (path: string) => Promise<Answered<MapFrame>>) {
    this.#ask = ask;
  }

  async look(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    const answer = await this.#ask(`/api/floor/map?run=${this.#run}&mark=${this.#mark}`);
    this.#asking = false;
    this.now = performance.now();
    if (answer.kind === "done") this.#take(answer.value);
  }

  find(name: string | null): TableOnMap | undefined {
    return this.tables?.find(({ table }) => table.table === name);
  }

  #take({ run, mark, at_ms, whole, scale_cents, tables }: MapFrame): void {
    this.#run = run;
    this.#mark = mark;
    if (scale_cents.join() !== this.scale.join()) this.scale = scale_cents;
    const kept = whole ? [] : (this.tables ?? []);
    const fresh: TableOnMap[] = [];
    for (const table of tables) {
      const known = kept.find((one) => one.table.table === table.table);
      if (known === undefined) fresh.push(new TableOnMap(table, at_ms));
      else known.take(table, at_ms);
    }
    if (whole || fresh.length > 0 || this.tables === null) this.tables = [...kept, ...fresh].toSorted(byName);
  }
}

const byName = (one: TableOnMap, other: TableOnMap): number => one.table.table.localeCompare(other.table.table, undefined, { numeric: true });
