"""How events of planning, entry, slips, presence and designated tables change a tournament."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sabot.tournament import events as e
from sabot.tournament.phase import TournamentPhase
from sabot.tournament.state import (
    DesignatedTable,
    Entrant,
    EntrantStatus,
    SavedConditions,
    SlipStatus,
    TournamentSlip,
    TournamentState,
)

State = TournamentState


def with_status(state: State, number: int, status: EntrantStatus, at_ms: int) -> State:
    """The entrant's status, and when the former one ended; one that does not change leaves no trace."""
    known = state.entrants[str(number)]
    if known.status is status:
        return state
    history = (*known.history, (known.status, at_ms))
    return with_entrant(state, number, replace(known, status=status, history=history))


def with_entrant(state: State, number: int, entrant: Entrant) -> State:
    return replace(state, entrants=state.entrants.put(str(number), entrant))


# Planning


def _created(state: State, event: e.TournamentCreated) -> State:
    return replace(state, tournament=event.tournament, name=event.name)


def _saved(state: State, event: e.ConditionsSaved) -> State:
    one = SavedConditions(
        version=event.version,
        digest=event.digest,
        conditions=event.conditions,
        opens_ms=event.opens_ms,
        closes_ms=event.closes_ms,
        withdraw_free_until_ms=event.withdraw_free_until_ms,
        starts_ms=event.starts_ms,
    )
    return replace(state, versions=(*state.versions, one), saved=event.version)


def _deputies(state: State, event: e.DeputiesNamed) -> State:
    *earlier, newest = state.versions
    director = replace(newest.conditions.director, person=event.person, deputies=event.deputies)
    return replace(
        state, versions=(*earlier, replace(newest, conditions=replace(newest.conditions, director=director)))
    )


def _version_withdrawn(state: State, event: e.VersionWithdrawn) -> State:
    """The version before it is the newest again, and with its approval the tournament is approved again."""
    versions = tuple(one for one in state.versions if one.version != event.version)
    again = state.phase is TournamentPhase.DRAFT and bool(versions) and bool(versions[-1].approval)
    return replace(state, versions=versions, phase=TournamentPhase.APPROVED if again else state.phase)


def _approved(state: State, event: e.ConditionsApproved) -> State:
    *earlier, newest = state.versions
    approved = replace(
        newest,
        approval=event.reference,
        dated=event.dated,
        after_entry=state.entry_opened,
        called_before=state.sessions_called,
    )
    return replace(state, versions=(*earlier, approved))


def _appointed(state: State, event: e.DirectorAppointed) -> State:
    return replace(state, director=event.director)


# Entry


def _opened(state: State, _event: e.EntryOpened) -> State:
    return replace(state, entry_opened=True)


def _closed(state: State, _event: e.EntryClosed) -> State:
    return state


def _lapsed(state: State, event: e.EntryLapsed) -> State:
    return with_status(state, event.entrant, EntrantStatus.LAPSED, event.at_ms)


def _enters(status: EntrantStatus) -> Callable[[State, e.EntrantRegistered | e.Waitlisted], State]:
    def enter(state: State, event: e.EntrantRegistered | e.Waitlisted) -> State:
        one = Entrant(event.player, event.form_digest, event.criteria, status)
        players = state.players.put(event.player, event.entrant)
        return replace(with_entrant(state, event.entrant, one), players=players)

    return enter


def _admitted(state: State, event: e.AlternateAdmitted) -> State:
    return with_status(state, event.entrant, EntrantStatus.REGISTERED, event.at_ms)


def _entered(state: State, event: e.EntrantEntered) -> State:
    after = with_status(state, event.entrant, EntrantStatus.ENTERED, event.at_ms)
    known = after.entrants[str(event.entrant)]
    return with_entrant(after, event.entrant, replace(known, entered_version=state.plays_by.version))


def _withdrawn(state: State, event: e.EntrantWithdrawn) -> State:
    return with_status(state, event.entrant, EntrantStatus.WITHDRAWN, event.at_ms)


def _signatures(state: State, event: e.SignaturesRequired) -> State:
    return replace(state, signatures=event.on)


def _briefed(state: State, event: e.EntrantsBriefed) -> State:
    entrants = state.entrants
    for number in map(str, event.entrants):
        entrants = entrants.put(number, replace(entrants[number], briefed=event.version))
    return replace(state, entrants=entrants)


def _signed(state: State, event: e.ConditionsSigned) -> State:
    known = state.entrants[str(event.entrant)]
    return with_entrant(state, event.entrant, replace(known, signed=event.version))


