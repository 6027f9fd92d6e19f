"""Excerpts hold what was asked for, and tell it in words with the money that moved."""

import asyncio

import pytest

from sabot.audit.excerpt import ExcerptFilter, ExcerptLine, check_there, excerpt, facts_of
from sabot.audit.gaming_days import gaming_day
from sabot.audit.record_story import moves, tell
from sabot.audit.stats import stats
from sabot.basics.mistake import Mistake
from sabot.journal.memory import MemoryJournal
from sabot.ledger.account import chip_account
from tests.audit.forgery import TABLE
from tests.floor.nights import Night, played

DAY_MS = 86_400_000


@pytest.fixture(scope="module")
def night() -> tuple[MemoryJournal, Night]:
    return played()


Played = tuple[MemoryJournal, Night]


def lines(journal: MemoryJournal, wanted: ExcerptFilter, stream: str = TABLE) -> list[ExcerptLine]:
    async def collected() -> list[ExcerptLine]:
        return [line async for line in excerpt(journal, stream, wanted)]

    return asyncio.run(collected())


def test_a_coup_has_its_wagers_its_cards_its_settlement_and_its_correction(night: Played) -> None:
    told = [tell(line) for line in lines(night[0], ExcerptFilter(coup=1))]
    verbs = [one.verb for one in told]
    assert verbs[:5] == ["open", "set_wager", "set_wager", "set_wager", "set_wager"]
    assert {"close", "card", "confirm", "correct", "recalculate"} <= set(verbs)
    sentences = "\n".join(sentence for one in told for sentence in one.sentences)
    assert "Coup 1 is settled" in sentences
    assert "refused: dragon_tails is not offered at this table (CROWN 10.1)" in sentences
    settled = next(one for one in told if one.verb == "confirm")
    assert {posting.clause.partition(" ")[0] for posting in settled.postings} == {"CROWN"}


def test_what_follows_a_correction_belongs_to_the_newest_coup(night: Played) -> None:
    opened = [line for line in lines(night[0], ExcerptFilter()) if line.verb == "set_wager"]
    assert [line.coup for line in opened] == [1] * 4 + [2] * 4 + [3] * 4


def test_a_stations_postings_add_up_to_its_account(night: Played) -> None:
    journal, played_night = night
    for station in ("A1", "A2", "A3", "R1"):
        of_station = lines(journal, ExcerptFilter(station=station))
        assert balance_of(station, of_station) == played_night.state.purse(station).balance
        assert all(
            station in f"{one.debit} {one.credit}" for line in of_station for one in tell(line, station).postings
        )
    assert balance_of("A1", lines(journal, ExcerptFilter())) == played_night.state.purse("A1").balance


def balance_of(station: str, of_lines: list[ExcerptLine]) -> int:
    """What these records did to a station's chip account, in cents."""
    account = str(chip_account(station))
    return sum(
        one.cents * ((one.credit == account) - (one.debit == account)) for line in of_lines for one in moves(line)
    )


def test_a_period_begins_with_its_first_moment_and_ends_before_its_last(night: Played) -> None:
    every = lines(night[0], ExcerptFilter())
    moment = next(line.at_ms for line in every if line.coup == 2)
    before, after = lines(night[0], ExcerptFilter(to_ms=moment)), lines(night[0], ExcerptFilter(from_ms=moment))
    assert len(before) + len(after) == len(every)
    assert min(line.at_ms for line in after) == moment


def test_a_gaming_day_begins_at_the_casinos_own_hour_also_when_the_clocks_change() -> None:
    where = ("Australia/Melbourne", "06:00")
    begins, ends = gaming_day("2026-04-04", *where)  # In Melbourne the clocks go back in this night.
    assert ends - begins == 25 * 3_600_000
    begins, ends = gaming_day("2026-07-01", *where)
    assert ends - begins == DAY_MS
    assert begins % DAY_MS == 20 * 3_600_000  # Six in the morning, ten hours ahead of UTC.
    for written in ("yesterday", "9999-12-31"):
        with pytest.raises(Mistake, match="is not a day"):
            gaming_day(written, *where)


def test_a_station_or_a_coup_that_is_not_there_is_refused_by_name(night: Played) -> None:
    facts = asyncio.run(facts_of(night[0], "T1"))
    assert facts.coups == 3
    with pytest.raises(Mistake, match="no coup 4 at table T1; it has played 3"):
        check_there(facts, "T1", ExcerptFilter(coup=4))
    with pytest.raises(Mistake, match="no station 'B7' at table T1; there are A1, A2"):
        check_there(facts, "T1", ExcerptFilter(station="B7"))
    with pytest.raises(Mistake, match="no table 'T9'"):
        asyncio.run(facts_of(night[0], "T9"))


def test_the_figures_are_those_of_the_meters(night: Played) -> None:
    journal, played_night = night
    state = played_night.state
    found = asyncio.run(stats(journal, TABLE, ExcerptFilter()))
    assert found.coups == 3
    assert found.turnover_cents == sum(meters.wagered for meters in state.meters.values())
    assert found.commission_cents == sum(meters.commission for meters in state.meters.values())
    assert found.came_in_cents == sum(sum(meters.came_in.values()) for meters in state.meters.values())
    assert found.refusals["not_offered"] == 3
    assert found.records == len(lines(journal, ExcerptFilter()))
    assert found.accepted + found.refused == found.records - 2  # The owner's taking, and what it runs.


def test_the_house_has_its_own_story(night: Played) -> None:
    told = [sentence for line in lines(night[0], ExcerptFilter(), "house") for sentence in tell(line).sentences]
    assert any("redeems ticket" in sentence for sentence in told)
    assert any(sentence.startswith("refused: ticket") for sentence in told)
    assert not [one for line in lines(night[0], ExcerptFilter(), "house") for one in moves(line)]
