"""The state of one tournament, and how an event changes it.

Credits are figures of the tournament. They are no money: no posting is made of them, and no ledger knows them.
"""

import enum
from collections.abc import Iterable, Mapping
from functools import reduce

import msgspec
from msgspec.structs import replace

from sabot.tournament import events as e


class Conditions(msgspec.Struct, frozen=True, gc=False):
    version: int
    entry_fee_cents: int
    starting_credit: int
    coups: int
    approval: str = ""
    """The reference of the regulator's written approval, or empty."""


class EntrantStatus(enum.StrEnum):
    REGISTERED = "registered"
    PLAYING = "playing"


class Entrant(msgspec.Struct, frozen=True, gc=False):
    player: str
    fee_cents: int
    status: EntrantStatus = EntrantStatus.REGISTERED
    seats: Mapping[int, str] = {}
    """The seat in each session."""
    credits: tuple[int, ...] = ()
    """The credit at the start of each session so far, and what it has come to since, newest last."""


class TournamentState(msgspec.Struct, frozen=True, gc=False):
    name: str = ""
    conditions: Conditions | None = None
    """The newest version."""
    director: str = ""
    entrants: Mapping[int, Entrant] = {}
    sessions: int = 0


def evolve(state: TournamentState, event: e.TournamentEvent) -> TournamentState:
    match event:
        case e.TournamentCreated():
            return replace(state, name=event.name)
        case e.ConditionsSaved():
            saved = Conditions(event.version, event.entry_fee_cents, event.starting_credit, event.coups)
            return replace(state, conditions=saved)
        case e.ConditionsApproved():
            assert state.conditions is not None
            return replace(state, conditions=replace(state.conditions, approval=event.reference))
        case e.DirectorAppointed():
            return replace(state, director=event.director)
        case e.EntrantRegistered():
            entrant = Entrant(event.player, event.fee_cents)
            return replace(state, entrants={**state.entrants, event.entrant: entrant})
    assert isinstance(event, e.SessionStarted)
    return replace(state, sessions=event.session, entrants=_seated(state, event))


def _seated(state: TournamentState, event: e.SessionStarted) -> Mapping[int, Entrant]:
    entrants = dict(state.entrants)
    for name, seat in event.seats.items():
        one = entrants[int(name)]
        seats, credit = {**one.seats, event.session: seat}, (*one.credits, event.credit)
        entrants[int(name)] = replace(one, status=EntrantStatus.PLAYING, seats=seats, credits=credit)
    return entrants


def fold(events: Iterable[e.TournamentEvent], state: TournamentState | None = None) -> TournamentState:
    return reduce(evolve, events, state or TournamentState())
