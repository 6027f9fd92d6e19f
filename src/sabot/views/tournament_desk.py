"""The Tournament Director's desk: how far a tournament is, what is due and why it is not open yet.

The tournament itself is asked what may be done, so that no rule is said twice.
"""

from collections.abc import Iterator, Mapping

import msgspec

from sabot.tournament.places.awarding import pool_shown
from sabot.tournament.state import OUT, Entrant, Sitting, SlipStatus, TournamentSlip, TournamentState
from sabot.views.actions import StaffAction
from sabot.views.tournament_steps import NextStep, next_step, round_actions, whole_actions


class Check(msgspec.Struct, frozen=True):
    """A duty of rule 12 before a session, and whether it is done."""

    clause: str
    code: str
    done: bool
    missing: tuple[int, ...] = ()
    """The entrants for whom it is not done."""


class VersionShown(msgspec.Struct, frozen=True):
    version: int
    digest: str
    approval: str
    dated: str


class SittingShown(msgspec.Struct, frozen=True):
    sitting: str
    round: str
    session: int
    table: str
    state: str
    why: str
    counted: int
    left: int | None
    seats: Mapping[str, int]
    """The entrant at each station."""
    agreed: int
    """How many have agreed to an early end."""
    claims_open: bool


class DeskEntrant(msgspec.Struct, frozen=True):
    entrant: int
    player: str
    """By reference; the name is kept where it can be erased."""
    status: str
    paid: bool
    briefed: bool
    signed: bool
    seat: str
    """`T1/A3` in the round that is drawn or played now, or nothing."""
    substitute: str
    buy_backs: int


class DeskSlip(msgspec.Struct, frozen=True):
    slip: str
    direction: str
    cents: int
    entrant: int
    purpose: str
    status: str


class DeskRound(msgspec.Struct, frozen=True):
    name: str
    kind: str
    sessions: int
    starts_ms: tuple[int, ...]
    drawn: bool
    commitment: str
    """Published for its draw, whether opened or not."""
    called: tuple[int, ...]
    ended: tuple[int, ...]
    confirmed: bool
    next_session: int
    """The first session that was not called yet."""
    actions: dict[str, StaffAction]


class TournamentDesk(msgspec.Struct, frozen=True):
    tournament: str
    name: str
    title: Mapping[str, str]
    phase: str
    versions: tuple[VersionShown, ...]
    director: str
    deputies: tuple[str, ...]
    present: str
    tables: Mapping[str, str]
    """The state of each designated table, with what it waits for."""
    checks: tuple[Check, ...]
    rounds: tuple[DeskRound, ...]
    sittings: tuple[SittingShown, ...]
    entrants: tuple[DeskEntrant, ...]
    entered: int
    places: int
    waiting: int
    grounds: tuple[str, ...]
    criteria: tuple[str, ...]
    form: tuple[str, ...]
    """The fields that the entry form asks for."""
    slips: tuple[DeskSlip, ...]
    pool_cents: int
    actions: dict[str, StaffAction]
    """The acts of the whole tournament, whether each is open now, and if not, why."""
    next: NextStep | None
    """The act that carries the tournament on."""
    at_ms: int
    time_zone: str
    """The house's own, in which times of day are told."""


def desk_of(state: TournamentState, at_ms: int, time_zone: str = "") -> TournamentDesk:
    """What the desk shows of a tournament."""
    held = state.plays_by if state.versions else None
    conditions = held.conditions if held else None
    version = held.version if held else 0
    seats = _seats(state)
    entrants = tuple(
        _entrant(state, int(number), one, version, seats.get(int(number), ""))
        for number, one in sorted(state.entrants.items(), key=lambda item: int(item[0]))
    )
    in_play = [one for one in entrants if one.status not in OUT]
    return TournamentDesk(
        tournament=state.tournament,
        name=state.name,
        title=conditions.title if conditions else {},
        phase=state.phase.value,
        versions=tuple(VersionShown(one.version, one.digest, one.approval, one.dated) for one in state.versions),
        director=state.director,
        deputies=conditions.director.deputies if conditions else (),
        present=state.present,
        tables={name: f"{one.state}: {one.why}" if one.why else one.state for name, one in state.tables.items()},
        checks=tuple(_checks(state, in_play)),
        rounds=tuple(_rounds(state, at_ms)),
        sittings=tuple(_sitting(name, one) for name, one in state.sittings.items()),
        entrants=entrants,
        entered=sum(1 for one in in_play if one.status not in ("registered", "waiting")),
        places=conditions.entry.maximum_players if conditions else 0,
        waiting=sum(1 for one in in_play if one.status == "waiting"),
        grounds=tuple(one.id for one in conditions.leaving.grounds) if conditions else (),
        criteria=tuple(one.id for one in conditions.eligibility.criteria) if conditions else (),
        form=conditions.entry.form if conditions else (),
        slips=tuple(_slip(number, one) for number, one in sorted(state.slips.items())),
        pool_cents=pool_shown(state),
        actions=whole_actions(state, at_ms),
        next=next_step(state, at_ms),
        at_ms=at_ms,
        time_zone=time_zone,
    )


