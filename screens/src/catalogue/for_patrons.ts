// The catalogues of the patrons' pages, each fetched when its language is chosen.

import type { PatronCatalogue } from "./catalogue";

const FILES = import.meta.glob<PatronCatalogue>("./*/patrons.ts", { import: "default" });

export async function forPatrons(code: string): Promise<PatronCatalogue> {
  const fetch = FILES[`./${code}/patrons.ts`];
  if (fetch === undefined) throw new Error(`${code} has no catalogue`);
  return await fetch();
}
