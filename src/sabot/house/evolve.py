"""Evolving: a state and an event give the next state. No rule is checked here; what happened, happened."""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import reduce
from typing import Any, TypeVar

from msgspec.structs import astuple, replace

from sabot.house import events as e
from sabot.house.filed_book import DAY_MS
from sabot.house.money import postings
from sabot.house.state import (
    KEPT_GAMING_DAYS,
    WAITING,
    AtWork,
    Day,
    EnrolledDevice,
    Exclusion,
    HouseSlip,
    HouseSlipStatus,
    HouseState,
    HouseTable,
    HouseTournament,
    PapersAway,
    RaisedLight,
    RegisteredTicket,
    ServiceAccount,
    TicketStatus,
    light_key,
)
from sabot.house.tickets import WRONG_NUMBERS

K = TypeVar("K")
V = TypeVar("V")


def evolve(state: HouseState, event: e.HouseEvent) -> HouseState:
    moved = postings(event, state)
    after = _APPLY[type(event)](state, event)
    return replace(after, ledger=after.ledger.book(moved)) if moved else after


def fold(events: Iterable[e.HouseEvent], state: HouseState | None = None) -> HouseState:
    """The state that a whole history comes to."""
    return reduce(evolve, events, state or HouseState())


def _put(mapping: Mapping[K, V], key: K, value: V) -> Mapping[K, V]:
    return {**mapping, key: value}


def _without(mapping: Mapping[K, V], key: K) -> Mapping[K, V]:
    return {name: value for name, value in mapping.items() if name != key}


def _configured(state: HouseState, event: e.HouseConfigured) -> HouseState:
    return replace(
        state,
        time_zone=event.time_zone,
        gaming_day_starts=event.gaming_day_starts,
        ticket_validity_days=event.ticket_validity_days,
        several_tables=event.several_tables,
    )


def _entered(state: HouseState, event: e.TableEntered) -> HouseState:
    known = state.tables.get(event.table, HouseTable((), busy=False, since_day=state.day))
    table = replace(known, offers=event.offers, choices=event.choices, cited_as=event.cited_as)
    return replace(state, tables=_put(state.tables, event.table, table))


def _busy(state: HouseState, event: e.TableBusy) -> HouseState:
    return replace(state, tables=_put(state.tables, event.table, replace(state.tables[event.table], busy=event.busy)))


def _ordered(state: HouseState, event: e.OptionOrdered) -> HouseState:
    return replace(state, ordered=_put(state.ordered, event.option, event.choice))


def _changed(state: HouseState, event: e.OptionChanged) -> HouseState:
    return replace(
        state,
        options=_put(state.options, event.option, event.choice),
        ordered=_without(state.ordered, event.option),
    )


def _appointed(state: HouseState, event: e.PersonAppointed) -> HouseState:
    return replace(state, staff=_put(state.staff, event.person, event.roles))


def _dismissed(state: HouseState, event: e.PersonDismissed) -> HouseState:
    return replace(state, staff=_put(state.staff, event.person, ()))


def _sign_on_announced(state: HouseState, event: e.SignOnAnnounced) -> HouseState:
    work = AtWork(event.role, event.number, event.at_ms)
    tables = _put(state.at_work.get(event.person, {}), event.table, work)
    newest = max(state.sign_ons, event.number)
    return replace(state, at_work=_put(state.at_work, event.person, tables), sign_ons=newest)


def _sign_off_noted(state: HouseState, event: e.SignOffNoted) -> HouseState:
    tables = _without(state.at_work[event.person], event.table)
    kept = _put(state.at_work, event.person, tables) if tables else _without(state.at_work, event.person)
    return replace(state, at_work=kept)


def _locked_out(state: HouseState, event: e.PersonLockedOut) -> HouseState:
    if event.until_ms is None:
        return replace(state, locked_out=(*state.locked_out, event.person))
    places = _put(state.locked_at.get(event.person, {}), event.console, event.until_ms)
    return replace(state, locked_at=_put(state.locked_at, event.person, places))


def _unlocked(state: HouseState, event: e.PersonUnlocked) -> HouseState:
    times = state.unlocks.get(event.person, 0) + 1
    locked_out = tuple(person for person in state.locked_out if person != event.person)
    return replace(
        state,
        locked_out=locked_out,
        locked_at=_without(state.locked_at, event.person),
        unlocks=_put(state.unlocks, event.person, times),
    )


def _enrolled(state: HouseState, event: e.DeviceEnrolled) -> HouseState:
    before = state.devices.get(event.device)
    number = 1 if before is None else before.number + 1
    device = EnrolledDevice(
        *(event.kind, event.table, event.key, event.approval, event.remote),
        station=event.station,
        number=number,
        places=event.places,
    )
    return replace(state, devices=state.devices.put(event.device, device), keys=state.keys.put(event.key, event.device))


