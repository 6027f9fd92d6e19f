"""What a table and its house have to say, as entries of a journal, and the way back.

An answer is JSON: the command as it was decided, and either `accepted` with its events or `refused` with the reason.
Beside the commands there are the records by which an owner takes a stream, and says what program it runs.
The command is kept whole, with role, salts and numbers filled in, so that whoever reads the journal can decide it
again and hold the outcome against what was recorded.
"""

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Any

import msgspec

from sabot.floor.pit import HOUSE_VERBS, HouseRecord, PitTable
from sabot.house import commands as house_commands
from sabot.house.decide import RULES as HOUSE_RULES
from sabot.house.events import AnyHouseEvent, HouseEvent
from sabot.house.refusal import Refused as HouseRefused
from sabot.journal.record import FORMAT, Entry
from sabot.rules.odds import Odds
from sabot.table import acts as c
from sabot.table.conversation import Record
from sabot.table.decide import RULES
from sabot.table.events import AnyEvent, Event
from sabot.table.refusal import Refused

HOUSE = "house"
_TABLE = "table/"


def table_stream(name: str) -> str:
    return _TABLE + name


def table_of(stream: str) -> str | None:
    """The table whose stream it is, or nothing where it is another kind of stream."""
    return stream.removeprefix(_TABLE) if stream.startswith(_TABLE) else None


class Started(msgspec.Struct, frozen=True):
    """What an owner says right after taking a stream: the program that it runs, and the key that it signs with."""

    build: str
    """The digest of the program."""
    keys: tuple[str, ...] = ()
    """The ring of public keys that leads to the one that signs, so that a rotation can be followed from here."""


