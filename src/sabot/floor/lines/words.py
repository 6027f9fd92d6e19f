"""Writing commands in a line of words: who, what, and the rest in the order people say it.

    D1 buy_in A1 200            GS1 cut 200             A1 set_wager banker 25         D1 card 9S
    R1 leave ticket=123456789012345678                  @29.999 A1 set_wager tie 5     +30 clock tick

    T2: D1 open                 @2026-06-06T13:00 TD1 call_session SPRING heats 1

Amounts are in currency units. `@` sets the time in seconds or as a local time of the house, `+` lets it pass. A name
with a colon says which table is meant, where there are several. A station's own acts need not name the station again.
Any field can be written as name=value.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any, get_args

from sabot.basics.act import Act, verb
from sabot.basics.mistake import Mistake
from sabot.basics.money import read_amount
from sabot.floor.lines.times import LOCAL_TIME, local_ms
from sabot.house import acts as house_acts
from sabot.table import acts
from sabot.table.rules import RULES
from sabot.tournament import acts as tournament_acts

_AS_SAID: dict[type[Act], tuple[str, ...]] = {
    acts.Configure: (),
    acts.OpenTable: ("build",),
    acts.Incident: ("station", "text"),
    acts.Notice: ("kind", "bet", "cents", "from_s"),
    acts.CheckCards: ("cards", "when"),
    acts.NewShoe: ("method", "pack"),
    acts.OrderShuffle: ("reason",),
    acts.ReplaceCards: ("reason",),
    acts.Burn: ("card",),
    acts.ShowBurn: ("card", "asked_by"),
    acts.BuyIn: ("station", "cents", "tender", "reference"),
    acts.Note: ("cents",),
    acts.InsertTicket: ("ticket",),
    acts.ReadPlayerCard: ("patron",),
    acts.SetWager: ("bet", "cents"),
    acts.Move: ("source", "target"),
    acts.Undo: (),
    acts.Clear: (),
    acts.Repeat: (),
    acts.Double: (),
    acts.Lay: ("wagers",),
    acts.SetOwnLimit: ("limit", "cents"),
    acts.TakeBreak: ("minutes",),
    acts.Claim: ("station", "coup", "text"),
    acts.DecideClaim: ("case", "accepted", "reason"),
    acts.Dispute: ("station", "text"),
    acts.DecideDispute: ("case", "decision"),
    acts.Breach: ("station", "contravened", "reason"),
    acts.ActOnBreach: ("case", "act", "text"),
    acts.EndDetention: ("case", "taken_over_by"),
    acts.Seize: ("case", "cents"),
    acts.Release: ("case", "reason"),
    acts.Complaint: ("station", "text"),
    acts.Fault: ("station", "fault"),
    acts.Malfunction: ("fault",),
    acts.Restart: ("last_sign_s",),
    acts.ClockJump: ("clock", "by_ms"),
    acts.Seen: ("wagers", "accepted"),
    acts.ConfirmRecords: ("station",),
    acts.CannotConfirm: ("station", "reason"),
    acts.Correct: ("coup",),
    acts.CorrectBuyIn: ("station", "cents", "true_cents", "reason"),
    acts.Fact: ("kind",),
    acts.Card: ("card",),
    acts.TakeBackCard: ("reason",),
    house_acts.ConfigureHouse: ("ticket_validity_days",),
    house_acts.Enrol: ("device", "kind", "key", "approval"),
    house_acts.Exclude: ("patron", "reason"),
    house_acts.Printed: ("ticket",),
    tournament_acts.RegisterEntrant: ("tournament", "player", "criteria"),
    tournament_acts.ApproveConditions: ("tournament", "version", "reference", "dated"),
}
"""The fields in the order people say them, where that is not the order of the act's own fields."""


def _words(kinds: Iterable[type[Act]]) -> dict[str, tuple[str, ...]]:
    return {verb(kind): _AS_SAID.get(kind, kind.__struct_fields__) for kind in kinds}


