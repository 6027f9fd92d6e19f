"""Records in plain words, with clauses and postings."""

from collections.abc import Iterator
from typing import Final

import msgspec

from sabot.audit.event_codes import EventMark
from sabot.audit.excerpt import ExcerptLine, OwnerRecord, marks_of
from sabot.basics.phrase import Phrase, in_english, phrase
from sabot.floor.sentences import PHRASES, phrase_of
from sabot.ledger.posting import Posting
from sabot.table.events import Event
from sabot.table.money import postings
from sabot.table.refusal import Refused


class PostingLine(msgspec.Struct, frozen=True):
    """One posting of a record."""

    version: int
    at_ms: int
    actor: str
    coup: int
    event: str
    debit: str
    credit: str
    cents: int
    clause: str


class RecordStory(msgspec.Struct, frozen=True):
    """A record in sentences, with the money that it moved."""

    version: int
    at_ms: int
    actor: str
    verb: str
    sentences: list[str]
    postings: list[PostingLine]
    phrases: list[Phrase] = []
    """The same sentences for other languages, where nothing was refused."""
    refused: Refused | None = None
    marks: list[EventMark] = []
    """The code and severity of each sentence; none where something was refused."""


def tell(line: ExcerptLine, station: str | None = None) -> RecordStory:
    """The story of a record, with all of its postings or one station's."""
    if line.refused is not None:
        clause = f" ({line.refused.clause})" if line.refused.clause else ""
        sentences, phrases = [f"refused: {line.refused.text}{clause}"], list[Phrase]()
    else:
        phrases = [phrase_of(event) for event in line.events] or [_nothing_moved(line)]
        sentences = [in_english(one, _SENTENCES) for one in phrases]
    moved = [one for one in moves(line) if station is None or station in (_at(one.debit), _at(one.credit))]
    told = (line.version, line.at_ms, line.actor, line.verb, sentences, moved, phrases, line.refused)
    return RecordStory(*told, [] if line.refused is not None else marks_of(line))


def moves(line: ExcerptLine) -> Iterator[PostingLine]:
    for event in line.events:
        if isinstance(event, Event):
            for one in postings(event):
                yield _moved(line, event, one)


def _moved(line: ExcerptLine, event: Event, one: Posting) -> PostingLine:
    return PostingLine(
        *(line.version, line.at_ms, line.actor, line.coup, type(event).__name__),
        *(str(one.debit), str(one.credit), one.cents, one.clause),
    )


def _at(account: str) -> str:
    """The station in the written form of an account."""
    return [*account.split(":"), ""][1]


def _nothing_moved(line: ExcerptLine) -> Phrase:
    return phrase(_OWNERS.get(line.verb, "nothing_changed"), actor=line.actor, epoch=line.epoch)


_OWNERS: dict[str, str] = {OwnerRecord.TAKEN: "owner_taken", OwnerRecord.STARTED: "owner_started"}
OF_OWNERS: Final[dict[str, str]] = {
    "owner_taken": "{actor} takes the table over as its owner {epoch}",
    "owner_started": "{actor} says which program it runs",
    "nothing_changed": "nothing changed",
}
"""The English sentences of records without an event."""
_SENTENCES = {**PHRASES, **OF_OWNERS}