class Answered(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """An answer with its parts left as they are written, which is what a byte for byte comparison needs."""

    command: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    accepted: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    refused: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    started: Started | msgspec.UnsetType = msgspec.UNSET


def started_entry(started: Started, owner: str, epoch: int, at_ms: int) -> Entry:
    return Entry(f"started/{epoch}", owner, "", at_ms, msgspec.Raw(_encode({"started": started})))


def read_answer(entry: Entry) -> Answered:
    return _read_answer(entry.answer)


def read_command(written: msgspec.Raw) -> c.Command:
    command: c.Command = _read_command(written)
    return command


def read_events(written: msgspec.Raw) -> tuple[Event, ...]:
    """The events of a table's record."""
    events: tuple[Event, ...] = _read_events(written)
    return events


def read_refusal(written: msgspec.Raw) -> Refused:
    """A refusal, of a table or of the house."""
    return _read_refusal(written)


def read_house_command(written: msgspec.Raw) -> house_commands.Command:
    command: house_commands.Command = _read_house_command(written)
    return command


def read_house_events(answer: Answered) -> tuple[HouseEvent, ...]:
    """What a record of the house says happened; a refusal too may leave something on record."""
    if answer.accepted is not msgspec.UNSET:
        events: tuple[HouseEvent, ...] = _read_house_events(answer.accepted)
        return events
    return () if answer.refused is msgspec.UNSET else _read_left(answer.refused).leaves


def read_command_of(body: bytes) -> c.Command | None:
    """The command of a table's stored record, if it has one; what it came to is passed over."""
    command = _read_commanded(body)[2].answer.command
    return None if command is msgspec.UNSET else command


def read_happened(body: bytes) -> tuple[tuple[Event, ...], Started | None]:
    """What a table's stored record says happened, and what its owner says that it runs; the command is passed over."""
    answer = _read_happened(body)[2].answer
    return answer.accepted, answer.started


def sets_a_wager(body: bytes) -> bool:
    """Whether a table's stored record is of a touch on the layout, told without reading it."""
    return b'"do":"set_wager"' in body


def body_decided(epoch: int, key: str, command: c.Command, decision: tuple[Event, ...] | Refused) -> bytes:
    """The body of the record that this command under this key, so decided, must have."""
    answer = {"command": command, "accepted" if type(decision) is tuple else "refused": decision}
    return _encode((FORMAT, epoch, (key, command.by, command.second, command.at_ms, answer)))


def written(value: object) -> bytes:
    """How a command, events or a refusal stand in a record."""
    return _encode(value)


def table_entry(record: Record, key: str | None = None) -> Entry:
    """The entry of one command that the table decided, under its line's key unless another is given."""
    decision = record.events if record.refusal is None else record.refusal
    return entry_of(line_key(record.n) if key is None else key, record.command, decision)


def house_entry(record: HouseRecord, n: int) -> Entry:
    return entry_of(line_key(n), record.command, record.decision)


def line_key(n: int) -> str:
    return f"line/{n}"


def is_line(key: str) -> bool:
    """Whether a line caused the record: its time is the table's, while an owner's is that of the clock on the wall."""
    return key.startswith("line/")


def line_of(key: str) -> int:
    """The number of the line that a key stands for, or 0 for a record that no line caused."""
    return int(key.removeprefix("line/").partition(".")[0]) if is_line(key) else 0


class Scribe:
    """Follows a table of a pit and hands out, line by line, what is to be written into which stream."""

    def __init__(self, talk: PitTable, house_n: int = 0, house_ms: int = 0) -> None:
        self._talk = talk
        self.house_n = house_n
        """How many entries of the house's stream were written; the next one's number follows."""
        self.house_ms = house_ms
        """The time of the last of them."""

    def entries(self, line: dict[str, Any] | None = None, since: str = "") -> list[tuple[str, list[Entry]]]:
        """What has happened since the last time, in the order in which it is to be written.

        A line's own command has the line's key; what the floor made the table do besides is numbered behind it, or,
        where there was no line, behind the word that `since` gives for the occasion.

        What was said to the house is the house's own record first; otherwise the table's comes first, and the house
        takes note of it. Between the two a power failure may fall: `Pit.bring_back` tells again what was missed.
        """
        talk = self._talk
        own = [record for record in talk.records if record.n == talk.n and not since]
        carried = [record for record in talk.records if record.n != talk.n or since]
        table = [table_entry(record) for record in own]
        behind = since or line_key(talk.n)
        table += [table_entry(record, f"{behind}.{place}") for place, record in enumerate(carried, 1)]
        house = [house_entry(record, self.house_n + place) for place, record in enumerate(talk.pit.records, 1)]
        if house:
            self.house_n, self.house_ms = self.house_n + len(house), house[-1].at_ms
        for told in (talk.records, talk.history, talk.pit.records, talk.pit.history):
            told.clear()  # The journal remembers it from here on.
        due = [(table_stream(talk.name), table), (HOUSE, house)]
        if line is not None and line.get("do") in HOUSE_VERBS:
            due.reverse()
        return [(stream, entries) for stream, entries in due if entries]


def entry_of(key: str, command: c.Command | house_commands.Command, decision: object) -> Entry:
    """The entry of one command under a key, with the events or the refusal that it came to."""
    refused = isinstance(decision, Refused | HouseRefused)
    answer = msgspec.Raw(_encode({"command": command, "refused" if refused else "accepted": decision}))
    return Entry(key, command.by, command.second, command.at_ms, answer)


def _as_text(value: object) -> object:
    if isinstance(value, Odds):
        return str(value)
    raise NotImplementedError(f"a record holds no {type(value).__name__}")


def _read(wanted: type, value: object) -> object:
    if wanted is Odds and isinstance(value, str):
        return Odds.read(value)
    raise NotImplementedError(f"a record holds no {wanted.__name__}")


class _Left(msgspec.Struct):
    """What a refusal of the house leaves on record."""

    leaves: tuple[AnyHouseEvent, ...] = ()


def _any_of(kinds: Iterable[type]) -> Any:
    """One type to decode into, told apart by the tags."""
    return reduce(or_, kinds)


class _Commanded(msgspec.Struct, frozen=True, gc=False):
    command: _any_of(RULES) | msgspec.UnsetType = msgspec.UNSET  # type: ignore[valid-type]


class _Happened(msgspec.Struct, frozen=True, gc=False):
    accepted: tuple[AnyEvent, ...] = ()
    started: Started | None = None


class _CommandedEntry(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """An entry of which only the command is looked at."""

    key: str
    actor: str
    second_actor: str
    at_ms: int
    answer: _Commanded


class _HappenedEntry(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """An entry of which only the events are looked at."""

    key: str
    actor: str
    second_actor: str
    at_ms: int
    answer: _Happened


_encode = msgspec.json.Encoder(enc_hook=_as_text).encode
_read_commanded = msgspec.json.Decoder(tuple[int, int, _CommandedEntry], dec_hook=_read).decode
_read_happened = msgspec.json.Decoder(tuple[int, int, _HappenedEntry], dec_hook=_read).decode
_read_answer = msgspec.json.Decoder(Answered).decode
_read_command = msgspec.json.Decoder(_any_of(RULES), dec_hook=_read).decode
_read_events = msgspec.json.Decoder(tuple[AnyEvent, ...], dec_hook=_read).decode
_read_refusal = msgspec.json.Decoder(Refused).decode
_read_house_command = msgspec.json.Decoder(_any_of(HOUSE_RULES)).decode
_read_house_events = msgspec.json.Decoder(tuple[AnyHouseEvent, ...]).decode
_read_left = msgspec.json.Decoder(_Left).decode
