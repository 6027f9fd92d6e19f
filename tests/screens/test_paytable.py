"""What a touch on the name of a bet tells: when it wins, what it pays, and the exact odds of this table."""

from fractions import Fraction
from pathlib import Path

from playwright.async_api import Browser, Page, expect

from tests.cli.sabot import sabot
from tests.runtime.floors import table_for
from tests.screens.live_floor import SHOE, live_floor
from tests.screens.scene import DESK, area, choose_language, expect_purse, scene_on, small_targets, violations
from tests.screens.stage import Stage

BALANCE = 100_000
EDGES = {"en": "House edge", "zh": "赌场优势", "zh-Hant": "賭場優勢"}


def _percent(fraction: str) -> str:
    """To four decimals, halves up; no figure of these rule sets is below zero."""
    units = Fraction(fraction) * 1_000_000 + Fraction(1, 2)
    whole = units.numerator // units.denominator
    return f"{whole // 10_000}.{whole % 10_000:04}%"


async def _open_sheet(page: Page, bet: str) -> None:
    # Names can be touched on areas that take no chips, too, which count as disabled.
    await page.locator(f"[data-name-of={bet}]").tap(force=True)
    await expect(page.locator(f"[data-sheet-of={bet}] [data-figure=house_edge]")).to_be_visible()


async def _close_sheet(page: Page) -> None:
    await page.keyboard.press("Escape")
    await expect(page.locator("dialog")).to_have_count(0)


def test_a_touch_on_a_name_lays_no_chip_and_tells_what_the_command_works_out(tmp_path: Path, chromium: Stage) -> None:
    odds = sabot("odds", "crown-baccarat", "--json").json["bets"]
    with live_floor(table_for("crown-baccarat", stations=1, period_ms=120_000), tmp_path) as floor:

        async def play(browser: Browser) -> None:
            async with scene_on(browser, floor) as scene:
                page = await scene.open("station", "A1", viewport=DESK)
                await _open_sheet(page, "banker")  # While no chip can be laid.
                await expect(page.locator("[data-line] td")).to_have_text(
                    [
                        *("Banker wins with 6", "1 to 1, less 50% commission", "Banker wins", "1 to 1"),
                        *("Tie", "the wager comes back", "Otherwise", "loses"),
                    ]
                )
                edge = page.locator("[data-figure=house_edge]")
                await expect(edge).to_have_text(_percent(odds["banker"]["house_edge"]))
                assert await violations(page) == []
                assert await small_targets(page, 48) == []
                await _close_sheet(page)
                await scene.deal(*SHOE, {"do": "buy_in", "station": "A1", "cents": BALANCE}, {"do": "open"})
                await expect(area(page, "tie")).to_be_enabled()
                for bet in ("tie", "player_pair", "super_6", "banker_dragon_bonus"):
                    await _open_sheet(page, bet)
                    for figure, key in {"chance_win": "win", "chance_lose": "lose", "house_edge": "house_edge"}.items():
                        exact = odds[bet][key]
                        await expect(page.locator(f"[data-figure={figure}]")).to_have_text(_percent(exact))
                        await expect(page.locator(f"[data-exact={figure}]")).to_have_text(exact)
                    await _close_sheet(page)
                await expect_purse(page, BALANCE, 0)
                assert floor.state.purse("A1").layout == {}
                for code, name in EDGES.items():
                    await choose_language(page, code)
                    await _open_sheet(page, "banker")
                    await expect(page.locator(".edge dt")).to_have_text(name)
                    await _close_sheet(page)
                await choose_language(page, "en")
                await area(page, "player").focus()
                await page.keyboard.press("i")
                await expect(page.locator("[data-one-in=chance_win]")).to_have_text("1 in 2.24")
                await _close_sheet(page)

        chromium.play(play)
