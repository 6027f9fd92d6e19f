"""Recall: the last coups at one station, step by step, each with the balance after it.

A patron sees the steps since their own account was opened; staff who examine a query may see all that are kept.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from sabot.basics.figures import Figure
from sabot.basics.money import write_amount
from sabot.ledger.ledger import EMPTY, Purse
from sabot.table import events as e
from sabot.views.message import ScreenMessage, say
from sabot.views.scorecard import Scorecard
from sabot.views.story import MOST_STEPS, Happened, Story, TouchInShort


class RecallStep(msgspec.Struct, frozen=True):
    at_ms: int
    what: ScreenMessage
    balance_cents: int
    wagered_cents: int
    held_cents: int


class RecalledCoup(msgspec.Struct, frozen=True):
    coup: int
    shoe: int
    steps: tuple[RecallStep, ...]


class Recall(msgspec.Struct, frozen=True):
    """Past coups; a screen that shows them marks them as past."""

    station: str
    coups: tuple[RecalledCoup, ...]
    """Newest last."""


def recall(card: Scorecard, station: str, *, whole: bool = False) -> Recall:
    """The coups that the card keeps, as one station saw them; with `whole` also those before its present patron."""
    since = 0 if whole else card.since.get(station, 0)
    coups = tuple(_recalled(story, station, since) for story in card.stories)
    return Recall(station, tuple(coup for coup in coups if coup.steps))


def _recalled(story: Story, station: str, since: int) -> RecalledCoup:
    """The story of a coup for one station; a step that does not touch its purse leaves it as it was."""
    steps, purse = [], EMPTY
    for happened in story.steps:
        if isinstance(happened, TouchInShort):
            if happened.station == station and happened.number >= since:
                steps.append(_touch(happened))
            continue
        purse = happened.purses.get(station, purse)
        if happened.number >= since and (what := _what(happened, station)) is not None:
            steps.append(_step(happened, what, purse))
    return RecalledCoup(story.coup, story.shoe, tuple(steps[-MOST_STEPS:]))


def _touch(touch: TouchInShort) -> RecallStep:
    what = say("recall_wagers", touch.clause, wagers=_layout(dict(touch.laid)))
    return RecallStep(touch.at_ms, what, touch.balance, touch.wagered, touch.held)


def _step(happened: Happened, what: ScreenMessage, purse: Purse) -> RecallStep:
    return RecallStep(happened.at_ms, what, purse.balance, purse.wagered, purse.held)


def _what(happened: Happened, station: str) -> ScreenMessage | None:
    """The message of the step for this station, or None where it concerns another station alone."""
    event = happened.event
    of = getattr(event, "station", None)
    if of is not None and of != station:
        return None
    return _TOLD[type(event)](event, station)


def _layout(wagers: Mapping[Any, int]) -> str:
    return ", ".join(f"{bet} {write_amount(cents)}" for bet, cents in wagers.items() if cents) or "nothing"


def _money(code: str) -> Callable[[Any, str], ScreenMessage]:
    return lambda event, _: say(code, event.clause, total_cents=event.cents)


def _cards(code: str) -> Callable[[Any, str], ScreenMessage]:
    return lambda event, _: say(code, event.clause, coup=event.coup, cards=" ".join(event.cards))


def _back(code: str) -> Callable[[Any, str], ScreenMessage]:
    def told(event: Any, station: str) -> ScreenMessage:
        back = sum(event.refunds.get(station, {}).values())
        return say(code, event.clause, coup=event.coup, total_cents=back)

    return told


def _adjusted(code: str) -> Callable[[Any, str], ScreenMessage]:
    def told(event: Any, station: str) -> ScreenMessage:
        adjustment = event.adjustments.get(station)
        change: Figure = adjustment.change_cents if adjustment else 0
        return say(code, event.clause, coup=event.coup, change_cents=change)

    return told


def _settled(event: e.WagersSettled, station: str) -> ScreenMessage:
    own = event.settlements.get(station, [])
    net = sum(one.net_cents for one in own)
    clauses = ", ".join(dict.fromkeys(str(one.clause) for one in own))
    return say("recall_settled", event.clause, coup=event.coup, net_cents=net, clauses=clauses)


def _closed(event: e.WageringClosed, station: str) -> ScreenMessage:
    own = event.sealed.get(station, {})
    return say("recall_closed", event.clause, coup=event.coup, closed_by=event.closed_by, wagers=_layout(own))


def _laid_again(event: e.ResolutionTakenBack, station: str) -> ScreenMessage:
    """What had come back to the patron's account by the resolution lies on the layout again, or is taken again."""
    change = sum(one.brings(station) for one in event.moved)
    return say("recall_unresolved", event.clause, change_cents=change)


_TOLD: dict[type[e.Event], Callable[[Any, str], ScreenMessage]] = {
    e.AccountOpened: lambda x, _: say("recall_account", x.clause),
    e.BoughtIn: _money("recall_bought_in"),
    e.NoteStacked: _money("recall_note"),
    e.TicketCredited: _money("recall_ticket_in"),
    e.LeaveAsked: lambda x, _: say("recall_leaving", x.clause, total_cents=x.held_cents),
    e.LeaveTakenBack: lambda x, _: say("recall_staying", x.clause, total_cents=x.cents),
    e.BalanceHeld: _money("recall_held"),
    e.PaidOut: _money("recall_paid"),
    e.TicketIssued: lambda x, _: say("recall_ticket", x.clause, ticket=x.ticket, total_cents=x.cents),
    e.WageringOpened: lambda x, _: say("recall_opened", x.clause, coup=x.coup),
    e.WageringClosed: _closed,
    e.CoupVoided: _back("recall_void"),
    e.DummyCoupDeclared: _back("recall_dummy"),
    e.WagersVoided: lambda x, _: say("recall_voided", x.clause, total_cents=sum(x.wagers.values())),
    e.CardDealt: lambda x, _: say("recall_card", x.clause, card=x.card, hand=x.hand),
    e.CardAmended: lambda x, _: say("recall_amended", x.clause, was=x.was, card=x.card),
    e.CardTakenBack: lambda x, _: say("recall_taken_back", x.clause, card=x.card),
    e.ResolutionTakenBack: _laid_again,
    e.CoupReconstructed: _cards("recall_reconstructed"),
    e.CoupDecided: lambda x, _: say("recall_decided", x.clause, coup=x.coup, result=x.announcement),
    e.WagersSettled: _settled,
    e.OutcomeCorrected: _cards("recall_corrected"),
    e.CoupRecalculated: _adjusted("recall_recalculated"),
    e.CoupInvalidated: _adjusted("recall_invalid"),
    e.WagersReversed: _adjusted("recall_reversed"),
    e.OwedCollected: _money("recall_collected"),
    e.BuyInCorrected: lambda x, _: say(
        "recall_buy_in_corrected", x.clause, was_cents=x.was_cents, total_cents=x.cents, reason=x.reason
    ),
}
RECALLED: frozenset[type[e.Event]] = frozenset({*_TOLD, e.WagersChanged})
"""The events that a recall shows."""
