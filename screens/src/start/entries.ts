// The pages that the start page offers: those of every floor, or the concrete ones of a demo in their place.

import type { DemoLink, StartShown } from "../wire/web";

export const PAGES = ["deal", "station", "console", "display", "floor", "board"] as const;
export type StartPageName = (typeof PAGES)[number];

export interface Entry {
  readonly page: StartPageName;
  readonly path: string;
  readonly station: string;
  /** Who signs on there, in a demo. */
  readonly people: readonly string[];
}

/** Pages of the demo alone. */
const OF_A_DEMO: readonly StartPageName[] = ["deal"];

export function entriesOf({ demo }: StartShown): readonly Entry[] {
  const links = demo?.links ?? [];
  return PAGES.flatMap((page) => {
    const concrete = links.filter((link) => link.page === page);
    if (concrete.length > 0) return concrete.map((link) => entryOf(page, link));
    return OF_A_DEMO.includes(page) ? [] : [{ page, path: `/${page}`, station: "", people: [] }];
  });
}

function entryOf(page: StartPageName, { path, station = "", people = [] }: DemoLink): Entry {
  return { page, path, station, people };
}