def _seats(state: TournamentState) -> dict[int, str]:
    """Where each entrant sits in the newest round that is drawn."""
    found: dict[int, str] = {}
    for progress in state.rounds.values():
        found |= {one.entrant: f"{one.table}/{one.station}" for one in progress.drawn or ()}
    return found


def _entrant(state: TournamentState, number: int, one: Entrant, version: int, seat: str) -> DeskEntrant:
    slips = [state.slips[slip] for slip in one.slips]
    due = [slip for slip in slips if slip.direction == "take" and slip.status is SlipStatus.RAISED]
    return DeskEntrant(
        entrant=number,
        player=one.player,
        status=one.status.value,
        paid=not due,
        briefed=one.briefed >= version > 0,
        signed=one.signed >= version > 0,
        seat=seat,
        substitute=one.substitute,
        buy_backs=one.buy_backs,
    )


def _sitting(name: str, one: Sitting) -> SittingShown:
    return SittingShown(
        sitting=name,
        round=one.round,
        session=one.session,
        table=one.table,
        state=one.state.value,
        why=one.why,
        counted=one.counted,
        left=one.left,
        seats={station: seat.entrant for station, seat in one.seats.items()},
        agreed=sum(1 for told in one.told.values() if told.agreed),
        claims_open=one.claims_open,
    )


def _slip(number: str, one: TournamentSlip) -> DeskSlip:
    return DeskSlip(number, one.direction, one.cents, one.entrant, one.purpose, one.status.value)


def _rounds(state: TournamentState, at_ms: int) -> Iterator[DeskRound]:
    if not state.versions:
        return
    for one in state.conditions.rounds:
        progress = state.progress(one.name)
        starts = enumerate(state.plays_by.starts_ms.get(one.name, ()), 1)
        yield DeskRound(
            name=one.name,
            kind=one.kind.value,
            sessions=one.sessions,
            starts_ms=tuple(progress.starts_ms.get(number, start) for number, start in starts),
            drawn=progress.drawn is not None,
            commitment=progress.commitment or state.commitments.get(f"{state.tournament}/{one.name}", ""),
            called=tuple(sorted(progress.called)),
            ended=tuple(sorted(progress.ended)),
            confirmed=progress.confirmed,
            next_session=min(len(progress.called) + 1, one.sessions),
            actions=round_actions(state, one, at_ms),
        )


def _checks(state: TournamentState, in_play: list[DeskEntrant]) -> Iterator[Check]:
    """The duties that a session rests on, in the order of rule 12."""
    newest = state.newest
    unbriefed = tuple(one.entrant for one in in_play if not one.briefed and one.status != "waiting")
    unsigned = tuple(one.entrant for one in in_play if not one.signed and one.status != "waiting")
    wanted = bool(newest) and (state.conditions.conduct.signature if state.signatures is None else state.signatures)
    yield Check("CROWN 12.1.2", "director_appointed", bool(state.director))
    yield Check("CROWN 12.1.3", "conditions_approved", newest is not None and bool(newest.approval))
    yield Check("CROWN 12.2.3", "entrants_briefed", bool(in_play) and not unbriefed, unbriefed)
    if wanted:
        yield Check("CROWN 12.2.4", "conditions_signed", bool(in_play) and not unsigned, unsigned)
    yield Check("CROWN 12.2.5", "director_present", bool(state.present))
    reserved = bool(state.tables) and all(one.state == "reserved" for one in state.tables.values())
    yield Check("CROWN 12.3.1", "tables_designated", reserved)
