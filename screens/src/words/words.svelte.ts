// The language of the page, switchable at any moment, and money, time and numbers in its form.

import { readCard } from "../card/card";
import type { Refused } from "../wire/frames";
import { TOLD } from "../wire/told";
import type { Message } from "../wire/views";
import { CHINESE, CHINESE_REFUSALS, CHINESE_TOLD, CHINESE_WORDS } from "./chinese";
import { ENGLISH, type Key } from "./english";

export type Language = "en" | "zh";
type Values = Readonly<Record<string, string | number>>;

const KEPT_UNDER = "sabot language";

class Words {
  language = $state<Language>(localStorage.getItem(KEPT_UNDER) === "zh" ? "zh" : "en");
  /** The table's own; times of day are told in it on every device. */
  timeZone = $state("UTC");

  get locale(): string {
    return this.language === "zh" ? "zh-CN" : "en-AU";
  }

  switch(): void {
    this.language = this.language === "en" ? "zh" : "en";
    localStorage.setItem(KEPT_UNDER, this.language);
    document.documentElement.lang = this.locale;
  }

  /** The page's own words. */
  say(key: Key, values: Values = {}): string {
    return this.#fill((this.language === "zh" ? CHINESE : ENGLISH)[key], values);
  }

  /** A message of the server; one that a catalogue does not know is shown as the server put it. */
  tell(message: Message): string {
    const catalogue: Readonly<Record<string, string>> = this.language === "zh" ? CHINESE_TOLD : TOLD;
    const sentence = catalogue[message.code];
    return sentence === undefined ? message.text : this.#fill(sentence, message.values);
  }

  refuse(refusal: Refused): string {
    return (this.language === "zh" && CHINESE_REFUSALS[refusal.code]) || refusal.text;
  }

  /** The name of a bet; a casino's own one goes by the title in its rule set. */
  bet(bet: string, title?: string): string {
    if (!(bet in ENGLISH)) return title ?? bet;
    return this.language === "zh" || title === undefined ? this.say(bet as Key) : title;
  }

  /** A card as it is read out. */
  card(notation: string): string {
    const { rank, rankName, suitName } = readCard(notation);
    return this.say("card", { rank: rankName === null ? rank : this.say(rankName), suit: this.say(suitName) });
  }

  chapter(code: string, title: string): string {
    const key = `chapter_${code}`;
    return key in ENGLISH ? this.say(key as Key) : title;
  }

  /** The name of a rule set. */
  title(ruleSet: string, title: string): string {
    return (this.language === "zh" && CHINESE_WORDS[ruleSet]) || title;
  }

  /** Whole cents as money, without the currency, which a page names once. */
  money(cents: number): string {
    const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
    return new Intl.NumberFormat(this.locale, digits).format(cents / 100);
  }

  /** The same without idle zeros, for chips and signs. */
  amount(cents: number): string {
    return cents % 100 === 0 ? new Intl.NumberFormat(this.locale).format(cents / 100) : this.money(cents);
  }

  time(atMs: number, seconds = false): string {
    return new Intl.DateTimeFormat(this.locale, {
      hour: "2-digit",
      minute: "2-digit",
      ...(seconds ? { second: "2-digit" } : {}),
      hour12: false,
      timeZone: this.timeZone,
    }).format(atMs);
  }

  #fill(sentence: string, values: Values): string {
    return sentence.replace(/\{(\w+)\}/g, (gap, name: string) => {
      const value = values[name];
      return value === undefined ? gap : this.#value(name, value, values);
    });
  }

  #value(name: string, value: string | number, values: Values): string {
    if (typeof value === "string") return this.#word(name, value, values);
    if (name.endsWith("_cents")) return this.money(value);
    return name.endsWith("_ms") ? this.time(value) : new Intl.NumberFormat(this.locale).format(value);
  }

  /** Words of the game inside a message are in the language of the message. */
  #word(name: string, value: string, values: Values): string {
    switch (name) {
      case "bet":
        return this.bet(value, values["title"] as string | undefined);
      case "title":
        return this.bet(String(values["bet"] ?? ""), value);
      case "words":
        return (this.language === "zh" && CHINESE_WORDS[value]) || value;
      case "hand":
        return this.bet(value.toLowerCase());
      case "card":
      case "was":
        return this.card(value);
      case "wagers":
        return value.replace(/[a-z][a-z_0-9]*(?= [\d.])/g, (bet) => this.bet(bet));
      case "closed_by":
        return this.say(value === "timer" ? "closed_by_timer" : value === "dealer" ? "closed_by_dealer" : "closed_by_first_card");
      default:
        return value;
    }
  }
}

export const words = new Words();
