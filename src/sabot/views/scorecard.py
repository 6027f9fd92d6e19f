"""The scorecard: what screens show of a table beside its state.

A table's state holds what the rules need. Screens also show the roads, how the last coup ended, what was returned and
why, the receipt for a seal, and the last coups step by step. All of it is folded from the records, one after the other;
a card is immutable. `Scorecard.of` makes what follows from a state alone, and folding the records of the last coups
over it restores the rest.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from sabot.basics.growing_list import GrowingList
from sabot.basics.role import Role
from sabot.basics.stamp import Stamp
from sabot.roads.result import CoupResult
from sabot.roads.roads import Roads
from sabot.rules.cards import CARDS
from sabot.rules.coup import read_coup
from sabot.table import acts
from sabot.table import events as e
from sabot.table.coup.seal import Receipt, receipts
from sabot.table.refusal import Refused
from sabot.table.state import Played, TableState
from sabot.views.message import ScreenMessage, TimedMessage, cut, say
from sabot.views.payments import PAYING, PaymentMade, with_payment
from sabot.views.story import Happened, Steps, Story, TouchInShort, in_short, shortened

KEPT_COUPS = 10
KEPT_ALARMS = 20
KEPT_ANSWERS = 10
"""Of each patron's queries."""
GIVEN_BACK_MS = 30_000
"""How long a station shows why it did not take a note, a ticket or a player card."""
ALARMING = frozenset({"notice_too_short"})
"""Refusals that the console shows as alarms without a fault of a device: attempts at what the law forbids (CROWN 5)."""


class Decided(msgspec.Struct, frozen=True, gc=False):
    """The newest result, shown until the next."""

    coup: int
    shoe: int
    cards: tuple[str, ...]
    dummy: bool = False
    corrected: bool = False
    invalid: bool = False


class UncountedCoups(msgspec.Struct, frozen=True, gc=False):
    """Coups of the shoe that the roads do not show."""

    void: int = 0
    dummy: int = 0


class PutRight(msgspec.Struct, frozen=True, gc=False):
    """The last correction of a settled coup, until the next one opens."""

    coup: int
    message: ScreenMessage
    adjustments: Mapping[str, e.Adjustment]


class Alarm(msgspec.Struct, frozen=True, gc=False):
    at_ms: int | None
    """When an attempt was refused; None of what holds now, since no state keeps when it began."""
    by: str
    message: ScreenMessage


class Touch(msgspec.Struct, frozen=True, gc=False):
    """A touch on a layout, and the table after it."""

    state: TableState
    at_ms: int
    event: e.WagersChanged