TABLE_WORDS = _words(RULES)
"""The verbs of a table, with their fields in the order people say them."""
HOUSE_WORDS = _words(
    (
        *(*get_args(house_acts.DeskAct), house_acts.LockOut, house_acts.AnnounceSignOn, house_acts.ReleaseTicket),
        *get_args(house_acts.CarriedEscrowAct),
        *(house_acts.RaiseLight, house_acts.MakeService, house_acts.NoteServiceUsed),
        *get_args(house_acts.CarriedSlipAct),
    )
)
"""The verbs of the house that a line may give."""
TOURNAMENT_WORDS = _words(get_args(tournament_acts.AnyTournamentAct))
"""The verbs of tournaments; the first field names the tournament."""
SHOW = "show"
"""Asks for figures and changes nothing: `show ledger`, `show meters`, `show standing SPRING`."""
SHOWN = ("ledger", "meters")
SHOWN_OF_TOURNAMENT = ("tournament", "standing", "slips", "books")
WORDS = {**TABLE_WORDS, **HOUSE_WORDS, **TOURNAMENT_WORDS}

_NUMBERS = frozenset(
    {
        "starting_credit",
        "escrow",
        "evidence",
        "a_minute",
        "until_ms",
        "day_ends_ms",
        "coups",
        "version",
        "entrant",
        "session",
        "to_ms",
        "by_ms",
        "case",
        "choice",
        "control",
        "number",
        "coup",
        "of_each_rank",
        "at",
        "from_back",
        "count",
        "place",
        "from_ms",
        "cards_checked",
        "at_ms",
        "since_ms",
        "ended_ms",
        "ticket_validity_days",
        "failures",
        "failed_ms",
        "order",
        "counted",
        "credits",
        "minutes",
    }
)
_TRUTHS = {"true": True, "yes": True, "false": False, "no": False}
_FLAGS = frozenset(
    {
        "accepted",
        "remote",
        "excluded",
        "unresolved",
        "inspector_advised",
        "prohibited_device",
        "forfeit",
        "reconstructible",
        "order_known",
        "up",
        "shows",
        "top_up",
        "by_face_value",
        "abnormal",
        "unfit",
        "rest_owed",
        "identity_checked",
        "approved",
        "on",
        "by_agreement",
        "penalty",
        "several_tables",
    }
)
_NAMED = re.compile(r"[a-z_]+=")
_TIME = re.compile(r"([@+])([0-9]+(?:\.[0-9]{1,3})?)")
_TABLE = re.compile(r"([A-Za-z0-9_-]+):")


def read_line(text: str, now_ms: int, zone: str = "") -> dict[str, Any]:
    """A line of words as the JSON line that it stands for; `zone` is the house's, for local times."""
    words = text.split()
    line: dict[str, Any] = {"at_ms": now_ms}
    if words and (time := _read_time(words[0], now_ms, zone)) is not None:
        line["at_ms"] = time
        words = words[1:]
    if words and (table := _TABLE.fullmatch(words[0])):
        line["table"] = table[1]
        words = words[1:]
    if words and words[0] == SHOW:
        return _read_show(words[1:])
    if len(words) < 2 or words[1] not in WORDS:
        raise Mistake(f"{text!r} is no command: write who, then one of {', '.join(WORDS)}")
    line["by"], line["do"], *rest = words
    named = [word.partition("=") for word in rest if _NAMED.match(word)]
    plain = [word for word in rest if not _NAMED.match(word)]
    said_by_name = {name for name, _, _ in named}
    if "person" in said_by_name:  # Somebody who has no station.
        said_by_name.add("station")
    fields = tuple(field for field in WORDS[line["do"]] if field not in said_by_name)
    if fields and fields[-1] in _LAST_TAKES_ALL and len(plain) >= len(fields):
        plain = [*plain[: len(fields) - 1], " ".join(plain[len(fields) - 1 :])]
    if len(plain) > len(fields):
        raise Mistake(f"{text!r}: {plain[len(fields)]!r} is one word too many")
    said = [*zip(fields, plain, strict=False), *((name, value) for name, _, value in named)]
    return line | dict(_field(line["do"], name, value, zone) for name, value in said)


