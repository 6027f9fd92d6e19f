"""The rounds: who comes into them, their room, length, credit and times (CROWN 12.2.1(b), (d))."""

import re
from collections.abc import Sequence

from sabot.basics.mistake import Mistake
from sabot.basics.money import write_amount
from sabot.rules.house_rule import TableFigures
from sabot.rules.shipped import figures_of, rule_set
from sabot.tournament.conditions.capacity import last_round, most_into, places
from sabot.tournament.conditions.check.entry import rising
from sabot.tournament.conditions.check.game import smallest_minimum
from sabot.tournament.conditions.check.written import WrittenParts
from sabot.tournament.conditions.parts import (
    AttendancePart,
    Balances,
    BuyBackPart,
    EachCoup,
    EntryPart,
    From,
    GamePart,
    Missed,
    RoundKind,
    RoundPart,
    WagersPart,
)
from sabot.tournament.conditions.problem import Problems, problem

_Rounds = Sequence[RoundPart]
_WAYS = ("entrants", "round", "bought_back_after", "missed", "eliminated_in")
_TAKES = ("top_per_table", "top_overall", "wild_cards")


def round_problems(written: WrittenParts) -> Problems:
    rounds = written.rounds
    if rounds is None:
        return
    if not rounds:
        yield problem("rounds", "is empty: a tournament has a round")
        return
    names = [one.name for one in rounds]
    figures = _figures(written.game)
    for number, one in enumerate(rounds):
        if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,29}", one.name) is None:
            yield problem(f"rounds[{number}].name", f"{one.name!r} is no name of letters, digits and dashes")
        elif one.name in names[:number]:
            yield problem(f"rounds[{number}].name", f"there are two rounds {one.name}")
        yield from _lines(rounds, number)
        yield from _room(one, number, figures)
        yield from _length(one, number, written.wagers)
        yield from _balances(rounds, number, written.wagers, written.attendance)
        yield from _credit(rounds, number, written.game)
        yield from _starts(rounds, number, written.entry)
    if written.entry is not None and written.buy_back is not None and len(set(names)) == len(names):
        yield from _capacity(rounds, written.entry, written.buy_back)
    yield from _dead_ends(rounds)


def _figures(game: GamePart | None) -> TableFigures:
    try:
        return figures_of(rule_set(game.rule_set if game is not None else "crown-traditional"))
    except Mistake:  # Another check names the unknown rule set.
        return figures_of(rule_set("crown-traditional"))


def _lines(rounds: _Rounds, number: int) -> Problems:
    key = f"rounds[{number}].from"
    one = rounds[number]
    if number == 0 and one.from_ != (From(entrants="all"),):
        yield problem(key, f"{one.name} is the first round, and its players are all entrants")
    if number == 0:
        return
    if not one.from_:
        yield problem(key, f"nobody comes into {one.name}")
    earlier = {before.name for before in rounds[:number]}
    for at, line in enumerate(one.from_):
        yield from _line(line, f"{key}[{at}]", earlier)


def _line(line: From, key: str, earlier: set[str]) -> Problems:
    ways = [way for way in _WAYS if getattr(line, way)]
    takes = [take for take in _TAKES if getattr(line, take)]
    if len(ways) != 1:
        missing = f"{key}.round" if takes else key
        yield problem(missing, f"a line says one of {', '.join(_WAYS)}, not {' and '.join(ways) or 'none'}")
        return
    source = getattr(line, ways[0])
    if ways == ["entrants"]:
        yield problem(f"{key}.entrants", "a later round's players come from earlier rounds")
    elif source not in earlier:
        yield problem(f"{key}.{ways[0]}", f"{source} is no earlier round")
    if len(takes) != (1 if ways == ["round"] else 0):
        wanted = f"one of {', '.join(_TAKES)}" if ways == ["round"] else f"{ways[0]} alone"
        yield problem(key, f"a line with {ways[0]} has {wanted}, not {' and '.join(takes) or 'none'}")
    if takes == ["wild_cards"] and line.by is None:
        yield problem(f"{key}.by", "is missing: a wild card goes by score or by draw, never by choice")
    if takes != ["wild_cards"] and line.by is not None:
        yield problem(f"{key}.by", f"{line.by} stands there without wild cards")


def _room(one: RoundPart, number: int, figures: TableFigures) -> Problems:
    for name in ("sessions", "tables", "seats"):
        if getattr(one, name) < 1:
            yield problem(f"rounds[{number}].{name}", f"{one.name} has no {name}")
    if one.seats > figures.most_stations:
        why = f"{one.seats} seats are more than the {figures.most_stations} stations that a table may have"
        yield problem(f"rounds[{number}].seats", why, figures.most_stations_clause)


