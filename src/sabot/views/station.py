"""A station's view: the public sections and its own, without other patrons' wagers and balances."""

from collections.abc import Mapping
from functools import lru_cache
from operator import attrgetter, is_

import msgspec
from msgspec.structs import replace

from sabot.rules.hand import Side
from sabot.rules.rule_set import Bet
from sabot.rules.terms import Outcome, Settlement
from sabot.table.accounts.deciding import pays_by_ticket
from sabot.table.accounts.state import TableTicketStatus
from sabot.table.cases.state import CaseKind
from sabot.table.coup.seal import Receipt
from sabot.table.state import CoupUnderWay, TableState
from sabot.views.actions import ActionShown, Laid, actions_after_touches, is_as_before, station_actions
from sabot.views.audience import adjustments_at
from sabot.views.care import CareShown, care_shown
from sabot.views.conduct import for_ticket_holders
from sabot.views.message import ScreenMessage, TimedMessage, cut, say
from sabot.views.public import Public, PublicSections, shown_to_all
from sabot.views.rules_text import RulesText
from sabot.views.scorecard import Scorecard
from sabot.views.squeeze import squeezed_by
from sabot.views.table_session import SeatStanding, standing_of


class StationShown(msgspec.Struct, frozen=True):
    name: str
    control: int
    """The patron's control session, to which the device ties what it keeps for the patron; 0 without one."""
    open: bool
    standing: ScreenMessage
    """Whether it is open, and if not, what to do about it."""
    leaving: bool
    directed_to_leave: bool
    faulted: bool
    remote: bool
    pays_by_ticket: bool
    note_acceptor: str
    """`none`, `ready`, or `off` while the accounts are frozen (G-59)."""
    printer: str
    """`none`, `ready`, or the fault that the printer reported for the last ticket."""
    messages: tuple[ScreenMessage, ...]
    """Messages for this patron alone: amounts owed, queries, tickets, adjustments, an idle seat."""
    ticket: str
    """The number of the ticket that was issued last, while it is this patron's."""
    ticket_notices: tuple[ScreenMessage, ...]
    given_back: TimedMessage | None
    """Why the last note or ticket came back, or a player card was not taken."""
    queries: tuple[int, ...]
    """Claims and disputes of this station that are still open."""
    call: str
    """`called` while an attendant is called, `answered` while one is on the way, else nothing."""


class PurseShown(msgspec.Struct, frozen=True):
    """The station's account, shown in every phase (CROWN 6.1)."""

    balance_cents: int
    wagered_cents: int
    held_cents: int
    owed_cents: int
    last_net_cents: int | None
    """The patron's net of the last coup, or None without a wager in it."""
    frozen: bool


class WagersShown(msgspec.Struct, frozen=True):
    """The station's own layout."""

    on_layout: Mapping[Bet, int]
    sealed: bool
    """Whether the wagers are sealed; none can be placed, changed or withdrawn."""
    remembered: Mapping[Bet, int]
    """What a repeat would place."""
    undos: int


class WagerLine(msgspec.Struct, frozen=True):
    """The settlement of one wager, and its reason."""

    bet: str
    title: str
    name: str
    """The line of the pay table that decided it."""
    stake_cents: int
    outcome: str
    gross_cents: int
    commission_cents: int
    net_cents: int
    why: ScreenMessage


class Settled(msgspec.Struct, frozen=True):
    """The station's own settlement of the newest settled coup."""

    coup: int
    lines: tuple[WagerLine, ...]
    net_cents: int
    invalid: bool


class StationView(PublicSections, frozen=True, kw_only=True):
    rules: RulesText
    station: StationShown
    purse: PurseShown
    care: CareShown | None
    wagers: WagersShown
    squeeze: tuple[Side, ...]
    """The hands whose cards the patron turns over at this station (G-230)."""
    settled: Settled | None
    returned: tuple[ScreenMessage, ...]
    receipt: Receipt | None
    actions: dict[str, ActionShown]
    standing: SeatStanding | None
    """Of the entrant who has this station in a session."""


