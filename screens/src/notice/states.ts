// The states that overrule everything else at a table, the gravest first; the rest of what a table tells are notices.

import type { ScreenMessage } from "../wire/views";

const STATES = ["table_locked", "frozen", "malfunction", "void_coup", "coup_invalid", "dummy_coup", "last_coup", "closure"] as const;
export type StateCode = (typeof STATES)[number];
export type StateMessage = ScreenMessage & { readonly code: StateCode };

function isState(message: ScreenMessage): message is StateMessage {
  return (STATES as readonly string[]).includes(message.code);
}

/** What keeps a station from being played at all comes before what else it has to tell. */
const GRAVEST: readonly string[] = ["station_faulted", "station_out_of_service"];

export function gravestFirst(messages: readonly ScreenMessage[]): readonly ScreenMessage[] {
  const isGrave = ({ code }: ScreenMessage): boolean => GRAVEST.includes(code);
  return [...messages.filter(isGrave), ...messages.filter((message) => !isGrave(message))];
}

export function statesIn(messages: readonly ScreenMessage[]): readonly StateMessage[] {
  return messages.filter(isState).toSorted((one, other) => STATES.indexOf(one.code) - STATES.indexOf(other.code));
}

export function withoutStates(messages: readonly ScreenMessage[]): readonly ScreenMessage[] {
  return messages.filter((message) => !isState(message));
}
