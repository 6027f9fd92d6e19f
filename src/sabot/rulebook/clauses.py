"""The clauses of the five rule documents, restated in our own words, and our readings where they are silent.

The figures and ids follow the documents; a restatement is no substitute for the text that a regulator approved.
`rests_on.tsv` names the clauses whose words alone do not say what is done, and the readings that do.
"""

import csv
import enum
from functools import cache
from importlib import resources

import msgspec

from sabot.basics.mistake import Mistake
from sabot.rules.house_rule import SHIPPED, HouseRule, house_rules

DOCUMENTS = ("CROWN", "MBS-R", "MBS-NC", "MBS-B", "RWS")


class ClauseKind(enum.StrEnum):
    """What software owes a clause."""

    ENFORCE = "ENFORCE"
    """Make it impossible to violate."""
    COMPUTE = "COMPUTE"
    """Calculate it exactly."""
    DISPLAY = "DISPLAY"
    """Show it on a screen."""
    RECORD = "RECORD"
    """Guide a human act and record who, when and why."""
    CONFIG = "CONFIG"
    """Validate an operator's setting."""
    DUTY = "DUTY"
    """Remind people of what is theirs to do."""


class ClauseText(msgspec.Struct, frozen=True):
    id: str
    document: str
    kind: ClauseKind
    restatement: str


class Reading(msgspec.Struct, frozen=True):
    """How we read a passage that is wrong, loose or silent, cited as `G-nn`."""

    id: str
    where: str
    problem: str
    reading: str


class RestsOn(enum.StrEnum):
    """What a clause rests on where the document's own words do not carry it."""

    READING = "by reading"
    """The words are silent, loose or at odds with others; a reading decides."""
    OWN_LAYOUT = "layout of our own"
    """The words point to a picture that is missing from our copy."""


class Resting(msgspec.Struct, frozen=True):
    """What a clause rests on, and the readings by which it does."""

    clause: str
    status: RestsOn
    readings: tuple[str, ...]


@cache
def clauses() -> dict[str, ClauseText]:
    """Every clause by its id, in the documents' order."""
    rows = (
        ClauseText(row["id"], document, ClauseKind(row["kind"]), row["restatement"])
        for document in DOCUMENTS
        for row in _rows(f"{document}.tsv")
    )
    return {clause.id: clause for clause in rows}


@cache
def readings() -> dict[str, Reading]:
    return {row["id"]: Reading(**row) for row in _rows("readings.tsv")}


@cache
def resting() -> dict[str, Resting]:
    """The clauses that do not stand on the document's words alone, by their ids."""
    rows = _rows("rests_on.tsv")
    return {
        row["clause"]: Resting(row["clause"], RestsOn(row["status"]), tuple(row["readings"].split())) for row in rows
    }


@cache
def house_rules_by_id() -> dict[str, HouseRule]:
    """The shipped house rules, which a table cites where its document is silent."""
    return {rule.id: rule for identity in SHIPPED for rule in house_rules(identity).rules}


def find_clauses(asked: str) -> list[ClauseText]:
    """The clause with this id, or all below it; hyphens for dashes, quotes and case do not matter."""
    wanted = _plain(asked)
    exact = [clause for clause in clauses().values() if _plain(clause.id) == wanted]
    below = tuple(wanted + mark for mark in " .([")
    found = exact or [clause for clause in clauses().values() if _plain(clause.id).startswith(below)]
    if not found:
        raise Mistake(f"no clause is called {asked!r}; ids look like 'CROWN 4.11.1', 'MBS-B 4.1 Banker' or 'RWS 3.5'")
    return found


def _plain(identity: str) -> str:
    return " ".join(identity.casefold().replace("–", "-").replace('"', "").split())


def _rows(file: str) -> list[dict[str, str]]:
    text = (resources.files(__package__) / "clauses" / file).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
