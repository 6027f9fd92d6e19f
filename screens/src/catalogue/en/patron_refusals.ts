// What a patron's station refuses with a time in it: the page knows the time of day in the table's zone.

import type { RefusalWords } from "../catalogue";

export const TO_PATRONS: RefusalWords = {
  on_break: "you take a break until {until_ms}, which can be made longer and not shorter",
  own_time_limit: "your own time limit of {minutes} minutes has ended; a raise takes effect at {raise_ms}",
  own_wager_limit: "your own limit for a coup is {limit_cents}, and {left_cents} of it is left; a raise takes effect at {raise_ms}",
  own_loss_limit:
    "your own loss limit is {limit_cents}, and {left_cents} of it is left; a raise takes effect at {raise_ms}",
};
