"""Cuts events and pictures down to what an audience may see: a station its own and what is public, the console
everything, the display what is public.

Other patrons' wagers never leave the server, so an event that names several stations is reduced to the one that it is
sent to. An event that is not listed here goes to the console alone.
"""

import enum
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

import msgspec

from sabot.ledger.ledger import Purse
from sabot.rules.coup import next_card
from sabot.rules.hand import Side
from sabot.table import events as e
from sabot.table.accounts.deciding import pays_by_ticket
from sabot.table.accounts.state import TableTicketStatus
from sabot.table.faults.records import OnRecord, confirmation_list
from sabot.table.history.shelved import FromShelf
from sabot.table.phase import Phase
from sabot.table.state import TableState

MOST_TICKETS = 35
"""How many of a station's newest tickets its printer is sent when it reconnects."""


class Audience(enum.StrEnum):
    STATION = "station"
    CONSOLE = "console"
    DISPLAY = "display"


class IssuedTicket(msgspec.Struct, frozen=True):
    ticket: str
    cents: int
    at_ms: int


class TablePicture(msgspec.Struct, frozen=True):
    """The state of a table for one audience: all that a device needs to start."""

    phase: Phase
    coup: int
    """The number of the newest coup, open or decided."""
    remaining_ms: int | None
    """What is left of the wagering period; devices have no common clock."""
    cards: tuple[str, ...]
    next_hand: Side | None
    """The hand that is due a card, once wagering is closed."""
    purses: Mapping[str, Purse]
    """A station's own, or all of them for the console."""
    awaits_confirmation: bool
    frozen: bool
    """Whether the accounts are frozen."""
    confirmation: tuple[OnRecord, ...] = ()
    tickets: tuple[IssuedTicket, ...] = ()
    """A station's newest tickets, oldest first, without those whose printing failed. Its printer compares them with its
    own log."""


def picture(state: TableState, audience: Audience, station: str, at_ms: int) -> TablePicture:
    coup, wagering = state.coup, state.phase is Phase.WAGERING
    due = next_card(coup.cards) if coup is not None and not wagering else None
    purses: Mapping[str, Purse] = {}
    if audience is Audience.CONSOLE:
        purses = state.ledger.purses
    elif audience is Audience.STATION:
        purses = {station: state.purse(station)}
    return TablePicture(
        phase=state.phase,
        coup=state.coups,
        remaining_ms=max(0, coup.deadline_ms - at_ms) if coup is not None and wagering else None,
        cards=tuple(card.notation for card in coup.cards) if coup is not None else (),
        next_hand=None if due is None else due.side,
        purses=purses,
        awaits_confirmation=state.awaits_confirmation,
        frozen=state.frozen_at_ms is not None,
        confirmation=tuple(confirmation_list(state)) if audience is Audience.CONSOLE else (),
        tickets=_tickets(state, station) if audience is Audience.STATION else (),
    )


def _tickets(state: TableState, station: str) -> tuple[IssuedTicket, ...]:
    if station not in state.stations or not pays_by_ticket(state, station):
        return ()
    newest = ((number, one) for number, one in reversed(tuple(state.tickets.items())) if one.station == station)
    shown = [
        IssuedTicket(number, one.cents, one.issued_ms)
        for number, one in islice(newest, MOST_TICKETS)
        if one.status is TableTicketStatus.ISSUED
    ]
    return tuple(reversed(shown))


def seen_by(events: tuple[e.Event, ...], audience: Audience, station: str) -> tuple[e.Event, ...]:
    """These events as one audience may see them; `station` is used for the audience of a station."""
    if audience is Audience.CONSOLE:
        return tuple(_without_what_was_found(event) for event in events) if _brings_back(events) else events
    own = station if audience is Audience.STATION else ""
    return tuple(shown for event in events if (shown := _shown(event, own)) is not None)


def _brings_back(events: tuple[e.Event, ...]) -> bool:
    return bool(events) and type(events[0]) is e.BroughtBack


