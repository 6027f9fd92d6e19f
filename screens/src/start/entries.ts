// The pages that the start page offers: those of every floor, or the concrete ones of a demo in their place.

import type { DemoLink, StartShown } from "../wire/web";

export const PAGES = ["deal", "school", "station", "console", "display", "floor", "board"] as const;
export type StartPageName = (typeof PAGES)[number];

export interface Entry {
  readonly page: StartPageName;
  readonly path: string;
  readonly station: string;
  /** Who signs on there, in a demo. */
  readonly people: readonly string[];
}

export function entriesOf({ demo, school }: StartShown): readonly Entry[] {
  const offered = { deal: false, school } as const;
  const links = demo?.links ?? [];
  return PAGES.flatMap((page) => {
    const concrete = links.filter((link) => link.page === page);
    if (concrete.length > 0) return concrete.map((link) => entryOf(page, link));
    return page in offered && !offered[page as keyof typeof offered] ? [] : [{ page, path: `/${page}`, station: "", people: [] }];
  });
}

function entryOf(page: StartPageName, { path, station = "", people = [] }: DemoLink): Entry {
  return { page, path, station, people };
}
