"""Writes the types of all that comes and goes on the wire in TypeScript: `python screens/messages.py`.

They are made from the very structs that the server reads and writes with, so a message is never described twice. The
same goes for the English sentences (`told.ts`, `refusals.ts`) and for who may do what (`rules.ts`). The
files are kept beside the sources that use them, so that building the pages needs no server; a test holds them fresh.
"""

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import inspect as types

from sabot.audit.record_story import OF_OWNERS
from sabot.basics.act import Act
from sabot.basics.role import PERSONS, Role
from sabot.floor.sentences import PHRASES
from sabot.floor.stamper import StampCause
from sabot.floor.table_owner.term import BUSY, HALTED, LATE
from sabot.house.acts import DeskAct, MakeService
from sabot.house.decide import RULES as HOUSE_RULES
from sabot.house.devices.deciding import AT_A_STATION
from sabot.house.refusal import HouseCause
from sabot.integrity.phrases import SENTENCES
from sabot.odds.answer_form import OddsAnswer
from sabot.rulebook.clauses import readings as all_readings
from sabot.rules.shipped import all_rule_sets
from sabot.school.report import LessonReport
from sabot.school.words import LessonWords
from sabot.table.acts import DeviceAct
from sabot.table.irregularities.details import DETAILS
from sabot.table.preview import PREVIEWED
from sabot.table.refusal import Cause
from sabot.table.role import DEALER_OR_ABOVE, GAME_SUPERVISOR_OR_ABOVE, ONLY_SIGNED_ON, STAFF, at_least
from sabot.table.rules import RULES
from sabot.table.signs.deciding import MAY_ANNOUNCE_CLOSURE
from sabot.tournament.acts import DirectedAct
from sabot.tournament.decide import RULES as TOURNAMENT_RULES
from sabot.tournament.decide import TournamentRule
from sabot.tournament.refusal import TournamentCause
from sabot.views.audience import TablePicture
from sabot.views.console import ConsoleView
from sabot.views.curves import FloorCurves
from sabot.views.display import DisplayView
from sabot.views.felt import Felt
from sabot.views.floor import FloorView
from sabot.views.floor_map import MapFrame
from sabot.views.report_sheets import COLUMNS
from sabot.views.reports import TableReport
from sabot.views.sheets import FloorReport
from sabot.views.station import StationView
from sabot.views.tournament_board import TournamentBoard
from sabot.views.tournament_desk import TournamentDesk
from sabot.views.words import WORDS
from sabot.web.http.floor_routes import OVERSEERS, Done
from sabot.web.http.identity_routes import (
    MAY_SEE_ENROLMENTS,
    MAY_SEE_SESSIONS,
    ApprovalGiven,
    ChallengeGiven,
    InvitationShown,
    SessionShown,
    SignOnAnswer,
    WaitingShown,
)
from sabot.web.http.integrity_routes import IntegrityShown, LightsShown
from sabot.web.http.refusal import WebCause
from sabot.web.http.report_routes import ReportChoices, ReportFile
from sabot.web.http.school_routes import LessonLine, TraineeLine
from sabot.web.http.service_routes import ServiceGiven
from sabot.web.http.start_routes import StartShown
from sabot.web.http.tournament_routes import OVERSEERS as TOURNAMENT_OVERSEERS
from sabot.web.http.tournament_routes import (
    REGISTRARS,
    ConditionsText,
    DrawProof,
    EntryForm,
    FormKept,
    RoundResult,
    TournamentDone,
    TournamentLine,
)
from sabot.web.identity.enrolments import LETTERS
from sabot.web.identity.qr import QrPicture
from sabot.web.identity.services import ServiceBody, ServiceShown
from sabot.web.reports.asks import RecordTold
from sabot.web.socket.entrance import NOT_SERVED, NOT_WRITTEN
from sabot.web.socket.socket import STALE, TOO_FAST
from sabot.wire.frames import DeviceFrame, FloorFrame, Told