def station_view(
    public: Public, station: str, before: StationView | None = None, seen: Public | None = None
) -> StationView:
    """What a station is shown; `before` is what it was shown last, made from `seen`, and stays as far as it can."""
    state, card = public.state, public.card
    stays = (
        before is not None
        and seen is not None
        and all(map(is_, seen.ground, public.ground))
        and is_as_before(seen.state, state, station)
    )
    if before is not None and seen is not None and stays:
        is_settled = card.newest is seen.card.newest and public.rulings is seen.rulings
        own = before.settled if is_settled else own_settlement(public, station)
        shown = before.station if _tells_the_same(seen.state, state, station) else _station(state, card, station)
        kept = before.actions
    else:
        own, shown, kept = own_settlement(public, station), _station(state, card, station), None
    return StationView(
        **shown_to_all(public),
        rules=public.rules,
        station=shown,
        purse=_purse(state, station, own),
        care=care_shown(state, station, public.clock.at_ms),
        wagers=_wagers(state, station),
        squeeze=squeezed_by(state, station),
        settled=own,
        returned=card.returned.get(station, ()),
        receipt=card.receipts.get(station),
        actions=station_actions(state, station, public.clock.at_ms, kept),
        standing=standing_of(state, station, public.board),
    )


def _tells_the_same(before: TableState, now: TableState, name: str) -> bool:
    """Whether the section of a station with the same patron is the one it was (`_station`)."""
    return (
        before.stations[name].idle_in == now.stations[name].idle_in
        and (name in before.faulted) is (name in now.faulted)
        and before.calls.get(name) is now.calls.get(name)
        and before.purse(name).held == now.purse(name).held
        and (before.ledger.books is now.ledger.books or before.owed(name) == now.owed(name))
    )


OWN = ("station", "purse", "care", "wagers", "squeeze", "settled", "returned", "receipt", "actions", "standing")
"""The sections that are a station's own; all others are shared."""
SHARED = tuple(name for name in StationView.__struct_fields__ if name not in OWN)


def stations_stay(before: Public, after: Public) -> bool:
    """Whether no station's own sections can have changed, because nothing but a card was dealt."""
    was, now = before.state, after.state
    return (
        before.clock == after.clock
        and before.board is after.board
        and all(map(is_, _beside_the_cards(was), _beside_the_cards(now)))
        and (was.coup is now.coup or (was.coup is not None and now.coup is not None and _goes_on(was.coup, now.coup)))
        and all(map(is_, _of_the_card(before.card), _of_the_card(after.card)))
    )


def _goes_on(was: CoupUnderWay, now: CoupUnderWay) -> bool:
    return all(map(is_, _of_the_coup(was), _of_the_coup(now)))


_beside_the_cards = attrgetter(*(name for name in TableState.__struct_fields__ if name not in ("coup", "shoe")))
_of_the_coup = attrgetter(*(name for name in CoupUnderWay.__struct_fields__ if name != "cards"))
_of_the_card = attrgetter(
    *("newest", "returned", "receipts", "put_right", "tickets", "printer_faults", "given_back", "answers")
)
_OWN_CASES = frozenset({CaseKind.CLAIM, CaseKind.DISPUTE})
"""The cases that the patron's own station shows, and no other patron's who sits there later."""
MOST_QUERIES = 10
"""The newest open claims and disputes that a station shows its patron."""
_NOT_FITTED, _READY = "none", "ready"


def seen_again(view: StationView, public: Public) -> StationView:
    """A station's view when only the public sections have changed."""
    return replace(view, **{name: getattr(public, name) for name in SHARED})


TOUCHED = ("purse", "wagers", "returned", "actions")
"""What a touch can change of its station's own sections."""


def touched_again(view: StationView, state: TableState, card: Scorecard, station: str, at_ms: int) -> StationView:
    """A station's view after touches alone, at a table without a session: the same as `station_view`, from less."""
    was = Laid(bool(view.wagers.on_layout), view.wagers.undos)
    return replace(
        view,
        purse=_purse(state, station, view.settled),
        wagers=_wagers(state, station),
        returned=card.returned.get(station, ()),
        actions=actions_after_touches(view.actions, was, state, station, at_ms),
    )


