"""A JSON line of a conversation as an act: what is said, by whom, and when."""

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec

from sabot.basics.act import Act, verb
from sabot.basics.figures import LATEST_MS
from sabot.basics.mistake import Mistake, told_of
from sabot.basics.role import Role
from sabot.floor.lines.times import local_ms
from sabot.floor.lines.words import HOUSE_WORDS
from sabot.floor.stamper import Giver
from sabot.house.decide import RULES as HOUSE_RULES
from sabot.table import acts
from sabot.table.configuration import read_configuration
from sabot.table.rules import RULES
from sabot.table.state import TableState
from sabot.tournament import acts as tournament_acts
from sabot.tournament.conditions.fixtures import fixture_raw
from sabot.tournament.decide import RULES as TOURNAMENT_RULES
from sabot.tournament.state import TournamentState

A = TypeVar("A", bound=Act)

TABLE_VERBS: dict[str, type[Act]] = {verb(kind): kind for kind in RULES}
HOUSE_VERBS: dict[str, type[Act]] = {verb(kind): kind for kind in HOUSE_RULES if verb(kind) in HOUSE_WORDS}
TOURNAMENT_VERBS: dict[str, type[Act]] = {verb(kind): kind for kind in TOURNAMENT_RULES}
OWN_ACTS = frozenset(
    {
        acts.AgreeToConclude,
        *(acts.SetOwnLimit, acts.TakeBreak, acts.AcknowledgeCheck, acts.CallAttendant),
        acts.Note,
        acts.InsertTicket,
        acts.ReadPlayerCard,
        acts.Leave,
        acts.Stay,
        acts.SetWager,
        acts.Move,
        acts.Undo,
        acts.Clear,
        acts.Repeat,
        acts.Double,
        acts.Lay,
    }
)
"""A station does these for itself."""
_DESKS: dict[str, str] = {"tick": "clock", "configure": "operator", "option": "operator", "configure_house": "operator"}
"""Who gives these when the line does not say."""
_STATED: dict[type[Act], frozenset[str]] = {
    acts.Leave: frozenset({"ticket"}),
    acts.OpenTable: frozenset({"build"}),
    acts.BuyIn: frozenset({"excluded"}),
    acts.Nominee: frozenset({"excluded"}),
    acts.Close: frozenset({"salts"}),
    acts.Card: frozenset({"salts"}),
    acts.Tick: frozenset({"salts"}),
    tournament_acts.DrawSeats: frozenset({"seed"}),
    tournament_acts.ConfirmRound: frozenset({"seed"}),
    tournament_acts.AwardPrizes: frozenset({"seed"}),
}
"""What a line may state of the stamp. The house has the last word on who is excluded."""