ANSWERS = (
    *(ChallengeGiven, SignOnAnswer, SessionShown, ApprovalGiven, WaitingShown, Done, RecordTold, TableReport),
    *(OddsAnswer, FloorCurves, FloorReport, ReportChoices, ReportFile),
    *(StartShown, Felt, InvitationShown, QrPicture),
    *(IntegrityShown, LightsShown),
    *(ServiceShown, ServiceGiven, ServiceBody),
)
"""What a person at a console, a desk or a station is told over HTTP."""
OF_TOURNAMENTS = (
    *(TournamentDesk, TournamentBoard, TournamentLine, TournamentDone),
    *(EntryForm, FormKept, ConditionsText, DrawProof, RoundResult),
)
"""What the pages of tournaments are told, and tell, over HTTP."""
OF_THE_SCHOOL = (LessonLine, TraineeLine, LessonReport)
"""What the page of a dealer school is told over HTTP."""
FOLDER = Path(__file__).resolve().parent / "src" / "wire"
CATALOGUES = FOLDER.parent / "catalogue"
_REPORT_WORDS = "../../../src/sabot/web/reports/report_words.json"
_WORD = re.compile(r'^  (\w+): ("(?:[^"\\]|\\.)*"),$', re.MULTILINE)
_OF_REPORTS = (
    *(f"report_{code}" for code in COLUMNS),
    *("total", "period", "made_at", "made_with", "read_from", "unsigned_records", "casino_not_named"),
    *("signed_made", "signed_checked", "no_odds", "below_bounds", "above_bounds", "within_bounds", "theory_remark"),
    *("dealer_remark", "patron_remark", "put_right_remark", "no_variance", "variance_of", "float_remark"),
    *("meters_remark", "unclaimed", "liability_agrees", "liability_differs"),
)
"""The words of the server's own sheets and files, beside the heads of their columns."""
FILES: dict[str, dict[str, Any]] = {
    "frames.ts": {"DeviceAct": DeviceAct, "DeviceFrame": DeviceFrame, "FloorFrame": FloorFrame},
    "house.ts": {"DeskAct": DeskAct},
    "views.ts": {"": (StationView, ConsoleView, DisplayView, FloorView, MapFrame)},
    "web.ts": {"": ANSWERS},
    "school.ts": {"": OF_THE_SCHOOL},
    "tournament.ts": {"DirectedAct": DirectedAct, "": OF_TOURNAMENTS},
}
_LEFT_OPEN = (Told, TablePicture)
"""For those who follow events; the pages follow views."""
_HEAD = "// Written by screens/messages.py from the server's own structs; do not edit.\n"
_PLAIN: dict[type, str] = {
    types.StrType: "string",
    types.IntType: "number",
    types.FloatType: "number",
    types.BoolType: "boolean",
    types.BytesType: "string",
    types.NoneType: "null",
    types.AnyType: "unknown",
    types.CustomType: "string",
}


class Writer:
    """Collects the structs that a type is made of, each once, and says each type in TypeScript."""

    def __init__(self) -> None:
        self.structs: dict[str, types.StructType] = {}
        self.unions: dict[str, str] = {}

    def name(self, kind: types.Type) -> str:
        match kind:
            case types.Metadata():
                said = self.name(kind.type)
            case types.StructType():
                said = self._struct(kind)
            case types.UnionType():
                said = self._union(kind)
            case types.LiteralType():
                said = " | ".join(_quoted(value) for value in kind.values)
            case types.EnumType():
                said = " | ".join(_quoted(member.value) for member in kind.cls)
            case types.DictType():
                said = f"Readonly<Record<string, {self.name(kind.value_type)}>>"
            case types.NamedTupleType():
                said = f"readonly [{self._places(kind)}]"
            case types.TupleType():
                said = f"readonly [{', '.join(map(self.name, kind.item_types))}]"
            case types.CollectionType():
                said = f"readonly {_grouped(self.name(kind.item_type))}[]"
            case _:
                said = _PLAIN[type(kind)]
        return said

    def _union(self, kind: types.UnionType) -> str:
        """By its name, where it has one."""
        said = " | ".join(dict.fromkeys(self.name(one) for one in kind.types if not _is_left_open(one)))
        return self.unions.get(said, said)

    def _struct(self, kind: types.StructType) -> str:
        if _is_left_open(kind):
            return "unknown"
        if kind.cls is LessonWords:
            return "Readonly<Record<string, string>>"  # By the codes of languages, of which pages name none.
        name = kind.cls.__name__
        known = self.structs.setdefault(name, kind)
        assert known.cls is kind.cls, f"two structs are called {name}: {known.cls} and {kind.cls}"
        return name

    def write_structs(self) -> Iterator[str]:
        written: set[str] = set()
        while waiting := [name for name in self.structs if name not in written]:
            for name in waiting:
                written.add(name)
                yield self._interface(name, self.structs[name])

    def _interface(self, name: str, kind: types.StructType) -> str:
        said = kind.cls.__dict__.get("__doc__")
        comment = f"/** {' '.join(said.split())} */\n" if said else ""
        if kind.array_like:
            return f"{comment}export type {name} = readonly [{self._places(kind)}];\n"
        lines = [f"  readonly {kind.tag_field}: {_quoted(kind.tag)};\n"] if kind.tag_field else []
        lines += [self._field(kind, field) for field in kind.fields]
        return f"{comment}export interface {name} {{\n{''.join(lines)}}}\n"

    def _places(self, kind: types.StructType | types.NamedTupleType) -> str:
        return ", ".join(f"{field.encode_name}: {self.name(field.type)}" for field in kind.fields)

    def _field(self, kind: types.StructType, field: types.Field) -> str:
        """A field that is left out when it has its default value need not be there."""
        may_lack = not field.required and kind.cls.__struct_config__.omit_defaults
        return f"  readonly {field.encode_name}{'?' if may_lack else ''}: {self.name(field.type)};\n"


