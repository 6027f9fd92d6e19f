"""The records of tables, of the house and of tournaments: their form, and how to read them.

An answer is JSON: the act and the stamp as they were decided, and either `accepted` with the events or `refused` with
the reason. Beside these there are the records by which an owner takes a stream and says what program it runs. Act and
stamp are kept whole, with role, salts and numbers filled in. So a reader of the journal can decide them again and
compare the outcome with what was recorded.
"""

from collections.abc import Iterable, Sequence

import msgspec

from sabot.basics.act import Act
from sabot.basics.stamp import Stamp, Stamped
from sabot.floor.records.older_forms import in_present_form
from sabot.house.acts import HouseAct
from sabot.house.events import AnyHouseEvent, HouseEvent
from sabot.house.refusal import HouseRefused
from sabot.journal.record import FORMAT, Entry, Record, read_body
from sabot.rules.odds import Odds
from sabot.table.acts import TableAct
from sabot.table.events import AnyEvent, Event
from sabot.table.refusal import Refused
from sabot.tournament.acts import AnyTournamentAct
from sabot.tournament.events import AnyTournamentEvent, TournamentEvent
from sabot.tournament.refusal import TournamentRefused

HOUSE = "house"
_TABLE = "table/"
_TOURNAMENT = "tournament/"


def table_stream(name: str) -> str:
    return _TABLE + name


def table_of(stream: str) -> str | None:
    """The table whose stream it is, or nothing where it is another kind of stream."""
    return stream.removeprefix(_TABLE) if stream.startswith(_TABLE) else None


def tournament_stream(name: str) -> str:
    return _TOURNAMENT + name


def tournament_of(stream: str) -> str | None:
    """The tournament whose stream it is, or nothing where it is another kind of stream."""
    return stream.removeprefix(_TOURNAMENT) if stream.startswith(_TOURNAMENT) else None


class Started(msgspec.Struct, frozen=True):
    """What an owner says right after taking a stream: the program that it runs."""

    build: str
    """The digest of the program."""
    keys: tuple[str, ...] = ()
    """The ring of its key, in journals from before keys had a stream of their own (`journal/key_ring.py`)."""


class HandedOver(msgspec.Struct, frozen=True):
    """What an owner says before it leaves a table to another process between two coups."""

    to: str
    """Where devices are sent; empty where that is not known."""
    by: str
    """Who asked for it."""