def _revoked(state: HouseState, event: e.DeviceRevoked) -> HouseState:
    device = replace(state.devices[event.device], revoked=True)
    return replace(state, devices=state.devices.put(event.device, device))


def _excluded(state: HouseState, event: e.ExclusionMade) -> HouseState:
    exclusion = Exclusion(event.reason, event.by, event.until_ms)
    return replace(
        state,
        exclusions=_put(state.exclusions, event.patron, exclusion),
        exclusion_sources=_put(state.exclusion_sources, event.source, event.patron)
        if event.source
        else state.exclusion_sources,
    )


def _readmitted(state: HouseState, event: e.PatronReadmitted) -> HouseState:
    return replace(state, exclusions=_without(state.exclusions, event.patron))


def _requested(state: HouseState, event: e.TicketRequested) -> HouseState:
    ticket = RegisteredTicket(TicketStatus.REQUESTED, event.table, event.station)
    return replace(state, tickets=state.tickets.file(event.ticket, ticket, event.at_ms))


def _registered(state: HouseState, event: e.TicketRegistered) -> HouseState:
    ticket = RegisteredTicket(TicketStatus.ISSUED, event.table, event.station, event.cents, state.day, event.expires_ms)
    state = replace(state, tickets=state.tickets.put(event.ticket, ticket))
    return _counted(state, "issued", event.cents)


def _printed(state: HouseState, event: e.TicketPrinted) -> HouseState:
    return _with_status(state, event.ticket, TicketStatus.PRINTED)


def _closed_to_the_cage(state: HouseState, event: e.TicketClosedToTheCage) -> HouseState:
    ticket = replace(state.tickets[event.ticket], status=TicketStatus.NOT_PRINTED, faulted=True)
    return replace(state, tickets=state.tickets.put(event.ticket, ticket))


def _released(state: HouseState, event: e.TicketReleased) -> HouseState:
    ticket = replace(state.tickets[event.ticket], status=TicketStatus.RELEASED, releases=event.release)
    return replace(state, tickets=state.tickets.put(event.ticket, ticket))


def _release_ended(state: HouseState, event: e.TicketReleaseEnded) -> HouseState:
    return _with_status(state, event.ticket, TicketStatus.NOT_PRINTED)


def _settled_by_hand(state: HouseState, event: e.TicketSettledByHand) -> HouseState:
    return _counted(_over(state, event.ticket, TicketStatus.BY_HAND), "by_hand", state.tickets[event.ticket].cents)


def _redeemed(state: HouseState, event: e.TicketRedeemed) -> HouseState:
    return _counted(_over(state, event.ticket, TicketStatus.PAID, event.at_ms), "paid", event.cents)


def _voided(state: HouseState, event: e.TicketVoided) -> HouseState:
    return _counted(_over(state, event.ticket, TicketStatus.VOID), "void", event.cents)


def _expired(state: HouseState, event: e.TicketExpired) -> HouseState:
    return _counted(_over(state, event.ticket, TicketStatus.EXPIRED, event.at_ms), "expired", event.cents)


def _reinstated(state: HouseState, event: e.TicketReinstated) -> HouseState:
    before = state.tickets[event.ticket]
    ticket = replace(before, status=TicketStatus.PRINTED, expires_ms=event.expires_ms)
    state = replace(state, tickets=state.tickets.put(event.ticket, ticket))
    return _counted(state, "reinstated", before.cents) if before.status is TicketStatus.EXPIRED else state


def _wrong_number(state: HouseState, event: e.WrongNumberTried) -> HouseState:
    tried = (*state.wrong_numbers.get(event.by, ()), event.at_ms)
    return replace(state, wrong_numbers=_put(state.wrong_numbers, event.by, tried[-WRONG_NUMBERS:]))


def _alarmed(state: HouseState, event: e.GuessingAlarmed) -> HouseState:
    return replace(state, wrong_numbers=_without(state.wrong_numbers, event.by))


def _slip_registered(state: HouseState, event: e.SlipRegistered) -> HouseState:
    slip = HouseSlip(
        *(HouseSlipStatus.OPEN, event.tournament, event.direction, event.cents, event.parts, event.purpose),
        *(event.entrant, event.player, state.day, event.expires_ms),
    )
    return replace(state, slips=state.slips.put(event.slip, slip))


def _slip_taken(state: HouseState, event: e.SlipTaken) -> HouseState:
    state = _with_slip(state, event.slip, status=HouseSlipStatus.TAKEN, tender=event.tender)
    return _counted(state, "slips_taken", event.cents)


