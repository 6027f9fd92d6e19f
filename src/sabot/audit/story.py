"""A record, a coup, a station's money, told in plain words with clauses and postings."""

from collections.abc import Iterable, Iterator

import msgspec

from sabot.audit.excerpt import Line
from sabot.floor.sentences import told
from sabot.ledger.account import Account, Kind
from sabot.ledger.posting import Posting
from sabot.table.events import Event
from sabot.table.money import postings


class Moved(msgspec.Struct, frozen=True):
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


class Told(msgspec.Struct, frozen=True):
    """A record as a person would tell it."""

    version: int
    at_ms: int
    actor: str
    verb: str
    sentences: list[str]
    postings: list[Moved]


def tell(line: Line, station: str | None = None) -> Told:
    """What the record says, and the money that it moved: all of it, or one station's."""
    if line.refused is not None:
        clause = f" ({line.refused.clause})" if line.refused.clause else ""
        sentences = [f"refused: {line.refused.text}{clause}"]
    elif line.events:
        sentences = [told(event) for event in line.events]
    else:
        sentences = [_OWNERS.get(line.verb, "nothing came of it").format(actor=line.actor, epoch=line.epoch)]
    moved = [one for one in moves(line) if station is None or station in (_at(one.debit), _at(one.credit))]
    return Told(line.version, line.at_ms, line.actor, line.verb, sentences, moved)


def moves(line: Line) -> Iterator[Moved]:
    for event in line.events:
        if isinstance(event, Event):
            for one in postings(event):
                yield _moved(line, event, one)


def balance_of(station: str, lines: Iterable[Line]) -> int:
    """What these records did to a station's chip account, in cents."""
    account = str(Account(Kind.STATION, station))
    return sum(one.cents * ((one.credit == account) - (one.debit == account)) for line in lines for one in moves(line))


def _moved(line: Line, event: Event, one: Posting) -> Moved:
    return Moved(
        *(line.version, line.at_ms, line.actor, line.coup, type(event).__name__),
        *(str(one.debit), str(one.credit), one.cents, one.clause),
    )


def _at(account: str) -> str:
    """The station of an account as it is written."""
    return [*account.split(":"), ""][1]


_OWNERS = {
    "owner_taken": "{actor} takes the table over as its owner {epoch}",
    "started": "{actor} says which program it runs",
}