def concerned(was: Public, now: Public) -> frozenset[str]:
    """The stations whose own sections may have changed, if the public ones have not."""
    back = _given_back_anew(was.card, now.card)
    return back if was.state is now.state else back | _moved(was.state, now.state)


def _given_back_anew(was: Scorecard, now: Scorecard) -> frozenset[str]:
    """Nothing of the state changes where a station does not take what is put in."""
    if was.given_back is now.given_back:
        return frozenset()
    names = {*was.given_back, *now.given_back}
    return frozenset(name for name in names if was.given_back.get(name) is not now.given_back.get(name))


def _moved(before: TableState, after: TableState) -> frozenset[str]:
    if before.reserved is not after.reserved:
        return frozenset(after.stations)
    moved = {
        name
        for name, station in after.stations.items()
        if before.stations.get(name) is not station or before.purse(name) is not after.purse(name)
    }
    moved |= before.faulted ^ after.faulted
    moved |= before.out_of_service ^ after.out_of_service
    if before.calls is not after.calls:
        moved |= {name for name in after.stations if before.calls.get(name) is not after.calls.get(name)}
    if before.cases is not after.cases:
        moved |= {case.station for number, case in after.cases.items() if before.cases.get(number) is not case}
    if before.tickets is not after.tickets:
        moved |= {one.station for number, one in after.tickets.items() if before.tickets.get(number) is not one}
    if before.ledger.books is not after.ledger.books:
        moved |= {name for name in after.stations if before.owed(name) != after.owed(name)}
    return frozenset(moved)


def _station(state: TableState, card: Scorecard, name: str) -> StationShown:
    station, part = state.stations[name], state.configuration.stations[name]
    by_ticket = pays_by_ticket(state, name)
    open_cases = tuple(
        number
        for number, case in state.cases.items()
        if case.station == name and case.control == station.control and not case.closed and case.kind in _OWN_CASES
    )[-MOST_QUERIES:]
    return StationShown(
        name=name,
        control=station.control,
        open=station.is_open,
        standing=_standing(state, name),
        leaving=station.leaving,
        directed_to_leave=station.directed_to_leave,
        faulted=name in state.faulted,
        remote=part.remote,
        pays_by_ticket=by_ticket,
        note_acceptor=_note_acceptor(state, name),
        printer=cut(card.printer_faults.get(name, _READY)) if part.printer else _NOT_FITTED,
        messages=tuple(_messages(state, card, name, open_cases)),
        ticket=card.tickets.get(name, ""),
        ticket_notices=for_ticket_holders(state.terms.rule_set.document) if by_ticket else (),
        given_back=card.given_back.get(name),
        queries=open_cases,
        call=call_of(state, name),
    )


def call_of(state: TableState, name: str) -> str:
    """How far a call for an attendant is, for the station and the console."""
    call = state.calls.get(name)
    return "" if call is None else "answered" if call.answered_by else "called"


def _note_acceptor(state: TableState, name: str) -> str:
    if not state.configuration.stations[name].note_acceptor:
        return _NOT_FITTED
    return "off" if state.frozen_at_ms is not None or state.reserved is not None else _READY


def _standing(state: TableState, name: str) -> ScreenMessage:
    station, clauses = state.stations[name], state.terms.rule_set.accounts
    held = state.purse(name).held
    if station.directed_to_leave:
        return say("station_directed", clauses.directed_to_leave, held_cents=held)
    if station.leaving:
        return say("station_leaving", clauses.leave, held_cents=held)
    if state.reserved is not None:
        return _reserved(state, name)
    if station.is_open:
        return say("station_open", clauses.control, account=f"{name}-{station.control}")
    equipment = state.configuration.stations[name]
    if clauses.tickets_in.taken and equipment.note_acceptor:
        return say("station_closed_tickets", clauses.tickets_in.clause)
    return say("station_closed_remote", clauses.note) if equipment.remote else say("station_closed", clauses.buy_in)


def _reserved(state: TableState, name: str) -> ScreenMessage:
    """At a table that plays for a tournament (CROWN 12.3.2)."""
    seat = None if state.session is None else state.session.seats.get(name)
    if seat is None:
        return say("station_reserved", "CROWN 12.3.2")
    return say(f"seat_{seat.status.value}", "CROWN 12.2.1(d)", entrant=seat.entrant)