def _slip_paid(state: HouseState, event: e.SlipPaid) -> HouseState:
    return _counted(_with_slip(state, event.slip, status=HouseSlipStatus.PAID), "slips_paid", event.cents)


def _slip_cancelled(state: HouseState, event: e.SlipCancelled) -> HouseState:
    return _with_slip(state, event.slip, status=HouseSlipStatus.CANCELLED)


def _slip_held(state: HouseState, event: e.SlipHeld) -> HouseState:
    return _with_slip(state, event.slip, status=HouseSlipStatus.HELD)


def _slip_released(state: HouseState, event: e.SlipReleased) -> HouseState:
    return _with_slip(state, event.slip, status=HouseSlipStatus.OPEN, expires_ms=event.expires_ms)


def _slip_forfeited(state: HouseState, event: e.SlipForfeited) -> HouseState:
    return _with_slip(state, event.slip, status=HouseSlipStatus.FORFEITED)


def _slip_expired(state: HouseState, event: e.SlipExpired) -> HouseState:
    return _with_slip(state, event.slip, status=HouseSlipStatus.EXPIRED)


def _pool_raised(state: HouseState, event: e.PoolRaised) -> HouseState:
    return _with_tournament(state, event.tournament, added=event.cents)


def _stakes_settled(state: HouseState, event: e.StakesSettled) -> HouseState:
    won = state.tournaments.get(event.tournament, HouseTournament()).won
    return _with_tournament(state, event.tournament, won=_put(won, event.sitting, event.won_cents))


def _tournament_closed(state: HouseState, event: e.TournamentClosed) -> HouseState:
    slips = state.slips
    for number, slip in state.slips.open.whole().items():
        if slip.tournament == event.tournament:
            slips = slips.file(number, slip, event.at_ms)
    return _with_tournament(replace(state, slips=slips), event.tournament, closed=True)


def _day_opened(state: HouseState, event: e.GamingDayOpened) -> HouseState:
    day = replace(state.days.get(event.day, Day()), date=event.date)
    return replace(state, day=event.day, day_open=True, days=_put(state.days, event.day, day))


def _day_closed(state: HouseState, event: e.GamingDayClosed) -> HouseState:
    kept = {day: one for day, one in state.days.items() if day > event.day - KEPT_GAMING_DAYS}
    before = reduce(_together, (one for day, one in state.days.items() if day not in kept), state.days_before)
    return replace(state, day=event.day + 1, day_open=False, days=kept, days_before=before)


def _together(one: Day, other: Day) -> Day:
    return Day(other.date, *(mine + its for mine, its in zip(astuple(one)[1:], astuple(other)[1:], strict=True)))


def _put_away(state: HouseState, event: e.PapersPutAway) -> HouseState:
    tickets, slips = state.tickets.ended_by(event.until_day), state.slips.ended_by(event.until_day)
    return replace(
        state,
        tickets=state.tickets.put_away(event.until_day),
        slips=state.slips.put_away(event.until_day),
        away=_moved_away(state.away, tickets.values(), slips.values(), 1),
        exclusions={name: one for name, one in state.exclusions.items() if not _was_over(one.until_ms, event)},
    )


def _was_over(until_ms: int | None, event: e.PapersPutAway) -> bool:
    return until_ms is not None and until_ms // DAY_MS <= event.until_day


def _recalled(state: HouseState, event: e.PapersRecalled) -> HouseState:
    tickets, slips = state.tickets, state.slips
    for number, ticket in event.tickets.items():
        tickets = tickets.file(number, ticket, event.at_ms)
    for number, slip in event.slips.items():
        slips = slips.file(number, slip, event.at_ms)
    away = _moved_away(state.away, event.tickets.values(), event.slips.values(), -1)
    return replace(state, tickets=tickets, slips=slips, away=away)


def _moved_away(
    away: PapersAway, tickets: Collection[RegisteredTicket], slips: Collection[HouseSlip], sign: int
) -> PapersAway:
    def cents_of(status: HouseSlipStatus) -> int:
        return sign * sum(one.cents for one in slips if one.status is status)

    expired = sign * sum(one.cents for one in tickets if one.status is TicketStatus.EXPIRED)
    return PapersAway(
        tickets=away.tickets + sign * len(tickets),
        slips=away.slips + sign * len(slips),
        unclaimed_cents=away.unclaimed_cents + expired + cents_of(HouseSlipStatus.EXPIRED),
        slips_taken_cents=away.slips_taken_cents + cents_of(HouseSlipStatus.TAKEN),
        slips_paid_cents=away.slips_paid_cents + cents_of(HouseSlipStatus.PAID),
    )


def _with_status(state: HouseState, number: str, status: TicketStatus) -> HouseState:
    return replace(state, tickets=state.tickets.put(number, replace(state.tickets[number], status=status)))


