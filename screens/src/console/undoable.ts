// What was done by one press and can still lawfully be taken back.

import { words } from "../words/words.svelte";
import type { Desk } from "./desk.svelte";
import type { ConsoleView } from "../wire/views";

interface Undoable {
  readonly verb: string;
  readonly label: string;
  readonly undo: () => void;
}

export function undoable(desk: Desk, view: ConsoleView): readonly Undoable[] {
  const found: Undoable[] = [];
  if (view.trouble.frozen && desk.isOpen("unfreeze"))
    found.push({ verb: "unfreeze", label: words.say("undo_freeze"), undo: () => void desk.askAt("bar", { do: "unfreeze" }) });
  if (desk.isOpen("withdraw_cutting_card"))
    found.push({
      verb: "withdraw_cutting_card",
      label: words.say("undo_cutting_card"),
      undo: () => void desk.askAt("bar", { do: "withdraw_cutting_card", reason: words.say("undo_reason") }),
    });
  return found;
}
