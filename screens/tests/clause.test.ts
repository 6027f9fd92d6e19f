import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clauseTitled } from "../src/clause/title";
import { topicOf } from "../src/clause/topics";
import { FIRST, LANGUAGES } from "../src/catalogue/languages";
import { TOPICS } from "../src/catalogue/topics";
import { words } from "../src/words/words.svelte";
import "./catalogues";

const FOLDER = join(import.meta.dirname, "../../src/sabot/rulebook/clauses");
const HOUSES = join(import.meta.dirname, "../../src/sabot/rules/house_rules");
const DOCUMENTS = readdirSync(FOLDER).filter((file) => /^[A-Z-]+\.tsv$/.test(file));
const idsIn = (file: string): string[] => readFileSync(join(FOLDER, file), "utf8").trim().split("\n").slice(1).map((row) => row.split("\t")[0]!);

test("every clause of every document, every rule of a house and every reading is about something that a patron understands", () => {
  expect(DOCUMENTS.length).toBeGreaterThan(4);
  const houses = readdirSync(HOUSES).flatMap((file) => [...readFileSync(join(HOUSES, file), "utf8").matchAll(/^id = "(.+-HOUSE .+)"$/gm)].map(([, id]) => id!));
  expect(houses.length).toBeGreaterThan(60);
  const ids = [...DOCUMENTS.flatMap(idsIn), ...houses, ...idsIn("readings.tsv")];
  expect(ids.length).toBeGreaterThan(400);
  expect(ids.filter((clause) => [undefined, "topic_house"].includes(topicOf(clause)?.key))).toEqual([]);
});

test.each(LANGUAGES)("no title in $code is empty or the name of its key", ({ code }) => {
  words.choose(code);
  const titles = new Set(Object.values(TOPICS).map((key) => words.say(key)));
  expect([...titles].filter((title) => title.trim() === "" || title.startsWith("topic_"))).toEqual([]);
  words.choose(FIRST.code);
});

test("a clause stands with its title in the language of the page, and a reading says that it is one", () => {
  expect(clauseTitled("CROWN 10.1 Super 6")).toBe("CROWN 10.1 Super 6 · What bets pay");
  expect(clauseTitled("CROWN 11.11")).toBe("CROWN 11.11 · A wrong result is put right");
  expect(clauseTitled("MBS-HOUSE 7.1")).toBe("MBS-HOUSE 7.1 · A wrong result is put right");
  expect(clauseTitled("G-21")).toBe("G-21 · The last coup of a shoe, as this house reads it");
  expect(clauseTitled("G-01")).toBe("G-01 · The last coup of a shoe, as this house reads it");
  words.choose("zh");
  expect(clauseTitled("CROWN 5.1")).toBe("CROWN 5.1 · 限红");
  words.choose(FIRST.code);
});