def _length(one: RoundPart, number: int, wagers: WagersPart | None) -> Problems:
    key = f"rounds[{number}]"
    if one.coups is None and one.minutes is None:
        yield problem(f"{key}.coups", f"{one.name} has neither coups nor minutes, so it has no end")
    for name, length in (("coups", one.coups), ("minutes", one.minutes)):
        if length is not None and length < 1:
            yield problem(f"{key}.{name}", f"{length} is not above 0")
    hidden = wagers.hidden_last_coups if wagers is not None else 0
    if one.coups is not None and hidden > one.coups:
        yield problem(f"{key}.coups", f"{one.coups} coups are fewer than the {hidden} hidden last coups")


def _balances(rounds: _Rounds, number: int, wagers: WagersPart | None, attendance: AttendancePart | None) -> Problems:
    one, key = rounds[number], f"rounds[{number}].balances"
    if one.balances is Balances.CASH:
        if one.credit != one.buy_in_cents:
            why = (
                f"in cash a credit is worth a unit of currency: the credit of {write_amount(one.credit)} "
                f"is not the buy-in of {write_amount(one.buy_in_cents)}"
            )
            yield problem(f"rounds[{number}].buy_in_cents", why, "G-135")
        if wagers is not None and wagers.each_coup is EachCoup.COMPULSORY and wagers.missed is Missed.FORFEIT:
            yield problem(key, "balances are paid in cash, and a missed wager would forfeit a part of them")
        if attendance is not None and attendance.late.penalty_credits:
            yield problem(key, "balances are paid in cash, and a late arrival would cost a part of them")
    if one.balances is Balances.CARRIED:
        if one is last_round(rounds):
            yield problem(key, f"{one.name} is the last round: there is none to carry balances into")
        for later in rounds[number + 1 :]:
            if later.credit > 0 and any(line.round == one.name for line in later.from_):
                why = f"balances are carried into {later.name}, which gives a credit of {write_amount(later.credit)}"
                yield problem(key, why)


def _credit(rounds: _Rounds, number: int, game: GamePart | None) -> Problems:
    one, key = rounds[number], f"rounds[{number}].credit"
    if one.buy_in_cents < 0:
        yield problem(f"rounds[{number}].buy_in_cents", f"{write_amount(one.buy_in_cents)} is below nothing")
    carried = {earlier.name for earlier in rounds[:number] if earlier.balances is Balances.CARRIED}
    if one.credit == 0 and one.from_ and all(line.round in carried for line in one.from_):
        return
    least = smallest_minimum(game) if game is not None else 1
    if one.credit < max(least, 1):
        why = f"a credit of {write_amount(one.credit)} is below the smallest minimum, {write_amount(least)}"
        yield problem(key, why, "CROWN 12.1.1")


def _starts(rounds: _Rounds, number: int, entry: EntryPart | None) -> Problems:
    one, key = rounds[number], f"rounds[{number}].starts"
    if len(one.starts) != one.sessions:
        yield problem(key, f"{one.name} has {one.sessions} sessions and {len(one.starts)} starts")
    if not rising(one.starts):
        yield problem(key, "the starts do not rise")
    if entry is not None:
        for at, start in enumerate(one.starts):
            if start < entry.closes:
                yield problem(f"{key}[{at}]", f"{start} is before entry closes, {entry.closes}")
    sources = {
        *(line.round for line in one.from_),
        *(line.bought_back_after or line.missed or line.eliminated_in for line in one.from_),
    }
    for earlier in rounds[:number]:
        if earlier.name in sources and one.starts and earlier.starts and one.starts[0] <= earlier.starts[-1]:
            why = f"{one.starts[0]} is not after the last start of {earlier.name}, {earlier.starts[-1]}"
            yield problem(key, why)


def _capacity(rounds: _Rounds, entry: EntryPart, buy_back: BuyBackPart) -> Problems:
    """The first round's places are held against the greatest number of entrants, by (g)."""
    most = most_into(rounds, entry.maximum_players, buy_back)
    for number, one in enumerate(rounds[1:], 1):
        room = places(one)
        if most[one.name] == 0:
            yield problem(f"rounds[{number}].from", f"nobody can come into {one.name}")
        elif room and most[one.name] > room:
            why = (
                f"{most[one.name]} may come into {one.name}, and it has {room} places: "
                f"sessions {one.sessions}, tables {one.tables}, seats {one.seats}"
            )
            yield problem(f"rounds[{number}].seats", why)


def _dead_ends(rounds: _Rounds) -> Problems:
    """A round whose players go on to nothing has no method of progression."""
    end = last_round(rounds)
    sources = {line.round for one in rounds for line in one.from_}
    for number, one in enumerate(rounds):
        if one is not end and one.kind is not RoundKind.SECONDARY and one.name not in sources:
            yield problem(f"rounds[{number}].name", f"nobody goes on from {one.name}, which is not the last round")