class _Stated(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    at_ms: Annotated[int, msgspec.Meta(le=LATEST_MS)]
    by: str = ""
    role: Role | None = None
    second: str = ""
    second_role: Role | None = None
    ticket: str = ""
    build: str = ""
    excluded: bool = False
    salts: dict[str, str] = {}
    seed: str = ""


class LineAct(NamedTuple):
    act: Act
    giver: Giver
    at_ms: int
    ticket: str = ""
    build: str = ""
    salts: dict[str, str] = {}
    seed: str = ""


def read_table_act(line: Mapping[str, Any], state: TableState, now_ms: int) -> LineAct:
    """The act of a line that is said to a table; one that is no act at all raises a `Mistake`."""
    word = line.get("do")
    kind = TABLE_VERBS.get(word) if isinstance(word, str) else None
    if kind is None:
        known = {**TABLE_VERBS, **HOUSE_VERBS, **TOURNAMENT_VERBS}
        raise Mistake(f"there is no verb {word!r}; the verbs are {', '.join(known)}")
    own = {name: value for name, value in line.items() if name != "do"}
    stated = _take_stated(own, kind)
    if "by" not in stated:
        stated["by"] = _usual(kind, own)
    if kind is acts.Configure:
        own["configuration"] = _wanted_configuration(state, own.pop("set", None), own.get("configuration"))
    said = _read_stated(stated, kind, now_ms)
    if "station" in kind.__struct_fields__ and said.by in state.stations:
        own.setdefault("station", said.by)
    return _line_act(_built(kind, own), said, now_ms)


def read_house_act(line: Mapping[str, Any], table: str, now_ms: int) -> LineAct:
    """The act of a line that is said to the house; where it speaks of a table it means this one."""
    kind = HOUSE_VERBS[line["do"]]
    own = {name: value for name, value in line.items() if name != "do"}
    stated = _take_stated(own, kind)
    stated.setdefault("by", _DESKS.get(line["do"], ""))
    if "table" in kind.__struct_fields__:
        own.setdefault("table", table)
    said = _read_stated(stated, kind, now_ms)
    return _line_act(_built(kind, own), said, now_ms)


def read_tournament_act(line: Mapping[str, Any], state: TournamentState | None, zone: str, now_ms: int) -> LineAct:
    """The act of a line that is said to a tournament; `state` is the tournament's that the line names."""
    kind = TOURNAMENT_VERBS[line["do"]]
    own = {name: value for name, value in line.items() if name != "do"}
    stated = _take_stated(own, kind)
    if kind is tournament_acts.SaveConditions:
        own["conditions"] = wanted_conditions(own.get("conditions"), own.pop("set", None))
    if kind is tournament_acts.ApproveConditions:
        own.setdefault("digest", _digest_of(state, own.get("version")))
    if kind is tournament_acts.AlterStart and isinstance(own.get("to"), str):
        own["to_ms"] = local_ms(own.pop("to"), zone)
    if kind is tournament_acts.NoteScore and isinstance(own.get("scores"), dict):
        own["scores"] = [{"counted": own.get("counted"), "scores": own["scores"]}]  # After the last counted coup.
    said = _read_stated(stated, kind, now_ms)
    return _line_act(_built(kind, own), said, now_ms)


def wanted_conditions(named: object, changes: object) -> object:
    """The conditions that a line asks for: whole, or shipped ones by their name, with some keys changed."""
    whole = fixture_raw(named) if isinstance(named, str) else named
    if changes is None:
        return whole
    if not isinstance(changes, dict) or not isinstance(whole, dict):
        raise Mistake("save_conditions: set: needs an object of keys to change, and conditions to change them in")
    changed = msgspec.json.decode(msgspec.json.encode(whole))
    for key, value in changes.items():
        _change(changed, str(key).split("."), value)
    return changed


def _change(within: Any, path: list[str], value: object) -> None:
    """Put a value at `rounds.0.coups`, or take the key out where the value is nothing."""
    *way, last = path
    try:
        for step in way:
            within = within[int(step)] if isinstance(within, list) else within.setdefault(step, {})
        if isinstance(within, list):
            within[int(last)] = value
        elif value is None:
            within.pop(last, None)
        else:
            within[last] = value
    except (ValueError, IndexError, AttributeError, TypeError):
        raise Mistake(f"save_conditions: set: there is no key {'.'.join(path)}") from None


def _digest_of(state: TournamentState | None, version: object) -> str:
    """The digest of a version as it was saved, where the line states none."""
    saved = state.versions if state else ()
    return next((one.digest for one in saved if one.version == version), "")


def _take_stated(own: dict[str, Any], kind: type[Act]) -> dict[str, Any]:
    """Take what belongs to the stamp out of a line's fields."""
    names = {"at_ms", "by", "role", "second", "second_role"} | _STATED.get(kind, frozenset())
    return {name: own.pop(name) for name in names & own.keys()}


def _usual(kind: type[Act], own: Mapping[str, Any]) -> str:
    if verb(kind) in _DESKS:
        return _DESKS[verb(kind)]
    if kind in OWN_ACTS and isinstance(own.get("station"), str):
        return str(own["station"])
    raise Mistake("by: the line does not say who gives the command")


def _read_stated(stated: dict[str, Any], kind: type[Act], now_ms: int) -> _Stated:
    for name in ("by", "second"):
        if not isinstance(stated.get(name, ""), str):
            raise Mistake(f"{name}: who gives the command, and who approves it, is a word")
    try:
        return msgspec.convert({"at_ms": now_ms, **stated}, _Stated)
    except msgspec.ValidationError as error:
        raise Mistake(f"{verb(kind)}: {told_of(error, _Stated, stated)}") from None


def _line_act(act: Act, said: _Stated, now_ms: int) -> LineAct:
    """The mailbox's order is the order of time; nothing arrives in the past."""
    giver = Giver(said.by, said.second, said.role)
    return LineAct(act, giver, max(said.at_ms, now_ms), said.ticket, said.build, said.salts, said.seed)


def _built(kind: type[A], fields: Mapping[str, Any]) -> A:
    try:
        return msgspec.convert(fields, kind, str_keys=True)
    except msgspec.ValidationError as error:
        raise Mistake(f"{verb(kind)}: {told_of(error, kind, fields)}") from None


def _wanted_configuration(state: TableState, changes: object, whole: object) -> object:
    """The configuration that a line asks for: a whole one, or the present one with some keys changed."""
    if changes is not None and not isinstance(changes, dict):
        raise Mistake("configure: set: needs an object of keys to change")
    if changes is not None:
        whole = {**msgspec.to_builtins(state.configuration, enc_hook=str), **changes}
    return msgspec.to_builtins(read_configuration(whole), enc_hook=str) if whole is not None else None
