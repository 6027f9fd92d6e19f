"""The console's view: all that the dealer needs to run the game (CROWN 1.1 "SGC"(b))."""

from collections.abc import Mapping
from dataclasses import dataclass
from operator import attrgetter, is_

import msgspec

from sabot.ledger.audit import Disagreement, disagreements
from sabot.rules.rule_set import Bet
from sabot.table.accounts.state import TableTicketStatus
from sabot.table.cases.deciding import remedies
from sabot.table.corrections.deciding import CAUSES
from sabot.table.faults.records import OnRecord, confirmation_list
from sabot.table.sessions.standing import is_hidden_coup
from sabot.table.signs.posted import shows_limits
from sabot.table.state import TableState
from sabot.views.actions import ActionShown, StaffAction, console_actions, seat_actions
from sabot.views.call_alarms import call_alarms
from sabot.views.case_shown import CaseShown, case_shown, open_cases
from sabot.views.conduct import for_staff
from sabot.views.float_alarms import float_alarms
from sabot.views.message import ScreenMessage, say
from sabot.views.payments import Payments, payments_due, payments_of_idle
from sabot.views.procedure import Guidance, ProcedureStep, guidance_of, procedure_of
from sabot.views.public import Public, PublicSections, shown_to_all
from sabot.views.rules_text import RulesText
from sabot.views.scorecard import Alarm, Scorecard
from sabot.views.shoe_alarms import shoe_alarms
from sabot.views.station import call_of, concerned
from sabot.views.table_session import SeatEntrant, entrant_at
from sabot.views.trouble import TroubleShown, trouble_of

MOST_CASES, MOST_ALARMS, MOST_CONFIRMATIONS, MOST_PAYABLE = 20, 40, 100, 8
"""What a console lists at most, so that nobody can bury it: `NotListed` counts the rest (G-197)."""


class StationConnection(msgspec.Struct, frozen=True):
    """The connection of a station or display."""

    connected: bool
    seen_ms: int = 0
    """When its connection was found lost; 0 while it is connected."""
    sign: str = ""
    """The limits sign that it was shown last."""
    stale: bool = False
    """Whether it shows a picture that is not current, since no view could be made for it (G-196)."""


class Staff(msgspec.Struct, frozen=True):
    dealer: str | None
    signed_on: Mapping[str, str]
    listed: Mapping[str, tuple[str, ...]]
    two_persons: tuple[str, ...]
    """Acts that a second person must approve here."""
    duties: tuple[ScreenMessage, ...]


class Deck(msgspec.Struct, frozen=True):
    """The shoe as the dealer handles it."""

    cards: int
    left: int
    out: int
    behind_cutting_card: int
    cutting_card_seen: bool
    last_coup: int | None
    burns_due: int
    hidden_burn: bool
    waiting: tuple[str, ...]
    """Cards that are to be dealt first, `?` for one that was not seen."""
    gone: Mapping[str, int]
    """How often each known card has left the shoe."""
    exchanged: Mapping[str, int]
    """Cards of it that were replaced like for like."""
    face_up: bool


class BetTotal(msgspec.Struct, frozen=True):
    cents: int
    stations: int


class Totals(msgspec.Struct, frozen=True):
    by_bet: Mapping[Bet, BetTotal]
    """The wagers on the layout now."""
    wagered_cents: int
    settled_coup: int | None
    staked_cents: int
    """Of the newest settled coup: the stakes, what the house won by them, and its commission in that."""
    house_cents: int
    commission_cents: int


class Seat(msgspec.Struct, frozen=True):
    station: str
    open: bool
    control: int
    patron: str
    """By reference, never by name."""
    nominee: str
    balance_cents: int
    wagers: Mapping[Bet, int]
    wagered_cents: int
    has_wagered: bool
    """Told where the amounts are not: in a coup whose wagers are shown after its result only."""
    entrant: SeatEntrant | None
    """Who has the seat in a session of a tournament."""
    held_cents: int
    owed_cents: int
    payable: Mapping[int, int]
    """What is payable to patrons who have left, by control session: the newest few."""
    idle: int
    leaving: bool
    directed_to_leave: bool
    faulted: bool
    out_of_service: bool
    remote: bool
    connected: bool | None
    """None where it is not known."""
    seen_ms: int | None
    """When the connection was found lost; 0 while it is connected."""
    shows_sign: bool | None
    call: str
    """`called` while the station calls for an attendant, `answered` while one is on the way, else nothing."""
    actions: dict[str, ActionShown]


class NotListed(msgspec.Struct, frozen=True):
    """How many more there are than the view lists; the records have them all."""

    cases: int
    alarms: int
    confirmation: int
    payable: int


class CitedHere(msgspec.Struct, frozen=True):
    """Clauses that forms name, as they are cited at this table."""

    remedies: tuple[str, ...]
    """What an accepted claim may lead to."""
    devices: str
    """The one that forbids devices."""
    invalidate: str
    """Those by which a coup is made invalid."""