def _without_what_was_found(event: e.Event) -> e.Event:
    """That something was looked up; what it was may be hundreds of coups, and is on record where it happened."""
    return msgspec.structs.replace(event, found=FromShelf()) if isinstance(event, e.BroughtBack) else event


def concerned_by(events: tuple[e.Event, ...]) -> frozenset[str] | None:
    """The stations that alone may see these events, or None where others may.

    Nearly all events are changes of wagers, which concern their own station alone.
    """
    touched = [event.station for event in events if isinstance(event, e.WagersChanged)]
    return frozenset(touched) if len(touched) == len(events) else None


def _shown(event: e.Event, station: str) -> e.Event | None:
    cut = _CUT.get(type(event))
    if cut is not None:
        return cut(event, station)
    if type(event) in _PUBLIC or (station and getattr(event, "station", None) == station):
        return event
    if isinstance(event, e.PatronMoved) and event.target == station:
        return event
    return None


def _of(everybody: Mapping[str, Any], station: str) -> dict[str, Any]:
    return {station: everybody[station]} if station in everybody else {}


def adjustments_at(adjustments: Mapping[str, e.Adjustment], station: str) -> dict[str, e.Adjustment]:
    """Those that were booked at a station; a patron who was moved has them where the patron sits now."""
    return {name: one for name, one in adjustments.items() if (one.moved_to or name) == station}


def _cut_closed(event: e.WageringClosed, station: str) -> e.Event:
    return msgspec.structs.replace(event, refunds=_of(event.refunds, station), sealed=_of(event.sealed, station))


def _cut_settled(event: e.WagersSettled, station: str) -> e.Event:
    return msgspec.structs.replace(event, settlements=_of(event.settlements, station))


def _cut_refunds(event: e.CoupVoided | e.DummyCoupDeclared, station: str) -> e.Event:
    return msgspec.structs.replace(event, refunds=_of(event.refunds, station))


def _cut_adjustments(event: e.CoupInvalidated, station: str) -> e.Event:
    return msgspec.structs.replace(event, adjustments=adjustments_at(event.adjustments, station))


def _cut_recalculated(event: e.CoupRecalculated, station: str) -> e.Event:
    settlements, adjustments = _of(event.settlements, station), adjustments_at(event.adjustments, station)
    return msgspec.structs.replace(event, settlements=settlements, adjustments=adjustments)


def _cut_reason(event: e.CardAmended | e.CardTakenBack, station: str) -> e.Event:  # noqa: ARG001
    return msgspec.structs.replace(event, reason="")


def _cut_taken_back(event: e.ResolutionTakenBack, station: str) -> e.Event:
    own = tuple(one for one in event.moved if station and station in (one.debit.station, one.credit.station))
    return msgspec.structs.replace(event, moved=own, corrected=_of(event.corrected, station), reason="")


_CUT: dict[type[e.Event], Callable[[Any, str], e.Event]] = {
    e.WageringClosed: _cut_closed,
    e.WagersSettled: _cut_settled,
    e.CoupVoided: _cut_refunds,
    e.DummyCoupDeclared: _cut_refunds,
    e.CardAmended: _cut_reason,
    e.CardTakenBack: _cut_reason,
    e.ResolutionTakenBack: _cut_taken_back,
    e.CoupInvalidated: _cut_adjustments,
    e.CoupRecalculated: _cut_recalculated,
}
_PUBLIC: frozenset[type[e.Event]] = frozenset(
    {
        e.TableOpened,
        e.TableClosed,
        e.NoticeGiven,
        e.NoticeWithdrawn,
        e.MinimumChanged,
        e.OptionTakenUp,
        e.CardsShuffled,
        e.CardsCut,
        e.CardsBurned,
        e.BurnShown,
        e.CuttingCardSeen,
        e.ShoeEnded,
        e.WageringOpened,
        e.CardDealt,
        e.CountsAnnounced,
        e.CoupDecided,
        e.OutcomeCorrected,
        e.AccountsFrozen,
        e.AccountsUnfrozen,
        e.SystemFailed,
        e.SystemRestarted,
    }
)
