"""The stamp of an act to a tournament: the giver's role, who approves, and what house and tables have to say about it.

A tournament has no list of its own: the house's staff list says who is a Tournament Director (CROWN 12.1.2), and its
exclusions who may not enter (CROWN 12.2.1(f)(i)). Whether the role may give the act is decided by the tournament.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp, TablePlays
from sabot.floor.stamper import Giver, StampCause
from sabot.house.exclusions.deciding import exclusion_of
from sabot.house.refusal import HouseNo
from sabot.house.staff.deciding import DESKS, check_not_locked_out, role_at_work, role_for
from sabot.house.state import HouseState
from sabot.table.configuration import rule_set_of
from sabot.table.state import TableState
from sabot.tournament import acts
from sabot.tournament.decide import RULES
from sabot.tournament.places.outcomes import label_to_open
from sabot.tournament.refusal import TournamentCause, TournamentNo, TournamentRefused
from sabot.tournament.seats.seating import PRIZES, lots_label, seats_label
from sabot.tournament.state import TournamentState


class TournamentPlace(NamedTuple):
    """Where and when an act reaches a tournament, and what is known there."""

    state: TournamentState
    house: HouseState
    tables: Mapping[str, TableState]
    """Every table whose state is known here."""
    at_ms: int
    seed: Callable[[str, int], str] = lambda *_: ""
    """The bytes behind a commitment of a draw, by its label and number, in hexadecimal; nothing where none are kept."""


def stamp_for_tournament(act: acts.TournamentAct, giver: Giver, place: TournamentPlace) -> Stamp | TournamentRefused:
    """The stamp for an act to a tournament, or why the act never reaches it."""
    clause = place.house.cites(StampCause.NO_TOURNAMENTS.clause)
    if clause != StampCause.NO_TOURNAMENTS.clause:
        return TournamentRefused(StampCause.NO_TOURNAMENTS.code, clause, StampCause.NO_TOURNAMENTS.sentence)
    try:
        role = _role(act, giver, place)
        second_role = _second_role(act, giver, place)
    except TournamentNo as no:
        return no.refused
    except HouseNo as no:
        return TournamentRefused(no.refused.code, no.refused.clause, no.refused.text, no.refused.values)
    given = Stamp(by=giver.by, role=role, at_ms=place.at_ms, second=giver.second, second_role=second_role)
    return _completed(act, given, place)


def _role(act: acts.TournamentAct, giver: Giver, place: TournamentPlace) -> Role:
    """A desk acts under its own name; a person in the role signed on in, or in one that may, of those on the list."""
    if giver.by in DESKS:
        return Role(giver.by)
    listed = place.house.staff.get(giver.by, ())
    wanted = giver.role or _found(place.house, giver.by, RULES[type(act)].who)
    if wanted is None or wanted not in listed:
        role = Role.TOURNAMENT_DIRECTOR if wanted is None else wanted
        raise TournamentNo(TournamentCause.NOT_ON_STAFF, who=giver.by or "nobody", role=role.in_words)
    return wanted


def _second_role(act: acts.TournamentAct, giver: Giver, place: TournamentPlace) -> Role | None:
    """The role in which the second person approves; nobody approves who is locked out."""
    if not giver.second:
        return None
    if giver.second in DESKS:
        return Role(giver.second)
    check_not_locked_out(place.house, giver.second)
    approving = RULES[type(act)].second | {Role.OPERATOR}
    return _found(place.house, giver.second, approving)


def _found(house: HouseState, person: str, admitted: frozenset[Role]) -> Role | None:
    """The role signed on in at a table (G-99), or one that may, of those on the list."""
    return role_at_work(house, person, admitted) or role_for(house, person, admitted)


def _completed(act: acts.TournamentAct, stamp: Stamp, place: TournamentPlace) -> Stamp:
    """Add what the house, the tables and the keeper of seeds have to say."""
    complete = _COMPLETE.get(type(act))
    return stamp if complete is None else replace(stamp, **complete(act, place))


def _person_named(place: TournamentPlace, person: str) -> dict[str, Any]:
    """Whether the house excludes the person, and whether it employs this person."""
    return {"excluded": _is_excluded(place, person), "is_staff": bool(place.house.staff.get(person))}


def _buying_back(act: acts.BuyBack, place: TournamentPlace) -> dict[str, Any]:
    entrant = place.state.entrant(act.entrant)
    return {"excluded": entrant is not None and _is_excluded(place, entrant.player)}


def _director(act: acts.AppointDirector, place: TournamentPlace) -> dict[str, Any]:
    return {"is_staff": Role.TOURNAMENT_DIRECTOR in place.house.staff.get(act.director, ())}


def _tables(act: acts.DesignateTables, place: TournamentPlace) -> dict[str, Any]:
    return {"tables": {name: plays_of(place.tables[name]) for name in act.tables if name in place.tables}}


def _seed(act: acts.DrawSeats | acts.ConfirmRound | acts.AwardPrizes, place: TournamentPlace) -> dict[str, Any]:
    label = label_of(place.state, act)
    return {"seed": place.seed(label, place.state.committed.get(label, 0))}


_COMPLETE: dict[type[acts.TournamentAct], Callable[[Any, TournamentPlace], dict[str, Any]]] = {
    acts.RegisterEntrant: lambda act, place: _person_named(place, act.player),
    acts.ApproveSubstitute: lambda act, place: _person_named(place, act.substitute),
    acts.BuyBack: _buying_back,
    acts.AppointDirector: _director,
    acts.SaveConditions: lambda _, place: {"time_zone": place.house.time_zone},
    acts.DesignateTables: _tables,
    acts.DrawSeats: _seed,
    acts.ConfirmRound: _seed,
    acts.AwardPrizes: _seed,
}
"""What is added to the stamps of these acts."""


def _is_excluded(place: TournamentPlace, patron: str) -> bool:
    return exclusion_of(place.house, patron, place.at_ms) is not None


def label_of(state: TournamentState, act: acts.DrawSeats | acts.ConfirmRound | acts.AwardPrizes) -> str:
    """The draw that an act opens, or nothing."""
    if isinstance(act, acts.DrawSeats):
        return seats_label(state, act.round)
    if isinstance(act, acts.AwardPrizes):
        return lots_label(state, PRIZES)
    return (label_to_open(state, act.round) if state.versions else None) or ""


def plays_of(state: TableState) -> TablePlays:
    """What a table plays, as a tournament must know it to have equal tables (CROWN 12.1.1)."""
    configuration = state.configuration
    rules = rule_set_of(configuration)
    return TablePlays(
        document=rules.document,
        rule_set=rules.id,
        digest=state.rule_set_digest,
        decks=configuration.decks,
        options=rules.choose(configuration.options),
        stations=tuple(configuration.stations),
        reserved_for=state.reserved.tournament if state.reserved else "",
    )
