"""A simulated tournament comes to its end, whatever its conditions are."""

import msgspec
import pytest

from sabot.floor.contests.contest import Contest, ContestPlan
from sabot.tournament.conditions.parts import Conditions
from sabot.tournament.phase import TournamentPhase
from tests.tables import rows
from tests.tournament.changing import changed

ROWS = rows("tournament_contests.tsv")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['file']}: {row['change']}"[:90])
def test_the_books_of_a_simulated_tournament_are_closed(row: dict[str, str]) -> None:
    conditions = msgspec.convert(changed(row["file"], row["change"]), Conditions)
    contest = Contest(ContestPlan(conditions, int(row["players"]), int(row["seed"])))
    contest.play()
    books = contest.floor.house.ledger.books
    owed = {str(account): cents for account, cents in books.items() if account.station == contest.name and cents}
    assert contest.state.phase is TournamentPhase.CLOSED
    assert {name.partition(":")[0] for name in owed} <= {"fee_income", "tournament_win", "added_prizes"}, owed
