import { afterEach, describe, expect, test } from "vitest";
import { FIRST } from "../src/catalogue/languages";
import { EVENTS } from "../src/wire/events";
import type { Phrase, RecordStory } from "../src/wire/web";
import { gapsOf } from "../src/words/forms";
import { sentencesOf } from "../src/floor/story";
import { words } from "../src/words/words.svelte";
import { CATALOGUES } from "./catalogues";

afterEach(() => words.choose(FIRST.code));

const layout: Phrase = { code: "list_comma", parts: [{ code: "bet_amount", values: { bet: "banker", cents: 10_000 } }, { code: "bet_amount", values: { bet: "tie", cents: 500 } }] };
const record = (phrase: Phrase): RecordStory => ({ version: 1, at_ms: 0, actor: "D1", verb: "x", sentences: ["As the server put it"], postings: [], phrases: [phrase], refused: null, marks: [{ code: 0, severity: null }] });

describe("records", () => {
  test("are told in every language but the server's own, with every figure that the server has", () => {
    expect(CATALOGUES.map(({ catalogue }) => catalogue.events === null)).toEqual(CATALOGUES.map((_, place) => place === 0));
    for (const { catalogue } of CATALOGUES.slice(1)) {
      for (const [code, sentence] of Object.entries(EVENTS)) {
        const translated = catalogue.events![code as keyof typeof EVENTS];
        expect([code, [...gapsOf(translated)].sort()]).toEqual([code, [...gapsOf(sentence)].sort()]);
      }
    }
  });
  test("name bets, amounts, roles and the server's own reasons in the language of the page, and keep what was typed", () => {
    words.choose("zh");
    expect(sentencesOf(record({ code: "WagersVoided", values: { station: "A1", on_layout: layout, reason: "no wagers" } }))).toEqual(["A1 的投注作废并退回：庄 100.00、和 5.00；无人下注"]);
    expect(sentencesOf(record({ code: "CoupVoided", values: { by: "D1", coup: 3, reason: "spilt coffee" } }))).toEqual(["D1 将第 3 局作废：spilt coffee"]);
    expect(sentencesOf(record({ code: "SignedOn", values: { who: "D1", role: "Dealer" } }))).toEqual(["D1 以荷官身份登录"]);
  });
  test("are as the server put them in its own language, and a refusal is told as everywhere", () => {
    expect(sentencesOf(record({ code: "AccountClosed", values: { station: "A1" } }))).toEqual(["As the server put it"]);
    words.choose("zh");
    const refused = { code: "no_such_code", clause: "CROWN 9.1", text: "No" };
    expect(sentencesOf({ ...record({ code: "nothing" }), refused })).toEqual(["被拒：No（CROWN 9.1）"]);
  });
});
