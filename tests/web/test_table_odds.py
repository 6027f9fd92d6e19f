"""The exact odds of a table over HTTP: the same figures as the command's, counted once."""

import asyncio
from pathlib import Path

import httpx
import msgspec

from sabot.rules import shipped
from sabot.rules.terms import Terms
from sabot.web.http.table_odds import TableOdds
from tests.cli.sabot import sabot
from tests.runtime.floors import PATIENCE_S, table_for
from tests.served.process import serving_live


def test_a_table_tells_anybody_the_odds_that_the_command_works_out_for_its_decks_and_options(tmp_path: Path) -> None:
    made = table_for("crown-traditional", stations=1, period_ms=30_000)
    table = msgspec.structs.replace(made, options={"dragon_bonus": 2, "perfect_pairs": 2})
    said = sabot("odds", "crown-traditional", "--dragon-bonus", "2", "--perfect-pairs", "2", "--json")
    with serving_live(tmp_path, table) as floor:
        asked = httpx.get(f"{floor.url}/api/tables/T1/odds", timeout=PATIENCE_S)
        assert asked.json() == said.json
        assert asked.json()["bets"]["player"]["house_edge"] == "241149546272/19524993263685"
        assert httpx.get(f"{floor.url}/api/tables/T9/odds", timeout=PATIENCE_S).status_code == httpx.codes.NOT_FOUND


def test_tables_that_play_by_the_same_terms_share_one_count() -> None:
    async def ask() -> None:
        odds = TableOdds()
        crown, like = (Terms(shipped.rule_set("crown-baccarat"), 6) for _ in range(2))
        first, second = await asyncio.gather(odds.of(crown), odds.of(like))
        assert first is second
        other = await odds.of(Terms(shipped.rule_set("crown-baccarat"), 8))
        assert other.bets["tie"].house_edge != first.bets["tie"].house_edge

    asyncio.run(ask())
