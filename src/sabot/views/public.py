"""The sections that every viewer of a table may see: made once for a state and shared by all views.

A section is made again only when one of its sources is another object, since states and scorecards are immutable values
that share unchanged parts. So a touch at one station costs the public part next to nothing.
"""

from collections.abc import Callable, Mapping
from operator import is_
from typing import Any

import msgspec

from sabot.rules.cards import CARDS
from sabot.rules.coup import read_coup
from sabot.rules.rule_set import Bet
from sabot.rules.terms import Ruling
from sabot.table.phase import Phase
from sabot.table.state import Played, TableState
from sabot.views.actions import ground_of
from sabot.views.coup_shown import Cards, ResultShown, cards_of, result_of
from sabot.views.message import ScreenMessage
from sabot.views.notices import announcement_of, is_last, notices_of
from sabot.views.rules_text import RulesText, rules_text
from sabot.views.score import RoadsShown, ShoeShown, roads_shown, shoe_shown
from sabot.views.scorecard import Scorecard
from sabot.views.table import Table, table_of
from sabot.views.table_session import TableSession, session_shown
from sabot.views.tournament_board import TournamentBoard


class PhaseShown(msgspec.Struct, frozen=True):
    phase: str
    coup: int
    """The number of the newest coup, open or decided."""
    shoe: int
    announcement: ScreenMessage | None
    """The words that opened or closed the wagering, as the rule set has them."""
    dummy: bool
    last_of_shoe: bool
    frozen: bool
    locked: bool
    awaits_confirmation: bool


class Clock(msgspec.Struct, frozen=True, eq=False):
    """The time, and what is left of the wagering period.

    Passing time is no change, since a screen counts down by itself. So two clocks are equal if they have the same
    deadline, and it has passed for both or for neither.
    """

    at_ms: int
    deadline_ms: int | None
    remaining_ms: int | None
    period_ms: int
    stands_still: bool
    """Whether a freeze holds the countdown (G-90)."""
    countdown_clause: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Clock) and self._kept == other._kept

    def __ne__(self, other: object) -> bool:  # A struct's own comparison includes the times.
        return not self == other

    def __hash__(self) -> int:
        return hash(self._kept)

    @property
    def _kept(self) -> tuple[object, ...]:
        return self.deadline_ms, self.remaining_ms == 0, self.period_ms, self.stands_still, self.countdown_clause


class Seal(msgspec.Struct, frozen=True):
    """The public seal over all wagers of the coup that was closed last. It is salted, so it does not reveal them."""

    coup: int
    root: str
    closed_by: str


class PublicSections(msgspec.Struct, frozen=True, kw_only=True):
    """What every screen of a table shows."""

    table: Table
    phase: PhaseShown
    clock: Clock
    cards: Cards | None
    result: ResultShown | None
    notices: tuple[ScreenMessage, ...]
    roads: RoadsShown
    shoe: ShoeShown
    seal: Seal | None
    session: TableSession | None
    """The tournament that the table is reserved for, and its session; nothing at a table that plays for money."""


class Public(PublicSections, frozen=True, kw_only=True, eq=False):
    """The shared sections, with the sources of each."""

    state: TableState
    card: Scorecard
    made_from: Mapping[str, tuple[object, ...]]
    rules: RulesText
    rulings: Mapping[Bet, Ruling]
    """How the newest settled coup decided every bet."""
    board: TournamentBoard | None
    """The leader board of that tournament, from its own stream."""
    ground: tuple[object, ...]
    """What all stations' own sections rest on beside what is told of each station."""