def written(roots: dict[str, Any]) -> str:
    writer = Writer()
    for name, root in roots.items():
        for one in _many(root):
            said = writer.name(types.type_info(one))
            if name:
                writer.unions[said] = name
    structs = tuple(writer.write_structs())
    return "\n".join((_HEAD, *structs, *(f"export type {name} = {said};\n" for said, name in writer.unions.items())))


def sentences() -> str:
    """The English sentence of every message; the other languages are catalogues with the very same keys."""
    lines = (f"  {code}: {_quoted(sentence)},\n" for code, sentence in WORDS.items())
    return f"{_HEAD}\nexport const TOLD = {{\n{''.join(lines)}}} as const;\n"


def events() -> str:
    """The English sentence of every event and of every part of one, by its code."""
    lines = (f"  {code}: {_quoted(sentence)},\n" for code, sentence in {**PHRASES, **OF_OWNERS}.items())
    return f"{_HEAD}\nexport const EVENTS = {{\n{''.join(lines)}}} as const;\n"


def lights() -> str:
    """The English sentence of every light of integrity, and of every part of one, by its code."""
    lines = (f"  {code}: {_quoted(sentence)},\n" for code, sentence in SENTENCES.items())
    return f"{_HEAD}\nexport const LIGHTS = {{\n{''.join(lines)}}} as const;\n"


def readings() -> str:
    """Which clause each reading of the house is about."""
    about = {name: re.search(r"(CROWN|MBS-\w+|RWS) \d[\d.]*", one.where) for name, one in all_readings().items()}
    lines = (f"  {_quoted(name)}: {_quoted(found[0].rstrip('.'))},\n" for name, found in about.items() if found)
    return f"{_HEAD}\nexport const READINGS = {{\n{''.join(lines)}}} as const;\n"


def refusals() -> str:
    """The English sentences of each refusal: several where tables, house, tournaments and web have the same code."""
    found: dict[str, list[str]] = {}
    for cause in (*Cause, *HouseCause, *TournamentCause, *StampCause, *WebCause):
        found.setdefault(cause.code, []).append(re.sub(r"!r}", "}", cause.sentence))
    for refused in (LATE, BUSY, HALTED, STALE, NOT_SERVED, NOT_WRITTEN):
        found.setdefault(refused.code, []).append(refused.text)
    found["too_fast"].append(TOO_FAST)
    lines = (f"  {code}: {_quoted(list(dict.fromkeys(said)))},\n" for code, said in found.items())
    return f"{_HEAD}\nexport const REFUSALS = {{\n{''.join(lines)}}} as const;\n"


def page_rules() -> dict[str, object]:
    """Who may do what and what a form lets people choose, by the name that the pages give each."""
    table, desk, directed = _acts(DeviceAct), _acts(DeskAct), _acts(DirectedAct)
    asked: dict[str, type[Act]] = {
        **desk,
        "make_service": MakeService,
    }  # It has a path of its own, since the floor draws the secret.
    at_a_table = (RULES[kind].who for kind in table.values() if not RULES[kind].who >= STAFF)
    return {
        "ROLES": _persons(Role),
        "TABLE_ROLES": {verb: _persons(RULES[kind].who) for verb, kind in table.items()},
        "TABLE_SECONDS": _persons(GAME_SUPERVISOR_OR_ABOVE),
        "HOUSE_ROLES": {verb: _persons(HOUSE_RULES[kind].who) for verb, kind in asked.items()},
        "HOUSE_SECONDS": {verb: _persons(HOUSE_RULES[kind].second) for verb, kind in asked.items()},
        "TOURNAMENT_ROLES": {verb: _persons(TOURNAMENT_RULES[kind].who) for verb, kind in directed.items()},
        "TOURNAMENT_SECONDS": {verb: _persons(_seconds(TOURNAMENT_RULES[kind])) for verb, kind in directed.items()},
        "AT_LEAST": {role.value: _persons(at_least(role)) for role in Role if role in DEALER_OR_ABOVE},
        "WORK_AT_A_TABLE": _persons(frozenset[Role]().union(*at_a_table)),
        "ONLY_SIGNED_ON": _persons(ONLY_SIGNED_ON),
        "PREVIEWED": sorted(verb for verb, kind in table.items() if kind in PREVIEWED),
        "CLOSURE_ROLES": _persons(MAY_ANNOUNCE_CLOSURE),
        "SEE_FLOOR": _persons(OVERSEERS),
        "SEE_ENROLMENTS": _persons(MAY_SEE_ENROLMENTS),
        "SEE_SESSIONS": _persons(MAY_SEE_SESSIONS),
        "SEE_TOURNAMENTS": _persons(TOURNAMENT_OVERSEERS),
        "KEEP_FORMS": _persons(REGISTRARS),
        "FACTS": DETAILS,
        "CHOICES": {verb: choices for verb, kind in {**table, **desk}.items() if (choices := _choices(kind))},
        "AT_A_STATION": sorted(AT_A_STATION),
        "CODE_LETTERS": list(LETTERS),
    }


