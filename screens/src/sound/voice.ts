// The clips of a language in one file: a length, a list of clips in JSON, and samples of eight bits by the law µ, which
// every browser plays since the page itself decodes them.

import type { Clip } from "./saying";

export interface Voice {
  readonly rate: number;
  /** Nothing where the file lacks a clip. */
  samples(clip: Clip): Float32Array<ArrayBuffer> | null;
}

interface Contents {
  readonly rate: number;
  /** Where each clip begins, and how many samples it has. */
  readonly clips: Readonly<Record<string, readonly [number, number]>>;
}

export function readVoice(file: ArrayBuffer): Voice {
  const length = new DataView(file).getUint32(0, true);
  const { rate, clips } = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 4, length))) as Contents;
  return {
    rate,
    samples: (clip) => {
      const place = clips[clip];
      if (place === undefined) return null;
      return Float32Array.from(new Uint8Array(file, 4 + length + place[0], place[1]), decoded);
    },
  };
}

function decoded(byte: number): number {
  const bits = ~byte & 0xff;
  const size = (((bits & 0x0f) << 3) + 0x84) << ((bits & 0x70) >> 4);
  return ((bits & 0x80 ? -1 : 1) * (size - 0x84)) / 0x8000;
}

const FILES = import.meta.glob<string>("../../voices/*.bin", { query: "?url", import: "default", eager: true });

/** The voice of a language, fetched when it is first wanted; none where the pages were built without voices. */
export async function voiceOf(code: string): Promise<Voice | null> {
  const address = FILES[`../../voices/${code}.bin`];
  if (address === undefined) return null;
  try {
    const answer = await fetch(address);
    return answer.ok ? readVoice(await answer.arrayBuffer()) : null;
  } catch {
    return null;
  }
}