def _read_time(word: str, now_ms: int, zone: str) -> int | None:
    """The time that a line begins with, if it does."""
    if word.startswith("@") and LOCAL_TIME.fullmatch(word[1:]):
        return local_ms(word[1:], zone)
    time = _TIME.fullmatch(word)
    if time is None:
        return None
    return round(float(time[2]) * 1000) + (now_ms if time[1] == "+" else 0)


def _read_show(words: list[str]) -> dict[str, Any]:
    """What is to be shown, and of which tournament where the last word is none of the figures."""
    if len(words) > 1 and words[-1] not in (*SHOWN, *SHOWN_OF_TOURNAMENT):
        return {"do": SHOW, "what": words[:-1], "tournament": words[-1]}
    return {"do": SHOW, "what": words}


_LAST_TAKES_ALL = frozenset(
    {"reason", "text", "fault", "name", "decision", "nominee", "stored", "taken_over_by", "words", "purpose"}
)


def _field(verb: str, name: str, value: str, zone: str) -> tuple[str, Any]:
    if name == "to_ms" and LOCAL_TIME.fullmatch(value):
        return name, local_ms(value, zone)
    if name in ("from_s", "last_sign_s", "until_s", "since_s", "ended_s", "failed_s"):
        return name.removesuffix("_s") + "_ms", _milliseconds(name, value)
    listed = name in ("roles", "tables", "criteria", "scopes") or (name == "cards" and verb in ("fact", "correct"))
    numbered = name in _NUMBERS or (verb, name) == ("check_cards", "cards")
    read = _READ.get(name) or (_list if listed else _whole if numbered else str)
    return name, read(value)


def _milliseconds(name: str, value: str) -> int:
    try:
        return round(float(value) * 1000)
    except (ValueError, OverflowError):
        raise Mistake(f"{name}: {value!r} is no number of seconds") from None


def _cents(value: str) -> int:
    sign, amount = (-1, value[1:]) if value.startswith("-") else (1, value)
    return 0 if amount == "0" else sign * read_amount(amount)


def _whole(value: str) -> int | str:
    return int(value) if value.lstrip("-").isdigit() else value


def _truth(value: str) -> bool | str:
    return _TRUTHS.get(value, value)


def _list(value: str) -> list[str]:
    return value.split(",")


def _entrants(value: str) -> list[int | str]:
    """`1,2,5-8`."""
    numbers: list[int | str] = []
    for part in value.split(","):
        first, dash, last = part.partition("-")
        if dash and first.isdigit() and last.isdigit():
            numbers += range(int(first), int(last) + 1)
        else:
            numbers.append(_whole(part))
    return numbers


def _adjustments(value: str) -> dict[str, int | str]:
    """`A1:5000,A2:-500` or `player:2500,tie:500`, in cents."""
    return {station: _whole(cents) for station, _, cents in (part.partition(":") for part in value.split(","))}


def _places(value: str) -> dict[str, str]:
    """`T2:A1,T3:A4`, a station for each table."""
    return {table: station for table, _, station in (part.partition(":") for part in value.split(","))}


def _remedy(value: str) -> str:
    """`CROWN-11.11` for the clause, which has a blank in it."""
    return re.sub(r"-(?=[0-9])", " ", value, count=1)


_READ: dict[str, Callable[[str], Any]] = {
    "cents": _cents,
    "true_cents": _cents,
    "adjustments": _adjustments,
    "chips": _adjustments,
    "wagers": _adjustments,
    "seats": _adjustments,
    "entry_fee_cents": _cents,
    "fee_cents": _cents,
    "won_cents": _cents,
    "parts": _adjustments,
    "entrants": _entrants,
    "absent": _entrants,
    "remedy": _remedy,
    "places": _places,
    **dict.fromkeys(_FLAGS, _truth),
}
