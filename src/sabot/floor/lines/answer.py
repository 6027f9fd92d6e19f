"""What a line is answered: everything that happened, and where the table stands now."""

from collections.abc import Collection

import msgspec

from sabot.floor.lines.tournament_figures import SlipFigures, StandingLine, TournamentFigures
from sabot.floor.sentences import told
from sabot.ledger.audit import Disagreement, disagreements
from sabot.ledger.meters import Meters
from sabot.rules.coup import next_card
from sabot.rules.hand import Side
from sabot.rules.rule_set import Bet
from sabot.table.events import FactStated, ResolutionTakenBack
from sabot.table.faults.records import OnRecord, confirmation_list
from sabot.table.irregularities.deciding import Resolution, resolutions
from sabot.table.phase import Phase
from sabot.table.refusal import Refused
from sabot.table.state import TableState
from sabot.tournament.phase import TournamentPhase


class NextCard(msgspec.Struct, frozen=True):
    hand: Side
    reason: str


class LineAnswer(msgspec.Struct, frozen=True):
    n: int
    ok: bool
    refusal: Refused | None
    events: tuple[object, ...]
    """The table's events, and the house's where the line concerned it."""
    phase: Phase
    balances: dict[str, int]
    layout: dict[str, dict[Bet, int]]
    held: dict[str, int]
    owed: dict[str, int]
    next: NextCard | None
    deadline_ms: int | None
    payable: dict[str, dict[int, int]]
    """What is payable to patrons who have left, by station and control session."""
    sentences: list[str]
    """The events in plain words."""
    resolutions: list[Resolution] | msgspec.UnsetType = msgspec.UNSET
    """The lawful resolutions of a fact, in the answer to the line that stated it or made it stand again."""
    confirmation: list[OnRecord] | msgspec.UnsetType = msgspec.UNSET
    """The wagers to confirm from the records after a failure, as long as there are any."""
    disagreements: tuple[Disagreement, ...] | msgspec.UnsetType = msgspec.UNSET
    """What disagrees in the books, as long as the table is locked."""
    ledger: dict[str, int] | msgspec.UnsetType = msgspec.UNSET
    """Every account's balance, for a line that asks to be shown the ledger."""
    meters: dict[str, Meters] | msgspec.UnsetType = msgspec.UNSET
    """Every station's meters, for a line that asks for them."""
    table: str | msgspec.UnsetType = msgspec.UNSET
    """The table that the answer is of, where there are several."""
    tournament: TournamentFigures | msgspec.UnsetType = msgspec.UNSET
    """A tournament's figures, for a line that asks for them; so are those below."""
    standing: dict[str, list[StandingLine]] | msgspec.UnsetType = msgspec.UNSET
    """By round."""
    slips: dict[str, SlipFigures] | msgspec.UnsetType = msgspec.UNSET
    books: dict[str, int] | msgspec.UnsetType = msgspec.UNSET
    """The cage, and the house's accounts of the tournament, in cents."""
    tournament_phase: TournamentPhase | msgspec.UnsetType = msgspec.UNSET
    """Of the tournament that the line was said to."""


def answer_of(
    state: TableState,
    n: int,
    events: tuple[object, ...] = (),
    refusal: Refused | None = None,
    show: Collection[str] = (),
) -> LineAnswer:
    cards = state.coup.cards if state.coup else None
    stated = any(isinstance(event, FactStated | ResolutionTakenBack) for event in events)
    due = next_card(cards) if cards is not None and state.phase is not Phase.WAGERING else None
    purses = {name: state.purse(name) for name in state.stations}
    return LineAnswer(
        n=n,
        ok=refusal is None,
        refusal=refusal,
        events=events,
        sentences=[told(event) for event in events],
        phase=state.phase,
        balances={name: purse.balance for name, purse in purses.items()},
        layout={name: dict(purse.layout) for name, purse in purses.items() if purse.layout},
        held={name: purse.held for name, purse in purses.items() if purse.held},
        owed={name: owed for name in state.stations if (owed := state.owed(name))},
        payable={name: waiting for name in state.stations if (waiting := state.payable(name))},
        next=None if due is None else NextCard(due.side, due.reason),
        deadline_ms=state.coup.deadline_ms if state.coup and state.phase is Phase.WAGERING else None,
        resolutions=resolutions(state, state.fact) if state.fact and stated else msgspec.UNSET,
        confirmation=confirmation_list(state) or msgspec.UNSET,
        disagreements=disagreements(state.ledger, state.meters) if state.locked else msgspec.UNSET,
        ledger=_ledger(state) if "ledger" in show else msgspec.UNSET,
        meters=dict(state.meters) if "meters" in show else msgspec.UNSET,
    )


def _ledger(state: TableState) -> dict[str, int]:
    """The house's own accounts, and what lies in every purse."""
    books = {str(account): cents for account, cents in state.ledger.books.items()}
    for name, purse in state.ledger.purses.items():
        books |= {f"station:{name}": purse.balance, f"held:{name}": purse.held}
        books |= {f"layout:{name}:{bet}": cents for bet, cents in purse.layout.items()}
    return books
