// A felt with nothing on it.

import type { Felt } from "../wire/web";

export const BARE: Felt = { player: [], banker: [], drawn: "", drawn_for: null, cutting_card: false, astray: [], astray_on: null, unseen: 0 };