class ConsoleView(PublicSections, frozen=True, kw_only=True):
    rules: RulesText
    staff: Staff
    procedure: tuple[ProcedureStep, ...]
    guidance: Guidance
    deck: Deck
    totals: Totals
    seats: tuple[Seat, ...]
    payments: Payments
    trouble: TroubleShown
    cases: tuple[CaseShown, ...]
    """The newest open cases, oldest first."""
    cited: CitedHere
    confirmation: tuple[OnRecord, ...]
    """After a failure: what is on record, what each station acknowledged and what it shows."""
    disagreements: tuple[Disagreement, ...]
    """What disagrees in the books, while the table is locked."""
    alarms: tuple[Alarm, ...]
    more: NotListed
    actions: dict[str, StaffAction]


@dataclass(frozen=True, slots=True)
class CachedConsoleView:
    """A console's view with what it was made from, so that the next one can take over unchanged parts."""

    public: Public
    connections: Mapping[str, StationConnection]
    view: ConsoleView


def console_view(public: Public, connections: Mapping[str, StationConnection] | None = None) -> ConsoleView:
    return console(public, connections).view


def console(
    public: Public, connections: Mapping[str, StationConnection] | None = None, before: CachedConsoleView | None = None
) -> CachedConsoleView:
    """The view of a console; seats and actions that have not changed since `before` are taken from it."""
    state, card = public.state, public.card
    known = connections or {}
    cases, confirmation = open_cases(state), confirmation_list(state)
    alarms = (*_alarms(public, known), *reversed(card.alarms))
    calm = before is not None and _only_wagers_moved(before.public.state, state) and not _came_due(before, public)
    view = ConsoleView(
        **shown_to_all(public),
        rules=public.rules,
        staff=_staff(state),
        procedure=procedure_of(state),
        guidance=guidance_of(state, public),
        deck=_deck(state),
        totals=_totals(state, card),
        seats=_seats(public, known, before if calm else None),
        payments=_payments(public),
        trouble=trouble_of(state),
        cases=tuple(case_shown(number, case) for number, case in cases[-MOST_CASES:]),
        cited=_cited(state),
        confirmation=tuple(confirmation[:MOST_CONFIRMATIONS]),
        disagreements=disagreements(state.ledger, state.meters) if state.locked else (),
        alarms=alarms[:MOST_ALARMS],
        more=NotListed(
            cases=max(0, len(cases) - MOST_CASES),
            alarms=max(0, len(alarms) - MOST_ALARMS),
            confirmation=max(0, len(confirmation) - MOST_CONFIRMATIONS),
            payable=sum(max(0, len(state.payable(name)) - MOST_PAYABLE) for name in state.stations),
        ),
        actions=before.view.actions if before and calm else console_actions(state, public.clock.at_ms),
    )
    return CachedConsoleView(public, known, view)


def _only_wagers_moved(was: TableState, now: TableState) -> bool:
    """Whether only balances and wagers of stations differ, and each station has the same patron."""
    same = all(map(is_, _beside_the_money(was), _beside_the_money(now)))
    return same and all(was.stations[name].control == station.control for name, station in now.stations.items())


_beside_the_money = attrgetter(
    *(name for name in TableState.__struct_fields__ if name not in ("ledger", "stations", "meters"))
)


def _came_due(before: CachedConsoleView, public: Public) -> bool:
    """Whether a deadline or the time of a notice has passed since."""
    state = public.state
    moments = [notice.from_ms for notice in state.notices]
    if state.coup is not None:
        moments.append(state.coup.deadline_ms)
    return any(before.public.clock.at_ms < moment <= public.clock.at_ms for moment in moments)


def _seats(
    public: Public, connections: Mapping[str, StationConnection], before: CachedConsoleView | None
) -> tuple[Seat, ...]:
    state, at_ms = public.state, public.clock.at_ms
    if before is None or before.public.state.ledger.books is not state.ledger.books:
        return tuple(_seat(public, name, connections.get(name), at_ms) for name in state.stations)
    moved = concerned(before.public, public)
    return tuple(
        seat
        if seat.station not in moved and before.connections.get(seat.station) == connections.get(seat.station)
        else _seat(public, seat.station, connections.get(seat.station), at_ms)
        for seat in before.view.seats
    )


def _staff(state: TableState) -> Staff:
    return Staff(
        dealer=state.dealer,
        signed_on={who: role.value for who, role in state.signed_on.items()},
        listed={who: tuple(role.value for role in roles) for who, roles in state.configuration.staff.items()},
        two_persons=state.configuration.two_persons,
        duties=for_staff(state.terms.rule_set.document),
    )


def _payments(public: Public) -> Payments:
    state, at_ms = public.state, public.clock.at_ms
    return Payments(payments_due(state, at_ms), payments_of_idle(state, at_ms), public.card.payments)