class Answered(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """An answer with its parts left as they are written, which is what a byte for byte comparison needs."""

    act: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    stamp: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    accepted: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    refused: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    started: Started | msgspec.UnsetType = msgspec.UNSET


def started_entry(started: Started, owner: str, epoch: int, at_ms: int) -> Entry:
    return Entry(f"started/{epoch}", owner, "", at_ms, msgspec.Raw(_encode({"started": started})))


def handed_over_entry(said: HandedOver, owner: str, epoch: int, at_ms: int) -> Entry:
    return Entry(f"handed_over/{epoch}", owner, "", at_ms, msgspec.Raw(_encode({"handed_over": said})))


def read_answer(of: Record | Entry) -> Answered:
    """The answer of a record, in the present form; an entry has that form as long as it is no record."""
    return _read_answer(in_present_form(of.form, of.entry.answer) if isinstance(of, Record) else of.answer)


def read_act(answer: Answered) -> Stamped[TableAct]:
    """The act of a table's record with its stamp."""
    return Stamped(_read_act(answer.act or msgspec.Raw()), _read_stamp(answer.stamp or msgspec.Raw()))


def read_events(written: msgspec.Raw) -> tuple[Event, ...]:
    """The events of a table's record."""
    events: tuple[Event, ...] = _read_events(written)
    return events


def read_refusal(written: msgspec.Raw) -> Refused:
    """A refusal, of a table, of the house or of a tournament."""
    return _read_refusal(written)


def read_house_act(answer: Answered) -> Stamped[HouseAct]:
    return Stamped(_read_house_act(answer.act or msgspec.Raw()), _read_stamp(answer.stamp or msgspec.Raw()))


def read_house_events(answer: Answered) -> tuple[HouseEvent, ...]:
    """What a record of the house says happened; a refusal too may leave something on record."""
    if answer.accepted is not msgspec.UNSET:
        events: tuple[HouseEvent, ...] = _read_house_events(answer.accepted)
        return events
    return () if answer.refused is msgspec.UNSET else _read_left(answer.refused).leaves


def read_house_decision(answer: Answered) -> tuple[HouseEvent, ...] | HouseRefused:
    events = read_house_events(answer)
    if answer.refused is msgspec.UNSET:
        return events
    refused = read_refusal(answer.refused)
    return HouseRefused(refused.code, refused.clause, refused.text, refused.alarm, events, refused.values)


def read_tournament_act(answer: Answered) -> Stamped[AnyTournamentAct]:
    return Stamped(_read_tournament_act(answer.act or msgspec.Raw()), _read_stamp(answer.stamp or msgspec.Raw()))


def read_tournament_events(answer: Answered) -> tuple[TournamentEvent, ...]:
    """What a record of a tournament says happened; a refusal leaves nothing."""
    if answer.accepted is msgspec.UNSET:
        return ()
    events: tuple[TournamentEvent, ...] = _read_tournament_events(answer.accepted)
    return events


def read_tournament_decision(answer: Answered) -> tuple[TournamentEvent, ...] | TournamentRefused:
    if answer.refused is msgspec.UNSET:
        return read_tournament_events(answer)
    refused = read_refusal(answer.refused)
    return TournamentRefused(refused.code, refused.clause, refused.text, refused.values)


def events_recorded(stream: str, answer: Answered) -> tuple[object, ...]:
    """What a record says happened, of whatever kind its stream is."""
    if stream == HOUSE:
        return read_house_events(answer)
    if tournament_of(stream) is not None:
        return read_tournament_events(answer)
    return () if answer.accepted is msgspec.UNSET else read_events(answer.accepted)


def read_act_of(body: bytes) -> Stamped[TableAct] | None:
    """The act of a table's stored record with its stamp, if it has one; what it came to is passed over."""
    answer = _read_acted(_present(body))[2].answer
    return None if answer.act is None or answer.stamp is None else Stamped(answer.act, answer.stamp)


def read_happened(body: bytes) -> tuple[tuple[Event, ...], Started | None]:
    """What a table's stored record says happened, and what its owner says that it runs; the act is passed over."""
    answer = _read_happened(_present(body))[2].answer
    return answer.accepted, answer.started


def read_acts_of(lines: bytes) -> list[Stamped[TableAct] | None]:
    """The acts of a table's stored records of the present form, one in each line; read together, which is faster."""
    answers = [entry.answer for _, _, entry in _read_acted_lines(lines)]
    return [None if one.act is None or one.stamp is None else Stamped(one.act, one.stamp) for one in answers]


def read_plain_touches(lines: bytes, epoch: int, keys: Sequence[str]) -> list[tuple[Event, ...]] | None:
    """What happened in a table's stored records of the present form that an act caused, one in each line.

    Nothing where one of them has not the one form that records are written in, with this epoch and its key. Act, stamp
    and refusal are passed over as they are written, so that they must be text is asked of the whole.
    """
    lines.decode()
    read = _read_told_lines(lines)
    if _encode_lines(read) != lines or [entry.key for _, _, entry in read] != keys:
        return None
    if {(form, found, entry.answer.act is msgspec.UNSET) for form, found, entry in read} != {(FORMAT, epoch, False)}:
        return None
    return [entry.answer.accepted or () for _, _, entry in read]


def is_older(body: bytes) -> bool:
    """Whether a stored record has an earlier form than this program's, told without reading it."""
    return not body.startswith(_PRESENT)


def _present(body: bytes) -> bytes:
    """A stored record's body in the present form."""
    if not is_older(body):
        return body
    form, epoch, entry = read_body(body)
    return _encode((FORMAT, epoch, msgspec.structs.replace(entry, answer=in_present_form(form, entry.answer))))


def sets_a_wager(body: bytes) -> bool:
    """Whether a table's stored record is of a touch on the layout, told without reading it."""
    return b'"do":"set_wager"' in body


def read_touched(answer: msgspec.Raw) -> tuple[tuple[str, ...], str | None]:
    """The names of the events that a touch caused, and the code of its refusal if it was refused."""
    found = _read_touched(answer)
    return tuple(one.event for one in found.accepted), None if found.refused is None else found.refused.code


def body_decided(epoch: int, key: str, one: Stamped[TableAct], decision: tuple[Event, ...] | Refused) -> bytes:
    """The body of the record that this act under this key, so decided, must have."""
    stamp = one.stamp
    answer = _answer(one.act, stamp, decision)
    return _encode((FORMAT, epoch, (key, stamp.by, stamp.second, stamp.at_ms, answer)))


def lines_decided(
    epoch: int, keys: Iterable[str], given: Iterable[Stamped[TableAct]], decided: Iterable[tuple[Event, ...] | Refused]
) -> bytes:
    """The bodies of the records that these acts, so decided, must have, one in each line."""
    bodies = [
        (FORMAT, epoch, (key, stamp.by, stamp.second, stamp.at_ms, _answer(act, stamp, decision)))
        for key, (act, stamp), decision in zip(keys, given, decided, strict=True)
    ]
    return _encode_lines(bodies)


def _answer(act: Act, stamp: Stamp, decision: object) -> dict[str, object]:
    return {"act": act, "stamp": stamp, "accepted" if type(decision) is tuple else "refused": decision}


def written(value: object) -> bytes:
    """How an act, a stamp, events or a refusal stand in a record."""
    return _encode(value)


_PRESENT = f"[{FORMAT},".encode()
LINES = "line"
"""The device under whose name the lines of a conversation are asked."""


def is_line(key: str) -> bool:
    """Whether a line of a conversation caused the record."""
    return key.startswith(f"ask/{LINES}/")


def line_of(key: str) -> int:
    """The number of the line that a key stands for, or 0 for a record that no line caused."""
    return int(key.rpartition("/")[2]) if is_line(key) else 0


def entry_of(key: str, act: Act, stamp: Stamp, decision: object) -> Entry:
    """The entry of one act under a key, with the events or the refusal that it came to."""
    answer = msgspec.Raw(_encode(_answer(act, stamp, decision)))
    return Entry(key, stamp.by, stamp.second, stamp.at_ms, answer)


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


class _Acted(msgspec.Struct, frozen=True, gc=False):
    act: TableAct | None = None
    stamp: Stamp | None = None


class _Happened(msgspec.Struct, frozen=True, gc=False):
    accepted: tuple[AnyEvent, ...] = ()
    started: Started | None = None


class _Named(msgspec.Struct, frozen=True, gc=False):
    event: str


class _Coded(msgspec.Struct, frozen=True, gc=False):
    code: str


class _Touched(msgspec.Struct, frozen=True, gc=False):
    """An answer of which only names are looked at."""

    accepted: tuple[_Named, ...] = ()
    refused: _Coded | None = None


class _Told(msgspec.Struct, frozen=True, gc=False):
    """An answer to an act of which only the events are read; written again it is the same to the byte."""

    act: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    stamp: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    accepted: tuple[AnyEvent, ...] | msgspec.UnsetType = msgspec.UNSET
    refused: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class _ToldEntry(msgspec.Struct, frozen=True, gc=False, array_like=True):
    key: str
    actor: str
    second_actor: str
    at_ms: int
    answer: _Told


class _ActedEntry(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """An entry of which only the act and its stamp are looked at."""

    key: str
    actor: str
    second_actor: str
    at_ms: int
    answer: _Acted


class _HappenedEntry(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """An entry of which only the events are looked at."""

    key: str
    actor: str
    second_actor: str
    at_ms: int
    answer: _Happened


_ENCODER = msgspec.json.Encoder(enc_hook=_as_text)
_ACTED = msgspec.json.Decoder(tuple[int, int, _ActedEntry], dec_hook=_read)
_HAPPENED = msgspec.json.Decoder(tuple[int, int, _HappenedEntry], dec_hook=_read)
_TOLD = msgspec.json.Decoder(tuple[int, int, _ToldEntry], dec_hook=_read)
_encode, _encode_lines = _ENCODER.encode, _ENCODER.encode_lines
_read_acted, _read_acted_lines = _ACTED.decode, _ACTED.decode_lines
_read_happened, _read_told_lines = _HAPPENED.decode, _TOLD.decode_lines
_read_touched = msgspec.json.Decoder(_Touched).decode
_read_answer = msgspec.json.Decoder(Answered).decode
_read_act = msgspec.json.Decoder(TableAct, dec_hook=_read).decode
_read_stamp = msgspec.json.Decoder(Stamp).decode
_read_events = msgspec.json.Decoder(tuple[AnyEvent, ...], dec_hook=_read).decode
_read_refusal = msgspec.json.Decoder(Refused).decode
_read_house_act = msgspec.json.Decoder(HouseAct).decode
_read_house_events = msgspec.json.Decoder(tuple[AnyHouseEvent, ...]).decode
_read_tournament_act = msgspec.json.Decoder(AnyTournamentAct).decode
_read_tournament_events = msgspec.json.Decoder(tuple[AnyTournamentEvent, ...]).decode
_read_left = msgspec.json.Decoder(_Left).decode