class Scorecard(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    shoe: int = 0
    results: GrowingList[tuple[int, CoupResult]] = GrowingList()
    """The coups of this shoe that count, by number."""
    roads: Roads = Roads()
    tally: UncountedCoups = UncountedCoups()
    before_resolution: UncountedCoups | None = None
    """The tally before the newest resolution of a fact."""
    newest: Played | None = None
    """The newest settled coup, as it stands now."""
    decided: Decided | None = None
    ended: ScreenMessage | None = None
    """The message that the previous coup was void, until the next opens."""
    sealed_coup: int = 0
    root: str = ""
    closed_by: str = ""
    receipts: Mapping[str, Receipt] = {}
    returned: Mapping[str, tuple[ScreenMessage, ...]] = {}
    """What was returned to each station in this coup, and why."""
    put_right: PutRight | None = None
    tickets: Mapping[str, str] = {}
    """The number of the ticket that a station issued last, until it has a new patron."""
    printer_faults: Mapping[str, str] = {}
    """Why the last ticket of a station was not printed, until it issues the next."""
    given_back: Mapping[str, TimedMessage] = {}
    """Why a station gave the last note or ticket back, or did not take a player card, until the next is taken."""
    answers: Mapping[str, tuple[ScreenMessage, ...]] = {}
    """The decisions on the queries of each station's present patron."""
    alarms: tuple[Alarm, ...] = ()
    payments: tuple[PaymentMade, ...] = ()
    stories: tuple[Story, ...] = ()
    happened: int = 0
    since: Mapping[str, int] = {}
    """The number of the first event of each station's present patron."""

    @staticmethod
    def of(state: TableState) -> "Scorecard":
        """The card as far as it follows from a state alone."""
        by_coup = {played.coup: played for played in state.played}
        newest = by_coup[max(by_coup)] if by_coup else None
        counting = [(coup, one) for coup, one in sorted(by_coup.items()) if one.shoe == state.shoe.number]
        card = Scorecard(shoe=state.shoe.number, newest=newest, decided=_decided_by(newest))
        for coup, played in counting:
            if not played.invalid:
                card = _scored(card, coup, played.cards)
        tickets = {one.station: number for number, one in state.tickets.items()}
        open_now = {name for name, station in state.stations.items() if station.is_open}
        return replace(card, tickets={name: number for name, number in tickets.items() if name not in open_now})

    def then(
        self, state: TableState, act: acts.Act | None, stamp: Stamp, decision: tuple[e.Event, ...] | Refused
    ) -> "Scorecard":
        """The card after one record; the state is the one that the record led to."""
        if isinstance(decision, Refused):
            return self._refused(state, act, stamp, decision)
        card = self
        for event in decision:
            note = _NOTED.get(type(event))
            if note is not None:
                card = note(card, state, event)
            if type(event) is e.WageringClosed:
                card = replace(card, receipts=_receipts(event, stamp))
            if type(event) in PAYING:
                card = replace(card, payments=with_payment(card.payments, state, event, stamp.at_ms))
            if type(event) in KEPT_IN_STORIES:
                card = _told(card, state, event, stamp.at_ms)
        return card

    def touched(self, touches: Sequence[Touch]) -> "Scorecard":
        """The card after touches on the layouts alone; the same as `then` for each of them, but faster."""
        number, stories, returned = self.happened, self.stories, self.returned
        steps = stories[-1].steps if stories else Steps()
        for touch in touches:
            number += 1
            event = touch.event
            station = event.station
            steps = steps.then(in_short(number, touch.at_ms, event, touch.state.purse(station)))
            messages = _could_not(event)
            if messages or station in returned:
                returned = {**returned, station: messages}
        if stories:
            stories = (*stories[:-1], replace(stories[-1], steps=steps))
        return replace(self, stories=stories, happened=number, returned=returned)

    def is_told_by(self, touches: Iterable[e.WagersChanged]) -> bool:
        """Whether a station is told by one of these touches what could not be laid, or is told so no more."""
        return any(one.returned or one.left_out or one.station in self.returned for one in touches)

    def _refused(self, state: TableState, act: acts.Act | None, stamp: Stamp, refusal: Refused) -> "Scorecard":
        card = self
        if isinstance(act, acts.Note | acts.InsertTicket | acts.ReadPlayerCard) and stamp.role is Role.STATION:
            back = TimedMessage(stamp.at_ms, stamp.at_ms + GIVEN_BACK_MS, _gave_back(state, act, refusal))
            card = replace(self, given_back={**self.given_back, stamp.by: back})
        if refusal.alarm is None and refusal.code not in ALARMING:
            return card
        message = ScreenMessage(refusal.code, cut(refusal.alarm or refusal.text), refusal.clause)
        alarms = (*card.alarms, Alarm(stamp.at_ms, stamp.by, message))[-KEPT_ALARMS:]
        return replace(card, alarms=alarms)


def _gave_back(
    state: TableState, act: acts.Note | acts.InsertTicket | acts.ReadPlayerCard, refusal: Refused
) -> ScreenMessage:
    """With the refusal's own figures, so that every language can say it."""
    zone = state.configuration.time_zone
    why = {**refusal.values, "refusal": refusal.code, "said": refusal.text}
    if isinstance(act, acts.Note):
        return say("note_given_back", refusal.clause, zone, note_cents=act.cents, **why)
    code = "ticket_given_back" if isinstance(act, acts.InsertTicket) else "card_not_taken"
    return say(code, refusal.clause, zone, **why)


def _decided_by(played: Played | None) -> Decided | None:
    if played is None:
        return None
    return Decided(played.coup, played.shoe, played.cards, invalid=played.invalid)


def _scored(card: Scorecard, coup: int, cards: tuple[str, ...]) -> Scorecard:
    result = CoupResult.of(read_coup([CARDS[notation] for notation in cards]))
    return replace(card, results=card.results.then((coup, result)), roads=card.roads.then(result))


def _told(card: Scorecard, state: TableState, event: e.Event, at_ms: int) -> Scorecard:
    """Add an event to the story of its coup if that is kept, otherwise to the newest."""
    number = card.happened + 1
    stories, step = card.stories, _step(number, at_ms, event, state)
    if isinstance(event, e.WageringOpened | e.DummyCoupDeclared) and (not stories or stories[-1].coup != event.coup):
        over = (*stories[:-1], shortened(stories[-1])) if stories else ()
        stories = (*over, Story(event.coup, state.shoe.number))[-KEPT_COUPS:]
    about = getattr(event, "coup", stories[-1].coup if stories else 0)
    stories = tuple(replace(one, steps=one.steps.then(step)) if one.coup == about else one for one in stories)
    return replace(card, stories=stories, happened=number)


def _step(number: int, at_ms: int, event: e.Event, state: TableState) -> Happened | TouchInShort:
    if isinstance(event, e.WagersChanged):
        return in_short(number, at_ms, event, state.purse(event.station))
    station = getattr(event, "station", None)
    return Happened(number, at_ms, event, state.ledger.purses if station is None else {station: state.purse(station)})


def _shuffled(card: Scorecard, state: TableState, event: e.CardsShuffled) -> Scorecard:  # noqa: ARG001
    return replace(card, shoe=event.shoe, results=GrowingList(), roads=Roads(), tally=UncountedCoups())


def _opened(card: Scorecard, state: TableState, event: e.WageringOpened) -> Scorecard:  # noqa: ARG001
    return replace(card, ended=None, returned={}, put_right=None)


def _wagers_changed(card: Scorecard, state: TableState, event: e.WagersChanged) -> Scorecard:  # noqa: ARG001
    """What a touch could not do is shown until the next touch."""
    messages = _could_not(event)
    if not messages and event.station not in card.returned:
        return card
    return replace(card, returned={**card.returned, event.station: messages})


def _could_not(event: e.WagersChanged) -> tuple[ScreenMessage, ...]:
    if not event.returned and not event.left_out:
        return ()
    return (
        *(say("returned_unqualified", clause, bet=bet) for bet, clause in event.returned.items()),
        *(say("left_out", event.clause, bet=bet, why=why) for bet, why in event.left_out.items()),
    )


def _closed(card: Scorecard, state: TableState, event: e.WageringClosed) -> Scorecard:  # noqa: ARG001
    returned = dict(card.returned)
    for station, refunds in event.refunds.items():
        returned[station] = tuple(
            say("returned_at_close", refund.clause, total_cents=sum(refund.wagers.values()), why=refund.reason)
            for refund in refunds
        )
    return replace(card, sealed_coup=event.coup, root=event.root, closed_by=event.closed_by, returned=returned)


def _voided(card: Scorecard, state: TableState, event: e.CoupVoided) -> Scorecard:  # noqa: ARG001
    message = say("void_coup", event.clause, coup=event.coup, why=event.reason)
    tally = replace(card.tally, void=card.tally.void + 1)
    return replace(card, ended=message, tally=tally, returned=_refunded(card, event.refunds, event.clause))


def _dummy(card: Scorecard, state: TableState, event: e.DummyCoupDeclared) -> Scorecard:  # noqa: ARG001
    tally = replace(card.tally, dummy=card.tally.dummy + 1)
    return replace(card, tally=tally, ended=None, returned=_refunded(card, event.refunds, event.refund_clause))


def _refunded(
    card: Scorecard, refunds: Mapping[str, Mapping[Any, int]], clause: str
) -> Mapping[str, tuple[ScreenMessage, ...]]:
    back = {name: (say("refunded", clause, total_cents=sum(wagers.values())),) for name, wagers in refunds.items()}
    return {**card.returned, **back}


def _resolved(card: Scorecard, state: TableState, event: e.FactResolved) -> Scorecard:  # noqa: ARG001
    return replace(card, before_resolution=card.tally)


def _unresolved(card: Scorecard, state: TableState, event: e.ResolutionTakenBack) -> Scorecard:
    """The coup goes on as before; a settled one that counts again is on the roads again."""
    tally = card.before_resolution or card.tally
    card = replace(card, tally=tally, ended=None, returned={}, put_right=None, before_resolution=None)
    if event.restored is None:
        return card
    played = _played(state, event.restored)
    card = replace(card, newest=played, decided=_decided_by(played))
    return _scored(card, played.coup, played.cards)


def _taken_back(card: Scorecard, state: TableState, event: e.CardTakenBack) -> Scorecard:
    """A dummy coup that only this card made one is none."""
    dummies = state.terms.rule_set.voids.dummy_coup is not None
    if event.cards or event.dummy or not dummies or state.coup is None or state.coup.sealed:
        return card
    return replace(card, tally=replace(card.tally, dummy=card.tally.dummy - 1))


def _wagers_voided(card: Scorecard, state: TableState, event: e.WagersVoided) -> Scorecard:  # noqa: ARG001
    return replace(card, returned=_refunded(card, {event.station: event.wagers}, event.clause))


def _coup_decided(card: Scorecard, state: TableState, event: e.CoupDecided) -> Scorecard:  # noqa: ARG001
    decided = Decided(event.coup, event.shoe, event.cards, dummy=event.dummy)
    card = replace(card, decided=decided, ended=None)
    return card if event.dummy else _scored(card, event.coup, event.cards)


def _settled(card: Scorecard, state: TableState, event: e.WagersSettled) -> Scorecard:
    return replace(card, newest=_played(state, event.coup))


def _recalculated(card: Scorecard, state: TableState, event: e.CoupRecalculated) -> Scorecard:
    message = say("recalculated", event.clause, coup=event.coup)
    return _put_right(card, state, event.coup, message, event.adjustments)


def _invalidated(card: Scorecard, state: TableState, event: e.CoupInvalidated) -> Scorecard:
    message = say("coup_invalid", event.clause, coup=event.coup, why=event.reason)
    return _put_right(card, state, event.coup, message, event.adjustments)


def _reversed(card: Scorecard, state: TableState, event: e.WagersReversed) -> Scorecard:
    message = say("wagers_reversed", event.clause, coup=event.coup)
    return _put_right(card, state, event.coup, message, event.adjustments)


def _put_right(
    card: Scorecard, state: TableState, coup: int, message: ScreenMessage, adjustments: Mapping[str, e.Adjustment]
) -> Scorecard:
    """The roads are laid again from the corrected results; later coups stand as they are (CROWN 11.9)."""
    played = _played(state, coup)
    decided = card.decided
    if decided is not None and decided.coup == coup:
        corrected = decided.corrected or decided.cards != played.cards
        decided = replace(decided, cards=played.cards, corrected=corrected, invalid=played.invalid)
    newest = played if card.newest is None or card.newest.coup == coup else card.newest
    card = replace(card, decided=decided, newest=newest, put_right=PutRight(coup, message, adjustments))
    if played.shoe != card.shoe:
        return card
    result = CoupResult.of(read_coup([CARDS[notation] for notation in played.cards]))
    results: GrowingList[tuple[int, CoupResult]] = GrowingList()
    roads = Roads()
    for number, one in card.results:
        if number == coup and played.invalid:
            continue
        now = result if number == coup else one
        results, roads = results.then((number, now)), roads.then(now)
    return replace(card, results=results, roads=roads)


def _played(state: TableState, coup: int) -> Played:
    """The newest version of a coup, mostly the last one in the list."""
    return next(played for played in reversed(state.played) if played.coup == coup)


def _ticket(card: Scorecard, state: TableState, event: e.TicketIssued) -> Scorecard:  # noqa: ARG001
    faults = {name: fault for name, fault in card.printer_faults.items() if name != event.station}
    return replace(card, tickets={**card.tickets, event.station: event.ticket}, printer_faults=faults)


def _print_failed(card: Scorecard, state: TableState, event: e.PrintFailed) -> Scorecard:
    station = state.tickets[event.ticket].station
    return replace(card, printer_faults={**card.printer_faults, station: event.fault})


def _taken_in(card: Scorecard, state: TableState, event: e.NoteStacked | e.TicketCredited) -> Scorecard:  # noqa: ARG001
    if event.station not in card.given_back:
        return card
    return replace(card, given_back={name: one for name, one in card.given_back.items() if name != event.station})


def _account_opened(card: Scorecard, state: TableState, event: e.AccountOpened) -> Scorecard:  # noqa: ARG001
    """Remove what belongs to the previous patron."""
    name = event.station
    return replace(
        card,
        tickets={one: number for one, number in card.tickets.items() if one != name},
        returned={one: messages for one, messages in card.returned.items() if one != name},
        receipts={one: receipt for one, receipt in card.receipts.items() if one != name},
        given_back={one: message for one, message in card.given_back.items() if one != name},
        answers={one: messages for one, messages in card.answers.items() if one != name},
        since={**card.since, name: card.happened + 1},
    )


def _receipts(event: e.WageringClosed, stamp: Stamp) -> dict[str, Receipt]:
    """The salts are those of the act that closed the wagering; the table itself does not keep them."""
    return receipts(event.sealed, stamp.salts)


def _claim_decided(card: Scorecard, state: TableState, event: e.ClaimDecided) -> Scorecard:
    if event.accepted:
        return _answered(card, state, event.case, say("query_accepted", event.clause, case=event.case, by=event.remedy))
    return _answered(card, state, event.case, say("query_rejected", event.clause, case=event.case, why=event.reason))


def _dispute_decided(card: Scorecard, state: TableState, event: e.DisputeDecided) -> Scorecard:
    message = say("dispute_decided", event.clause, case=event.case, decision=event.decision)
    return _answered(card, state, event.case, message)


def _answered(card: Scorecard, state: TableState, case: int, message: ScreenMessage) -> Scorecard:
    """The answer is for the patron of the case, and not for another who sits there now."""
    station = state.cases[case].station
    if not station or state.stations[station].control != state.cases[case].control:
        return card
    answers = (*card.answers.get(station, ()), message)[-KEPT_ANSWERS:]
    return replace(card, answers={**card.answers, station: answers})


_NOTED: dict[type[e.Event], Callable[[Scorecard, TableState, Any], Scorecard]] = {
    e.CardsShuffled: _shuffled,
    e.WageringOpened: _opened,
    e.WagersChanged: _wagers_changed,
    e.WageringClosed: _closed,
    e.CoupVoided: _voided,
    e.DummyCoupDeclared: _dummy,
    e.FactResolved: _resolved,
    e.ResolutionTakenBack: _unresolved,
    e.CardTakenBack: _taken_back,
    e.WagersVoided: _wagers_voided,
    e.CoupDecided: _coup_decided,
    e.WagersSettled: _settled,
    e.CoupRecalculated: _recalculated,
    e.CoupInvalidated: _invalidated,
    e.WagersReversed: _reversed,
    e.TicketIssued: _ticket,
    e.PrintFailed: _print_failed,
    e.NoteStacked: _taken_in,
    e.TicketCredited: _taken_in,
    e.AccountOpened: _account_opened,
    e.ClaimDecided: _claim_decided,
    e.DisputeDecided: _dispute_decided,
}
KEPT_IN_STORIES: frozenset[type[e.Event]] = frozenset(
    {
        *(e.AccountOpened, e.BoughtIn, e.NoteStacked, e.TicketCredited),
        *(e.LeaveAsked, e.BalanceHeld, e.PaidOut, e.TicketIssued),
        e.LeaveTakenBack,
        *(e.WageringOpened, e.WagersChanged, e.WageringClosed, e.CoupVoided, e.DummyCoupDeclared, e.WagersVoided),
        *(e.CardTakenBack, e.ResolutionTakenBack),
        *(e.CardDealt, e.CardAmended, e.CoupReconstructed, e.CoupDecided, e.WagersSettled),
        *(e.OutcomeCorrected, e.CoupRecalculated, e.CoupInvalidated, e.WagersReversed, e.OwedCollected),
        e.BuyInCorrected,
    }
)
