// "What happened to station A12 in coup 30?" as something that can be looked up.

export interface Sought {
  readonly station: string;
  readonly coup: string;
  readonly table: string;
}

/** What a question names; whatever it does not name stays empty. */
export function readQuestion(question: string): Sought {
  const named = (...patterns: readonly RegExp[]): string => patterns.map((pattern) => pattern.exec(question)?.[1]).find((found) => found !== undefined) ?? "";
  return {
    station: named(/\bstation\s+([\w.-]+)/i, /站\s*([\w.-]+)/),
    coup: named(/\bcoup\s+(\d+)/i, /第\s*(\d+)\s*局/),
    table: named(/\btable\s+([\w.-]+)/i, /桌\s*([\w.-]+)/),
  };
}