def _over(state: HouseState, number: str, status: TicketStatus, at_ms: int | None = None) -> HouseState:
    return replace(state, tickets=state.tickets.file(number, replace(state.tickets[number], status=status), at_ms))


def _with_slip(state: HouseState, number: str, **changes: object) -> HouseState:
    """A slip stays open until its tournament's books are closed, since the tournament must still hear of it."""
    slip = replace(state.slips[number], **changes)
    closed = state.tournaments.get(slip.tournament, HouseTournament()).closed
    over = closed and slip.status not in WAITING
    return replace(state, slips=state.slips.file(number, slip) if over else state.slips.put(number, slip))


def _with_tournament(state: HouseState, name: str, **changes: object) -> HouseState:
    tournament = replace(state.tournaments.get(name, HouseTournament()), **changes)
    return replace(state, tournaments=_put(state.tournaments, name, tournament))


def _light_raised(state: HouseState, event: e.LightRaised) -> HouseState:
    key = light_key(event.table, event.kind, event.subject)
    return replace(state, lights=_put(state.lights, key, RaisedLight(event.subject, event.until_ms, event.at_ms)))


def _light_seen_to(state: HouseState, event: e.LightSeenTo) -> HouseState:
    key = light_key(event.table, event.kind, event.subject)
    seen = replace(state.lights[key], seen_by=event.by, found=event.reason, seen_ms=event.at_ms)
    return replace(state, lights=_put(state.lights, key, seen))


def _service_made(state: HouseState, event: e.ServiceMade) -> HouseState:
    made = ServiceAccount(
        *(event.scopes, event.key, event.until_ms, event.a_minute, event.purpose, event.by, event.at_ms)
    )
    return replace(state, services=_put(state.services, event.service, made))


def _service_revoked(state: HouseState, event: e.ServiceRevoked) -> HouseState:
    known = replace(state.services[event.service], revoked=True)
    return replace(state, services=_put(state.services, event.service, known))


def _service_used(state: HouseState, event: e.ServiceUsed) -> HouseState:
    known = replace(state.services[event.service], used_ms=event.at_ms)
    return replace(state, services=_put(state.services, event.service, known))


def _counted(state: HouseState, figure: str, cents: int) -> HouseState:
    day = state.days.get(state.day, Day())
    return replace(state, days=_put(state.days, state.day, replace(day, **{figure: getattr(day, figure) + cents})))


_APPLY: dict[type[e.HouseEvent], Callable[[HouseState, Any], HouseState]] = {
    e.HouseConfigured: _configured,
    e.TableEntered: _entered,
    e.TableBusy: _busy,
    e.OptionOrdered: _ordered,
    e.OptionChanged: _changed,
    e.PersonAppointed: _appointed,
    e.PersonDismissed: _dismissed,
    e.SignOnAnnounced: _sign_on_announced,
    e.SignOffNoted: _sign_off_noted,
    e.PersonLockedOut: _locked_out,
    e.PersonUnlocked: _unlocked,
    e.DeviceEnrolled: _enrolled,
    e.DeviceRevoked: _revoked,
    e.ExclusionMade: _excluded,
    e.PatronReadmitted: _readmitted,
    e.TicketRequested: _requested,
    e.TicketRegistered: _registered,
    e.TicketPrinted: _printed,
    e.TicketClosedToTheCage: _closed_to_the_cage,
    e.TicketReleased: _released,
    e.TicketReleaseEnded: _release_ended,
    e.TicketSettledByHand: _settled_by_hand,
    e.TicketRedeemed: _redeemed,
    e.TicketVoided: _voided,
    e.TicketExpired: _expired,
    e.TicketReinstated: _reinstated,
    e.WrongNumberTried: _wrong_number,
    e.GuessingAlarmed: _alarmed,
    e.SlipRegistered: _slip_registered,
    e.SlipTaken: _slip_taken,
    e.SlipPaid: _slip_paid,
    e.SlipCancelled: _slip_cancelled,
    e.SlipHeld: _slip_held,
    e.SlipReleased: _slip_released,
    e.SlipForfeited: _slip_forfeited,
    e.SlipExpired: _slip_expired,
    e.PoolRaised: _pool_raised,
    e.StakesSettled: _stakes_settled,
    e.TournamentClosed: _tournament_closed,
    e.GamingDayOpened: _day_opened,
    e.GamingDayClosed: _day_closed,
    e.PapersPutAway: _put_away,
    e.PapersRecalled: _recalled,
    e.LightRaised: _light_raised,
    e.LightSeenTo: _light_seen_to,
    e.ServiceMade: _service_made,
    e.ServiceRevoked: _service_revoked,
    e.ServiceUsed: _service_used,
}
