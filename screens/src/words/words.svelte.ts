// The language of the page, switchable at any moment, and money, time and numbers in its form.

import { readCard } from "../card/card";
import type { Catalogue, EventWords, Glossary, Key, LightWords, PatronCatalogue } from "../catalogue/catalogue";
import { FIRST, LANGUAGES, type Language } from "../catalogue/languages";
import type { Refused } from "../wire/frames";
import type { ScreenMessage } from "../wire/views";
import { formsOf, gapsOf, type Values } from "./forms";

type Fetch = (code: string) => Promise<PatronCatalogue>;
type OfStaff = Partial<Pick<Catalogue, "events" | "lights">>;
type Said = PatronCatalogue & OfStaff & { readonly words: Partial<Catalogue["words"]> };

const KEPT_UNDER = "sabot language";

function keyOf(name: string): string {
  return name.toLowerCase().replaceAll(/\W/g, "_");
}

function byCode(code: string | null): Language {
  return LANGUAGES.find((language) => language.code === code) ?? FIRST;
}

class Words {
  #language = $state.raw<Language>(byCode(localStorage.getItem(KEPT_UNDER)));
  #catalogue: Said = $derived.by(() => this.#fetched.get(this.#language.code)!);
  /** The table's own; times of day are told in it on every device. */
  timeZone = $state("UTC");
  readonly #fetched = new Map<string, Said>();
  /** The newest choice, while its catalogue is on the way. */
  #chosen: Language | null = null;
  /** What the page's window is called. */
  #window: Key | null = null;
  #fetch: Fetch = () => Promise.reject(new Error("no page is open"));

  constructor() {
    document.documentElement.lang = this.locale;
  }

