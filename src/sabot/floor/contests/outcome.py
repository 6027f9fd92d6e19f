"""What a simulated tournament came to, and the laws that every one must keep."""

import msgspec

from sabot.floor.lines.table import LineFloor
from sabot.floor.lines.tournament_figures import books_of
from sabot.ledger.account import AccountKind
from sabot.tournament.phase import TournamentPhase
from sabot.tournament.state import SlipStatus, TournamentState


class LawBroken(Exception):
    """A law of tournaments does not hold, or the program refused what must be lawful; one sentence."""


class PrizePlace(msgspec.Struct, frozen=True):
    place: int
    entrant: int
    cents: int
    text: dict[str, str]


class ContestOutcome(msgspec.Struct, frozen=True):
    seed: int
    entrants: int
    coups: int
    """Played at all tables together."""
    sessions_minutes: dict[str, list[float]]
    """How long the sessions of each round take on the floor."""
    prizes: list[PrizePlace]
    prizes_cents: int
    pool_cents: int
    house_adds_cents: int
    fee_income_cents: int
    win_cents: int
    """What the house won of the stakes of cash sessions."""
    house_cents: int
    """Fees and stakes won, less what the house added to the prizes."""
    books: dict[str, int]

    @property
    def minutes(self) -> float:
        """The sum over the sessions."""
        return sum(one for sessions in self.sessions_minutes.values() for one in sessions)


def outcome_of(
    floor: LineFloor, state: TournamentState, seed: int, coups: int, sessions_ms: dict[str, list[int]]
) -> ContestOutcome:
    check_laws(floor, state)
    books = books_of(state, floor.house)
    fees, win = books.get(AccountKind.FEE_INCOME, 0), books.get(AccountKind.TOURNAMENT_WIN, 0)
    added = books.get(AccountKind.ADDED_PRIZES, 0)
    return ContestOutcome(
        seed=seed,
        entrants=len(state.entrants),
        coups=coups,
        sessions_minutes={name: [ms / 60_000 for ms in taken] for name, taken in sessions_ms.items()},
        prizes=[PrizePlace(one.place, one.entrant, one.cents, dict(one.text)) for one in state.prizes],
        prizes_cents=sum(one.cents for one in state.prizes),
        pool_cents=state.pool_cents,
        house_adds_cents=state.house_adds_cents,
        fee_income_cents=fees,
        win_cents=win,
        house_cents=fees + win + added,
        books=books,
    )


def check_laws(floor: LineFloor, state: TournamentState) -> None:
    """The books balance, every slip is settled once, nothing is left in the pool, and no table holds credits."""
    if state.phase is not TournamentPhase.CLOSED:
        raise LawBroken(f"the tournament ends {state.phase.value}, not closed")
    if not floor.house.ledger.is_balanced:
        raise LawBroken("the house's ledger does not balance")
    books = books_of(state, floor.house)
    for kind in (AccountKind.PRIZE_POOL, AccountKind.STAKES, AccountKind.PAYOUTS):
        if books.get(kind, 0):
            raise LawBroken(f"{kind.value} holds {books[kind]} cents at the end")
    open_slips = [number for number, slip in state.slips.items() if slip.status is SlipStatus.RAISED]
    if open_slips:
        raise LawBroken(f"slips are open at the end: {', '.join(open_slips)}")
    taken = sum(one.cents for one in state.slips.values() if one.status is SlipStatus.TAKEN)
    paid = sum(one.cents for one in state.slips.values() if one.status is SlipStatus.PAID)
    if books.get(AccountKind.CAGE, 0) != taken - paid:
        raise LawBroken(f"the cage holds {books.get(AccountKind.CAGE, 0)} cents, and slips say {taken - paid}")
    for name, table in floor.tables.items():
        if table.state.session is not None or not table.state.ledger.is_balanced:
            raise LawBroken(f"table {name} is still in a session, or its ledger does not balance")