def _messages(state: TableState, card: Scorecard, name: str, cases: tuple[int, ...]) -> list[ScreenMessage]:
    station, found = state.stations[name], []
    if name in state.faulted:
        found.append(say("station_faulted", state.cites("CROWN 11.14")))
    if name in state.out_of_service:
        found.append(say("station_out_of_service", "G-183"))
    if call := call_of(state, name):
        found.append(say(f"attendant_{call}", "G-224"))
    if owed := state.owed(name):
        found.append(say("owed", "G-89", owed_cents=owed))
    if station.idle >= state.figures.idle_coups:
        found.append(say("asked_to_vacate", state.cites("CROWN 13.8"), coups=station.idle))
    if (put_right := card.put_right) is not None:
        own = (one for one in adjustments_at(put_right.adjustments, name).values() if one.same_patron)
        found += [
            say("your_adjustment", put_right.message.clause, change_cents=one.change_cents, coup=put_right.coup)
            for one in own
        ]
    if number := card.tickets.get(name):
        found.append(_ticket(state, number))
    if station.is_open:
        found += [_case(state, case) for case in cases]
        found += card.answers.get(name, ())
    return found


def _ticket(state: TableState, number: str) -> ScreenMessage:
    ticket = state.tickets[number]
    if ticket.status is TableTicketStatus.ISSUED:
        return say("ticket_present", state.cites("CROWN 6.7.2(a)"), ticket=number, total_cents=ticket.cents)
    code = "ticket_not_printed" if ticket.status is TableTicketStatus.PRINT_FAILED else "ticket_paid"
    return say(code, state.cites("CROWN 6.7.2(b)"), ticket=number, total_cents=ticket.cents)


def _case(state: TableState, number: int) -> ScreenMessage:
    if state.cases[number].kind is CaseKind.CLAIM:
        return say("query_open", state.cites("CROWN 11.12"), case=number)
    return say("dispute_open", state.cites("CROWN 13.9"), case=number)


def _purse(state: TableState, name: str, own: Settled | None) -> PurseShown:
    purse = state.purse(name)
    return PurseShown(
        balance_cents=purse.balance,
        wagered_cents=purse.wagered,
        held_cents=purse.held,
        owed_cents=state.owed(name),
        last_net_cents=None if own is None else own.net_cents,
        frozen=state.frozen_at_ms is not None,
    )


def _wagers(state: TableState, name: str) -> WagersShown:
    station, coup = state.stations[name], state.coup
    return WagersShown(
        on_layout=state.purse(name).layout,
        sealed=coup is not None and name in coup.sealed,
        remembered=station.last_wagers,
        undos=len(station.undo),
    )


def own_settlement(public: Public, name: str) -> Settled | None:
    """The present patron's part of the newest settled coup; a previous patron's wagers are not shown."""
    state, played = public.state, public.card.newest
    if played is None or name not in played.settlements or played.controls[name] != state.stations[name].control:
        return None
    titles = played.terms.bets
    lines = tuple(_line(public.rulings[one.bet].name, titles[one.bet].title, one) for one in played.settlements[name])
    net = 0 if played.invalid else sum(line.net_cents for line in lines)
    return Settled(played.coup, lines, net, played.invalid)


@lru_cache(maxsize=4096)
def _line(name: str, title: str, one: Settlement) -> WagerLine:
    """Cached, since many patrons have the same wager on the same bet."""
    code = {Outcome.WIN: "wager_won", Outcome.LOSE: "wager_lost", Outcome.PUSH: "wager_returned"}[one.outcome]
    why = say(
        code,
        one.clause,
        bet=one.bet,
        title=title,
        name=name,
        stake_cents=one.stake_cents,
        gross_cents=one.gross_cents,
        commission_cents=one.commission_cents,
        net_cents=one.net_cents,
    )
    return WagerLine(
        *(one.bet, title, name, one.stake_cents, one.outcome.value),
        *(one.gross_cents, one.commission_cents, one.net_cents, why),
    )