  /** Before a page is shown: which catalogues it has, and the one of its language fetched. */
  async open(fetch: Fetch, window: Key | null = null): Promise<void> {
    this.#fetch = fetch;
    this.#window = window;
    await this.fetch(this.#language.code);
    this.#nameWindow();
  }

  async fetch(code: string): Promise<void> {
    if (!this.#fetched.has(code)) this.#fetched.set(code, await this.#fetch(code));
  }

  get language(): Language {
    return this.#language;
  }

  get locale(): string {
    return this.language.locale;
  }

  /** Whether the server's own sentences are in the language of the page. */
  get inServersLanguage(): boolean {
    return this.language === FIRST;
  }

  /** At once where the language was chosen before, else when its catalogue has come. */
  choose(code: string): void {
    const language = byCode(code);
    this.#chosen = language;
    if (this.#fetched.has(language.code)) this.#turnTo(language);
    else void this.fetch(language.code).then(() => this.#chosen === language && this.#turnTo(language));
  }

  #turnTo(language: Language): void {
    this.#language = language;
    localStorage.setItem(KEPT_UNDER, language.code);
    document.documentElement.lang = this.locale;
    this.#nameWindow();
  }

  #nameWindow(): void {
    if (this.#window !== null) document.title = `Sabot · ${this.say(this.#window)}`;
  }

  has(key: string): key is Key {
    return key in this.#catalogue.words;
  }

  /** The page's own words. */
  say(key: Key, values: Values = {}): string {
    return this.fill(this.#catalogue.words[key] ?? key, values);
  }

  /** A message of the server; one that is in no catalogue is shown as the server put it. */
  tell(message: ScreenMessage): string {
    const told: Glossary = this.#catalogue.told;
    const sentence = told[message.code];
    return sentence === undefined ? message.text : this.fill(sentence, message.values);
  }

  /** A refusal with its figures; one that is in no catalogue, or lacks a figure, is shown as the server put it. */
  refuse({ code, text, values = {} }: Refused): string {
    const refusals: Readonly<Record<string, string | readonly string[]>> = this.#catalogue.refusals;
    const said = refusals[code] ?? [];
    const fits = (typeof said === "string" ? [said] : said).filter((sentence) => gapsOf(sentence).every((name) => name in values));
    const sentence = fits.toSorted((one, other) => gapsOf(other).length - gapsOf(one).length)[0];
    return sentence === undefined ? text : this.fill(sentence, values);
  }

  /** The name of a bet; a casino's own one goes by the title in its rule set. */
  bet(bet: string, title?: string): string {
    if (!this.has(bet)) return title ?? bet;
    return this.inServersLanguage && title !== undefined ? title : this.say(bet);
  }

  /** Odds as the rule books print them, such as 6 to 1 – 25 to 1. */
  odds(pays: string): string {
    return pays.replace(/(\d+) to (\d+)/g, (_, more: string, less: string) => this.say("pays", { more, less }));
  }

  /** A card as it is read out. */
  card(notation: string): string {
    const { rank, rankName, suitName } = readCard(notation);
    return this.say("card", { rank: rankName === null ? rank : this.say(rankName), suit: this.say(suitName) });
  }

  chapter(code: string, title: string): string {
    const key = `chapter_${code}`;
    return this.has(key) ? this.say(key) : title;
  }

  /** The name of a rule set. */
  title(ruleSet: string, title: string): string {
    return this.#catalogue.terms[ruleSet] ?? title;
  }

  /** Words that a rule set prescribes, such as a line of its pay table. */
  term(said: string): string {
    return this.#catalogue.terms[said] ?? said;
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

  /** The name of the table's time zone at a moment, such as AEDT. */
  zone(atMs: number): string {
    const parts = new Intl.DateTimeFormat(this.locale, { timeZone: this.timeZone, timeZoneName: "short" }).formatToParts(atMs);
    return parts.find(({ type }) => type === "timeZoneName")?.value ?? this.timeZone;
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

  /** A time that may be on another day. */
  moment(atMs: number): string {
    const day = new Intl.DateTimeFormat(this.locale, { day: "numeric", month: this.language.month, timeZone: this.timeZone }).format(atMs);
    return `${day} ${this.time(atMs)}`;
  }

  /** What is on record, in the words of the page's language; nothing where the server itself speaks it. */
  get events(): EventWords | null {
    return this.#catalogue.events ?? null;
  }

  /** What the lights of integrity say; staff alone have them. */
  get lights(): LightWords {
    return this.#catalogue.lights ?? ({} as LightWords);
  }

  /** Money with its sign. */
  signed(cents: number): string {
    return `${cents > 0 ? "+" : ""}${this.money(cents)}`;
  }

  /** A reason that the server has put into words itself; what a person typed is in no catalogue, and stays. */
  reason(text: string): string {
    return formsOf(this.#catalogue.reasons).find(text, (sentence, values) => this.fill(sentence, values)) ?? text;
  }

  fill(sentence: string, values: Values): string {
    return sentence.replace(/\{(\w+)\}/g, (gap, name: string) => {
      const value = values[name];
      return value === undefined ? gap : this.#value(name, value, values);
    });
  }

  #value(name: string, value: string | number, values: Values): string {
    if (typeof value === "string") return this.#word(name, value, values);
    if (name.endsWith("_cents")) return this.money(value);
    if (name === "raise_ms") return this.moment(value);
    return name.endsWith("_ms") ? this.time(value, name === "earliest_ms") : new Intl.NumberFormat(this.locale).format(value);
  }

  /** Words of the game inside a message are in the language of the message. */
  #word(name: string, value: string, values: Values): string {
    switch (name) {
      case "bet":
        return this.#bet(value, values["title"] as string | undefined);
      case "title":
        return this.bet(String(values["bet"] ?? ""), value);
      case "words":
      case "rule_set":
      case "name":
      case "what":
      case "effect":
        return this.term(value);
      case "needs":
        return value.split(/, | or /).map((title) => this.bet(keyOf(title), title)).join(this.say("comma"));
      case "pays":
        return this.odds(value);
      case "less":
        return value.replace(/, less ([\d.]+%) commission/, (_, percent: string) => this.say("less_commission", { percent }));
      case "hand":
        return this.bet(value.toLowerCase());
      case "card":
      case "was":
        return this.card(value);
      case "wagers":
        return /\d/.test(value) ? value.replace(/[a-z][a-z_0-9]*(?= [\d.])/g, (bet) => this.bet(bet)) : this.reason(value);
      case "why":
      case "reason":
      case "text":
      case "fault":
      case "announcement":
      case "cause":
      case "outcome":
      case "result":
      case "when":
      case "method":
      case "moment":
      case "settled":
      case "balances":
      case "played_why":
      case "player_pair":
      case "banker_pair":
        return this.reason(value);
      case "said":
        return this.refuse({ code: String(values["refusal"]), text: value, clause: "", values });
      case "purpose":
        return this.#named(["purpose"], value);
      case "device_kind":
      case "device":
        return this.#named(["kind"], value);
      case "was_tender":
        return this.#named(["tender"], value);
      case "closed_by":
        return this.#named(["closed_by"], value);
      case "needed":
      case "role":
        return this.#roles(value);
      case "kind":
        return this.#named(["case", "fact", "kind"], value);
      case "tender":
        return this.#named(["tender"], value);
      case "light":
        return this.#named(["light_kind"], value);
      case "status":
        return this.#named(["ticket", "entrant"], value);
      case "phase":
        return this.#named(["tournament_phase"], value);
      case "state":
        return this.#named(["sitting"], value);
      default:
        return value;
    }
  }

  /** A bet by its code or by its title, as a message has it. */
  #bet(said: string, title: string | undefined): string {
    const code = keyOf(said);
    return this.has(code) ? this.bet(code, title) : (title ?? said);
  }

  #named(prefixes: readonly string[], said: string): string {
    const key = prefixes.map((prefix) => `${prefix}_${keyOf(said)}`).find((one) => this.has(one)) ?? "";
    return this.has(key) ? this.say(key) : said;
  }

  /** Roles as the server names them: `Cashier`, `a Cashier`, `an Operator or Casino Supervisor`. */
  #roles(said: string): string {
    const roles = said.replace(/^an? /, "").split(" or ").filter((role) => this.has(`role_${keyOf(role)}`));
    return roles.map((role) => this.#named(["role"], role)).join(this.say("or")) || said;
  }
}

export const words = new Words();
