// The request that a desk's camera has read from the screen of a device that waits: which one, and the code it shows.

export interface Scanned {
  readonly id: string;
  readonly code: string;
}

/** What stands in the address, once; it is taken out of the address, so that nothing stays in the history. */
export function takeScanned(): Scanned | null {
  const [, id = "", code = ""] = /^#waiting=([\w-]+)&code=(\w+)$/.exec(location.hash) ?? [];
  if (id === "") return null;
  history.replaceState(null, "", location.pathname);
  return { id, code };
}
