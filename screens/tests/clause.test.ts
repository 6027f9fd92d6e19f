import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clauseTitled } from "../src/clause/title";
import { topicOf } from "../src/clause/topics";
import { FIRST } from "../src/catalogue/languages";
import { words } from "../src/words/words.svelte";
import "./catalogues";

const FOLDER = join(import.meta.dirname, "../../src/sabot/rulebook/clauses");
const DOCUMENTS = readdirSync(FOLDER).filter((file) => /^[A-Z-]+\.tsv$/.test(file));
const idsIn = (file: string): string[] => readFileSync(join(FOLDER, file), "utf8").trim().split("\n").slice(1).map((row) => row.split("\t")[0]!);

test("every clause of every document, and every reading of one, is about something that a patron understands", () => {
  expect(DOCUMENTS.length).toBeGreaterThan(4);
  const ids = [...DOCUMENTS.flatMap(idsIn), ...idsIn("readings.tsv")];
  expect(ids.length).toBeGreaterThan(400);
  expect(ids.filter((clause) => topicOf(clause) === null)).toEqual([]);
});

test("a clause stands with its title in the language of the page, and a reading says that it is one", () => {
  expect(clauseTitled("CROWN 10.1 Super 6")).toBe("CROWN 10.1 Super 6 · What bets pay");
  expect(clauseTitled("CROWN 11.11")).toBe("CROWN 11.11 · A wrong result is put right");
  expect(clauseTitled("G-01")).toBe("G-01 · The last coup of a shoe, as this house reads it");
  words.choose("zh");
  expect(clauseTitled("CROWN 5.1")).toBe("CROWN 5.1 · 限红");
  words.choose(FIRST.code);
});
