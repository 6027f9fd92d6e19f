// A payment in words: whom, how much, and how much of it is too small for any chip.

import { words } from "../words/words.svelte";

interface Payment {
  readonly station: string;
  readonly cents: number;
  readonly chips_cents: number;
  readonly coin_cents: number;
}

export function paymentSaid({ station, cents, chips_cents: chips, coin_cents: coin }: Payment, made = false): string {
  const values = { station, amount: words.money(cents), chips: words.money(chips), coin: words.money(coin) };
  if (made) return words.say(coin > 0 ? "paid_card_coin" : "paid_card", values);
  return words.say(coin > 0 ? "pay_card_coin" : "pay_card", values);
}