def rules() -> str:
    """Constants of `page_rules`, one line for each entry."""
    parts = (f"export const {name} = {_constant(value)} as const;\n" for name, value in page_rules().items())
    return "\n".join((_HEAD, *parts))


def all_files() -> dict[str, str]:
    types_of = {file: written(roots) for file, roots in FILES.items()}
    data = {"told.ts": sentences(), "events.ts": events(), "readings.ts": readings(), "refusals.ts": refusals()}
    data["lights.ts"] = lights()
    return {**types_of, **data, "rules.ts": rules(), _REPORT_WORDS: report_words()}


def report_words() -> str:
    """The words of reports in every language, for the files that the server writes."""
    languages = [one["code"] for one in msgspec.json.decode((CATALOGUES / "languages.json").read_bytes())]
    kept = {language: _kept_words(CATALOGUES / language) for language in languages}
    return msgspec.json.format(msgspec.json.encode(kept), indent=1).decode() + "\n"


def _kept_words(folder: Path) -> dict[str, str]:
    texts = [
        (folder / f"{name}.ts").read_text(encoding="utf-8") for name in ("pages", "tournament", "staff", "reports")
    ]
    found = {key: msgspec.json.decode(said, type=str) for text in texts for key, said in _WORD.findall(text)}
    columns = [column for columns in COLUMNS.values() for column in columns]
    bets = {bet for one in all_rule_sets() for bet in one.bets}
    missing = {*_OF_REPORTS, *(column.key for column in columns)} - found.keys()
    assert not missing, f"{folder.name} has no word for {', '.join(sorted(missing))}"
    prefixes = tuple({f"{column.prefix}_" for column in columns if column.prefix})
    wanted = {*_OF_REPORTS, *(column.key for column in columns), *bets}
    return {key: said for key, said in sorted(found.items()) if key in wanted or key.startswith(prefixes)}


def _acts(union: Any) -> dict[str, type[Act]]:
    return {str(kind.__struct_config__.tag): kind for kind in get_args(union)}


def _persons(roles: Iterable[Role]) -> list[str]:
    """In the order in which the server names them, without the station and the clock."""
    given = set(roles) & PERSONS
    return [role.value for role in Role if role in given]


def _seconds(rule: TournamentRule) -> frozenset[Role]:
    """The operator approves where a Casino Supervisor acts (G-99)."""
    approves = frozenset({Role.OPERATOR}) if rule.second and Role.CASINO_SUPERVISOR in rule.who else frozenset()
    return rule.second | approves


def _choices(act: type[Act]) -> dict[str, list[str]]:
    """The fields of an act that take one of a few words, with the words in the order in which the act names them."""
    return {name: words for name, hint in get_type_hints(act).items() if (words := _literals(hint))}


def _literals(hint: Any) -> list[str]:
    if get_origin(hint) is Literal:
        return list(get_args(hint))
    if isinstance(hint, type) and issubclass(hint, StrEnum) and hint is not Role:  # Roles are told with their rules.
        return [one.value for one in hint]
    return [word for one in get_args(hint) for word in _literals(one)]


def _many(root: Any) -> Iterable[Any]:
    return root if isinstance(root, tuple) else (root,)


def _is_left_open(kind: types.Type) -> bool:
    return isinstance(kind, types.StructType) and kind.cls in _LEFT_OPEN


def _quoted(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _constant(value: object) -> str:
    if not isinstance(value, dict):
        return _quoted(value)
    lines = (f"  {name}: {_quoted(one)},\n" for name, one in value.items())
    return f"{{\n{''.join(lines)}}}"


def _grouped(name: str) -> str:
    return f"({name})" if " " in name else name


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for file, text in all_files().items():
        (FOLDER / file).write_text(text, encoding="utf-8")
