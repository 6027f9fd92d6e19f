"""Writing commands in a line of words: who, what, and the rest in the order people say it.

    D1 buy_in A1 200            GS1 cut 200             A1 set_wager banker 25         D1 card 9S
    R1 leave ticket=123456789012345678                  @29.999 A1 set_wager tie 5     +30 clock tick

Amounts are in currency units. `@` sets the time in seconds, `+` lets it pass. A station's own acts need not name the
station again. Any field can be written as name=value.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any, get_args

from sabot.basics.act import Act, verb
from sabot.basics.mistake import Mistake
from sabot.basics.money import read_amount
from sabot.house import acts as house_acts
from sabot.table import acts
from sabot.table.rules import RULES

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
    acts.SetWager: ("bet", "cents"),
    acts.Move: ("source", "target"),
    acts.Undo: (),
    acts.Clear: (),
    acts.Repeat: (),
    acts.Double: (),
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
}
"""The fields in the order people say them, where that is not the order of the act's own fields."""


def _words(kinds: Iterable[type[Act]]) -> dict[str, tuple[str, ...]]:
    return {verb(kind): _AS_SAID.get(kind, kind.__struct_fields__) for kind in kinds}


TABLE_WORDS = _words(RULES)
"""The verbs of a table, with their fields in the order people say them."""
HOUSE_WORDS = _words((*get_args(house_acts.DeskAct), house_acts.LockOut))
"""The verbs of the house that a line may give."""
SHOW = "show"
"""Asks for figures and changes nothing: `show ledger`, `show meters`."""
WORDS = {**TABLE_WORDS, **HOUSE_WORDS}

_NUMBERS = frozenset(
    {
        "starting_credit",
        "coups",
        "version",
        "entrant",
        "case",
        "choice",
        "control",
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
        "by_agreement",
        "penalty",
    }
)
_NAMED = re.compile(r"[a-z_]+=")
_TIME = re.compile(r"([@+])([0-9]+(?:\.[0-9]{1,3})?)")


def read_line(text: str, now_ms: int) -> dict[str, Any]:
    """A line of words as the JSON line that it stands for."""
    words = text.split()
    if words and words[0] == SHOW:
        return {"do": SHOW, "what": words[1:]}
    line: dict[str, Any] = {"at_ms": now_ms}
    if words and (time := _TIME.fullmatch(words[0])):
        milliseconds = round(float(time[2]) * 1000)
        line["at_ms"] = milliseconds + (now_ms if time[1] == "+" else 0)
        words = words[1:]
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
    return line | dict(_field(line["do"], name, value) for name, value in said)


_LAST_TAKES_ALL = frozenset({"reason", "text", "fault", "name", "decision", "nominee", "stored", "taken_over_by"})


def _field(verb: str, name: str, value: str) -> tuple[str, Any]:
    if name in ("from_s", "last_sign_s", "until_s", "since_s", "ended_s", "failed_s"):
        return name.removesuffix("_s") + "_ms", round(float(value) * 1000)
    listed = name == "roles" or (name == "cards" and verb in ("fact", "correct"))
    numbered = name in _NUMBERS or (verb, name) == ("check_cards", "cards")
    read = _READ.get(name) or (_list if listed else _whole if numbered else str)
    return name, read(value)


def _cents(value: str) -> int:
    sign, amount = (-1, value[1:]) if value.startswith("-") else (1, value)
    return 0 if amount == "0" else sign * read_amount(amount)


def _whole(value: str) -> int | str:
    return int(value) if value.lstrip("-").isdigit() else value


def _truth(value: str) -> bool | str:
    return _TRUTHS.get(value, value)


def _list(value: str) -> list[str]:
    return value.split(",")


def _adjustments(value: str) -> dict[str, int | str]:
    """`A1:5000,A2:-500` or `player:2500,tie:500`, in cents."""
    return {station: _whole(cents) for station, _, cents in (part.partition(":") for part in value.split(","))}


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
    "remedy": _remedy,
    **dict.fromkeys(_FLAGS, _truth),
}