def _refused(state: State, _event: e.ApplicationRefused) -> State:
    """The record tells of it; nobody became an entrant."""
    return state


# Slips


def _slip_raised(state: State, event: e.SlipRaised) -> State:
    slip = TournamentSlip(
        direction=event.direction,
        cents=event.cents,
        parts=event.parts,
        entrant=event.entrant,
        player=event.player,
        purpose=event.purpose,
        of=event.of,
    )
    slips = state.slips.put(event.slip, slip)
    if event.purpose == "refund":
        slips = slips.put(event.of, replace(slips[event.of], refunded=True))
    known = state.entrants[str(event.entrant)]
    after = with_entrant(state, event.entrant, replace(known, slips=(*known.slips, event.slip)))
    return replace(after, slips=slips, unsettled=state.unsettled.put(event.slip, event.cents))


def _slip_withdrawn(state: State, event: e.SlipWithdrawn) -> State:
    slip = replace(state.slips[event.slip], status=SlipStatus.WITHDRAWN)
    return replace(state, slips=state.slips.put(event.slip, slip))


def _slip_noted(state: State, event: e.SlipNoted) -> State:
    slip = replace(state.slips[event.slip], status=SlipStatus(event.settled), tender=event.tender)
    expired = slip.status is SlipStatus.EXPIRED
    unsettled = state.unsettled if expired else state.unsettled.without(event.slip)
    return replace(state, slips=state.slips.put(event.slip, slip), unsettled=unsettled)


def _bought_back(state: State, event: e.BoughtBack) -> State:
    after = with_status(state, event.entrant, EntrantStatus.BOUGHT_BACK, event.at_ms)
    known = after.entrants[str(event.entrant)]
    return with_entrant(after, event.entrant, replace(known, buy_backs=known.buy_backs + 1))


def _asked_back(state: State, _event: e.BuyBackAsked) -> State:
    """The slip beside it counts; nothing else changes until it is paid."""
    return state


# Presence and tables


def _present(state: State, event: e.DirectorPresent) -> State:
    return replace(state, present=event.person)


def _away(state: State, _event: e.DirectorAway) -> State:
    return replace(state, present="")


def _designated(state: State, event: e.TablesDesignated) -> State:
    tables = {table: DesignatedTable(stations) for table, stations in event.tables.items()}
    return replace(state, tables={**state.tables, **tables})


def _released(state: State, event: e.TablesReleased) -> State:
    """A table leaves the tournament once it says that it is free."""
    tables = {
        name: replace(table, state="releasing", why="") if name in event.tables else table
        for name, table in state.tables.items()
    }
    return replace(state, tables=tables)


def _table_noted(state: State, event: e.TableNoted) -> State:
    """A table that is given back stays so until it is free, whatever it tells of before."""
    table = state.tables.get(event.table)
    if table is None:
        return state
    if table.state == "releasing":
        left = {name: one for name, one in state.tables.items() if name != event.table}
        return replace(state, tables=left) if event.state == "released" else state
    if event.state not in ("waiting", "reserved"):
        return state
    return replace(state, tables={**state.tables, event.table: replace(table, state=event.state, why=event.why)})


APPLY: dict[type[e.TournamentEvent], Callable[[TournamentState, Any], TournamentState]] = {
    e.TournamentCreated: _created,
    e.ConditionsSaved: _saved,
    e.DeputiesNamed: _deputies,
    e.VersionWithdrawn: _version_withdrawn,
    e.ConditionsApproved: _approved,
    e.DirectorAppointed: _appointed,
    e.EntryOpened: _opened,
    e.EntryClosed: _closed,
    e.EntryLapsed: _lapsed,
    e.EntrantRegistered: _enters(EntrantStatus.REGISTERED),
    e.Waitlisted: _enters(EntrantStatus.WAITING),
    e.AlternateAdmitted: _admitted,
    e.EntrantEntered: _entered,
    e.ApplicationRefused: _refused,
    e.EntrantWithdrawn: _withdrawn,
    e.SignaturesRequired: _signatures,
    e.EntrantsBriefed: _briefed,
    e.ConditionsSigned: _signed,
    e.SlipRaised: _slip_raised,
    e.SlipWithdrawn: _slip_withdrawn,
    e.SlipNoted: _slip_noted,
    e.BuyBackAsked: _asked_back,
    e.BoughtBack: _bought_back,
    e.DirectorPresent: _present,
    e.DirectorAway: _away,
    e.TablesDesignated: _designated,
    e.TablesReleased: _released,
    e.TableNoted: _table_noted,
}
