"""The public notices of a table, the most important first."""

from collections.abc import Iterator

from sabot.table.phase import Phase
from sabot.table.state import NoticeKind, Scheduled, TableState
from sabot.views.message import ScreenMessage, say
from sabot.views.scorecard import Scorecard


def notices_of(state: TableState, card: Scorecard) -> tuple[ScreenMessage, ...]:
    return tuple(_notices(state, card))


def _notices(state: TableState, card: Scorecard) -> Iterator[ScreenMessage]:
    if state.locked:
        yield say("table_locked", state.cites("CROWN 1.6"), why=state.locked)
    if state.frozen_at_ms is not None:
        yield say("frozen", state.cites("CROWN 11.11"))
    if state.awaits_confirmation:
        yield say("malfunction", state.cites("CROWN 11.15(b)"))
    coup = state.coup
    if coup is not None and coup.dummy:
        yield say("dummy_coup", state.cites("CROWN 11.8.3"), coup=coup.number)
    if card.ended is not None:
        yield card.ended
    if card.put_right is not None:
        yield card.put_right.message
    if is_last(state):
        yield say("last_coup", state.cites("CROWN 3.9.3"))
    for notice in state.notices:
        yield _sign(notice, state)


def is_last(state: TableState) -> bool:
    """Whether the coup that is open or comes next is the last of the shoe (CROWN 3.9.3)."""
    last = state.shoe.last_coup
    if last is None or state.shoe.ended[0]:
        return False
    return last == state.coups if state.coup is not None else last == state.coups + 1


def _sign(notice: Scheduled, state: TableState) -> ScreenMessage:
    zone = state.configuration.time_zone
    if notice.kind is NoticeKind.CLOSURE:
        return say("closure", state.cites("CROWN 13.7"), zone, from_ms=notice.from_ms)
    clause = state.cites("CROWN 5 footnote s66(2)")
    if notice.kind is NoticeKind.AGGREGATE_MINIMUM or notice.bet is None:
        return say("aggregate_minimum_rises", clause, zone, from_ms=notice.from_ms, minimum_cents=notice.cents)
    known = state.terms.rule_set.bets.get(notice.bet)
    title = notice.bet if known is None else known.title
    figures = {"from_ms": notice.from_ms, "minimum_cents": notice.cents}
    return say("minimum_rises", clause, zone, bet=notice.bet, title=title, **figures)


def announcement_of(state: TableState) -> ScreenMessage | None:
    """The words that open or close the wagering, in the rule set's own form."""
    if state.coup is None or state.coup.dummy:
        return None
    wagering = state.terms.rule_set.wagering
    said = wagering.opens if state.phase is Phase.WAGERING else wagering.closes
    code = "place_your_bets" if state.phase is Phase.WAGERING else "no_more_bets"
    return say(code, said.clause, words=said.words)
