"""Reads command-line arguments: rule sets, cards, wagers, options."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter, Token

if TYPE_CHECKING:  # The help of a command needs the options alone; the rules are loaded when something is read.
    from sabot.basics.money import Cents
    from sabot.rules.cards import Card
    from sabot.rules.rule_set import Bet, RuleSet


def _read_number(_: type, tokens: Sequence[Token]) -> int:
    (token,) = tokens
    if re.fullmatch(r"-?[0-9]{1,18}", token.value) is None:
        from sabot.basics.mistake import Mistake

        raise Mistake(f"{token.value!r} is not a whole number")
    return int(token.value)


Number = Annotated[int, Parameter(converter=_read_number)]
"""A whole number: 8, but neither 8.5 nor 0x8."""
DragonBonus = Annotated[
    Number | None, Parameter(help="Pay table option 1, 2 or 3 of the Dragon Bonus; 1 unless given.")
]
PerfectPairs = Annotated[Number | None, Parameter(help="Pay table option 1 or 2 of Perfect Pairs; 1 unless given.")]
RuleSetArgument = Annotated[
    str, Parameter(help="The id of a rule set (see `sabot rules`), or the path of a rule set file.")
]

Flag = Annotated[bool, Parameter(negative="", show_default=False)]
Json = Annotated[Flag, Parameter(help="Print the stable JSON form.")]
AllOptions = Annotated[Flag, Parameter(help="Show every bet that has options once for each, as player_dragon_bonus.2.")]
OptionArguments = Annotated[
    tuple[str, ...],
    Parameter(
        name="--option",
        negative="",
        show_default=False,
        help="NAME=CHOICE for an option of a casino's own rule set.",
    ),
]
WagerArguments = Annotated[tuple[str, ...], Parameter(name="--wager", negative="", show_default=False)]


def read_rule_set_argument(written: str) -> "RuleSet":
    """A shipped rule set by its id, or a casino's own by the path of its file."""
    from sabot.basics.mistake import Mistake
    from sabot.rules import shipped
    from sabot.rules.rule_set_file import read_rule_set

    if not written.endswith((".toml", ".json")):
        return shipped.rule_set(written)
    try:
        return read_rule_set(Path(written).read_bytes(), written)
    except OSError as error:
        raise Mistake(f"{written} cannot be read: {error.strerror}") from None


def read_cards_and_wagers(words: Iterable[str], wagers: Iterable[str]) -> "tuple[tuple[Card, ...], dict[Bet, Cents]]":
    """Read cards in shoe order, one word each or several in quotes; a word such as `tie=5` among them is a wager."""
    from sabot.rules.cards import read_cards

    tokens = [token for word in words for token in word.replace(",", " ").split()]
    cards = read_cards([token for token in tokens if "=" not in token])
    return cards, _read_wagers([*wagers, *(token for token in tokens if "=" in token)])


def _read_wagers(written: Iterable[str]) -> "dict[Bet, Cents]":
    from sabot.basics.mistake import Mistake
    from sabot.basics.money import read_amount
    from sabot.rules.rule_set import Bet

    wagers: dict[Bet, Cents] = {}
    for word in written:
        bet, equals, amount = word.partition("=")
        if not equals:
            raise Mistake(f"{word!r} is not a wager: write the bet and the amount, such as banker=100 or tie=12.50")
        if bet in wagers:
            raise Mistake(f"there are two wagers on {bet}; write one with the whole amount")
        wagers[Bet(bet)] = read_amount(amount)
    return wagers


def typed_options(written: Iterable[str] = (), **named: int | None) -> dict[str, int]:
    """The options that were typed, by their own flags or as NAME=CHOICE."""
    options = {name: choice for name, choice in named.items() if choice is not None}
    for word in written:
        name, equals, choice = word.partition("=")
        if not equals or re.fullmatch(r"[0-9]{1,3}", choice) is None:
            from sabot.basics.mistake import Mistake

            raise Mistake(f"{word!r} is not an option: write its name and the choice, such as dragon_bonus=2")
        options[name] = int(choice)
    return options