def public_view(
    state: TableState,
    card: Scorecard,
    at_ms: int,
    before: Public | None = None,
    board: TournamentBoard | None = None,
) -> Public:
    """The public sections of a configured table; those with unchanged sources are taken from `before`."""
    configuration, coup, shoe = state.configuration, state.coup, state.shoe
    table = (configuration, state.terms, state.limits, state.offered, state.aggregate_minimum, state.notices)
    phase = (coup, state.phase, state.coups, shoe, state.frozen_at_ms, state.locked, state.awaits_confirmation)
    made_from: dict[str, tuple[object, ...]] = {
        "table": table,
        "rules": (state.terms, state.offered, configuration),
        "phase": (*phase, state.terms),
        "cards": (coup, state.phase, state.terms),
        "result": (card.decided, state.terms),
        "notices": (*phase, state.notices, state.terms, card.ended, card.put_right),
        "roads": (card.roads,),
        "shoe": (shoe, card.results, card.tally),
        "seal": (card.root, card.sealed_coup),
        "rulings": (card.newest,),
        "session": (state.session, state.reserved, state.session and state.ledger, coup, board),
        "board": (board,),
    }
    makers: dict[str, Callable[[], object]] = {
        "table": lambda: table_of(state),
        "rules": lambda: rules_text(state),
        "phase": lambda: _phase(state),
        "cards": lambda: cards_of(state),
        "result": lambda: result_of(card.decided, state.terms.rule_set.confirmation.announced),
        "notices": lambda: notices_of(state, card),
        "roads": lambda: roads_shown(card.roads),
        "shoe": lambda: shoe_shown(shoe, card),
        "seal": lambda: Seal(card.sealed_coup, card.root, card.closed_by) if card.root else None,
        "rulings": lambda: _rulings(card.newest),
        "session": lambda: session_shown(state, board),
        "board": lambda: board,
    }
    sections: dict[str, Any] = {
        name: getattr(before, name)
        if before is not None and all(map(is_, before.made_from[name], sources))
        else makers[name]()
        for name, sources in made_from.items()
    }
    ground = (*ground_of(state), state.tickets, card.put_right, card.tickets, card.printer_faults)
    ground += (card.given_back, card.answers)
    return Public(state=state, card=card, made_from=made_from, clock=clock_of(state, at_ms), ground=ground, **sections)


def runs_on(clock: Clock, at_ms: int) -> bool:
    """Whether a clock is still the one to show, if nothing has happened but touches at a table without a session."""
    return clock.deadline_ms is None or clock.stands_still or clock.remaining_ms == 0 or at_ms < clock.deadline_ms


def differ(before: Public, after: Public) -> bool:
    """Whether what everybody sees is another than before; sections that stayed are the same objects."""
    return before.clock != after.clock or any(
        getattr(before, name) is not getattr(after, name) for name in after.made_from
    )


def shown_to_all(public: Public) -> dict[str, Any]:
    """The sections that a view takes over as they are."""
    return {name: getattr(public, name) for name in PublicSections.__struct_fields__}


def _phase(state: TableState) -> PhaseShown:
    coup = state.coup
    return PhaseShown(
        phase=state.phase.value,
        coup=state.coups,
        shoe=state.shoe.number,
        announcement=announcement_of(state),
        dummy=coup is not None and coup.dummy,
        last_of_shoe=is_last(state),
        frozen=state.frozen_at_ms is not None,
        locked=bool(state.locked),
        awaits_confirmation=state.awaits_confirmation,
    )


def clock_of(state: TableState, at_ms: int) -> Clock:
    deadline = state.coup.deadline_ms if state.coup is not None and state.phase is Phase.WAGERING else None
    counts_from = at_ms if state.frozen_at_ms is None else state.frozen_at_ms
    return Clock(
        at_ms=at_ms,
        deadline_ms=deadline,
        remaining_ms=None if deadline is None else max(0, deadline - counts_from),
        period_ms=state.period_ms,
        stands_still=deadline is not None and state.frozen_at_ms is not None,
        countdown_clause=state.terms.rule_set.wagering.period.countdown or "",
    )


def _rulings(newest: Played | None) -> Mapping[Bet, Ruling]:
    if newest is None:
        return {}
    return newest.terms.rulings(read_coup([CARDS[notation] for notation in newest.cards]))