def _deck(state: TableState) -> Deck:
    shoe = state.shoe
    return Deck(
        cards=shoe.cards,
        left=shoe.left,
        out=shoe.out,
        behind_cutting_card=shoe.behind_cutting_card,
        cutting_card_seen=shoe.last_coup is not None,
        last_coup=shoe.last_coup,
        burns_due=shoe.burns_due,
        hidden_burn=shoe.hidden_burn,
        waiting=tuple(notation or "?" for notation in shoe.carried),
        gone=shoe.census,
        exchanged=shoe.exchanged,
        face_up=state.face_up,
    )


def _totals(state: TableState, card: Scorecard) -> Totals:
    cents: dict[Bet, int] = {}
    stations: dict[Bet, int] = {}
    for layout in () if is_hidden_coup(state) else state.layouts().values():
        for bet, on_bet in layout.items():
            cents[bet] = cents.get(bet, 0) + on_bet
            stations[bet] = stations.get(bet, 0) + 1
    newest = card.newest
    settled = [one for lines in newest.settlements.values() for one in lines] if newest and not newest.invalid else []
    return Totals(
        by_bet={bet: BetTotal(total, stations[bet]) for bet, total in cents.items()},
        wagered_cents=sum(cents.values()),
        settled_coup=newest.coup if newest else None,
        staked_cents=sum(one.stake_cents for one in settled),
        house_cents=-sum(one.net_cents for one in settled),
        commission_cents=sum(one.commission_cents for one in settled),
    )


def _seat(public: Public, name: str, connection: StationConnection | None, at_ms: int) -> Seat:
    state = public.state
    station, purse = state.stations[name], state.purse(name)
    hidden = is_hidden_coup(state)
    return Seat(
        station=name,
        open=station.is_open,
        control=station.control,
        patron=station.patron,
        nominee=station.nominee,
        balance_cents=purse.balance + purse.wagered if hidden else purse.balance,
        wagers={} if hidden else purse.layout,
        wagered_cents=0 if hidden else purse.wagered,
        has_wagered=bool(purse.layout),
        entrant=entrant_at(state, name),
        held_cents=purse.held,
        owed_cents=state.owed(name),
        payable=dict(sorted(state.payable(name).items())[-MOST_PAYABLE:]),
        idle=station.idle,
        leaving=station.leaving,
        directed_to_leave=station.directed_to_leave,
        faulted=name in state.faulted,
        out_of_service=name in state.out_of_service,
        remote=state.configuration.stations[name].remote,
        connected=connection.connected if connection else None,
        seen_ms=connection.seen_ms if connection else None,
        shows_sign=_shows_sign(public, name, connection),
        call=call_of(state, name),
        actions=seat_actions(state, name, at_ms),
    )


def _shows_sign(public: Public, name: str, connection: StationConnection | None) -> bool | None:
    """By what it has told and by what it was shown last; None where neither is known."""
    if not shows_limits(public.state, name):
        return False
    if connection is not None:
        return connection.sign == public.table.sign
    return True if name in public.state.signs else None


def _cited(state: TableState) -> CitedHere:
    invalidate = dict.fromkeys(state.cites(clause) for clause, _ in CAUSES.values())
    return CitedHere(remedies(state), state.cites("CROWN 13.1"), ", ".join(invalidate))


def _alarms(public: Public, connections: Mapping[str, StationConnection]) -> tuple[Alarm, ...]:
    """The alarms that hold now; those of refused attempts follow them."""
    state = public.state
    found = [say("table_locked", state.cites("CROWN 1.6"), why=state.locked)] if state.locked else []
    found += [
        say("alarm_device_down", state.cites('CROWN 1.1 "game system"(a)'), device=device)
        for device in sorted(state.down)
    ]
    found += [say("alarm_faulted", state.cites("CROWN 11.14"), station=name) for name in sorted(state.faulted)]
    found += call_alarms(state)
    found += float_alarms(state)
    found += [say("alarm_out_of_service", "G-183", station=name) for name in sorted(state.out_of_service)]
    found += [
        say("alarm_not_printed", state.cites("CROWN 6.7.2(b)"), ticket=number, station=ticket.station)
        for number, ticket in state.tickets.items()
        if ticket.status is TableTicketStatus.PRINT_FAILED
    ]
    found += [
        say("alarm_idle", state.cites("CROWN 4.4"), station=name, coups=station.idle)
        for name, station in state.stations.items()
        if station.idle >= state.figures.idle_coups
    ]
    found += shoe_alarms(state)
    for name, connection in connections.items():
        if not connection.connected:
            found.append(say("alarm_disconnected", state.cites("CROWN 11.14"), station=name))
        elif connection.sign != public.table.sign:
            found.append(say("alarm_sign", state.cites("CROWN 5.1"), location=name))
        if connection.stale:
            found.append(say("alarm_stale", "G-196", location=name))
    newest = {name for name, connection in connections.items() if connection.sign == public.table.sign}
    dark = (name for name in sorted(state.signs) if not shows_limits(state, name))
    found += [
        say("alarm_sign", state.cites("CROWN 5.1"), location=name)
        for name in dark
        if name in newest or name not in connections
    ]
    return tuple(Alarm(None, "", message) for message in found)
