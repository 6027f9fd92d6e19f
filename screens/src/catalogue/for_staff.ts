// The catalogues of the staff's pages, each fetched when its language is chosen.

import type { Catalogue } from "./catalogue";

const FILES = import.meta.glob<Catalogue>("./*/index.ts", { import: "default" });

export async function forStaff(code: string): Promise<Catalogue> {
  const fetch = FILES[`./${code}/index.ts`];
  if (fetch === undefined) throw new Error(`${code} has no catalogue`);
  return await fetch();
}
