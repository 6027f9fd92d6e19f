"""A station at several tables in a real browser: the list of tables, one in sight, and two side by side."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, Page, ViewportSize, WebSocketRoute, expect

from sabot.rules.rule_set import Bet
from tests.runtime.floors import table_for, until, wall_ms
from tests.screens.configurations import crown
from tests.screens.console_scene import floor_scene, show_who
from tests.screens.live_floor import SHOE, Line, LiveFloor, at_table, coup, live_floor
from tests.screens.measures import Size, flaws
from tests.screens.scene import (
    LANGUAGES,
    PHONE,
    TV,
    Scene,
    choose_language,
    foreign_words,
    overflow,
    scene_on,
    violations,
)
from tests.screens.stage import Stage
from tests.screens.test_tour import PRESCRIBED
from tests.served.process import serving_live

BALANCE, CHIP = 100_000, 2_500
PLACES = {"T1": "A1", "T2": "A3", "T3": "A2"}
TURNED, SMALL = ViewportSize(width=1080, height=1920), ViewportSize(width=1024, height=600)
SIGN: Line = {"do": "notice", "kind": "minimum", "bet": "banker", "cents": 5_000, "from_ms": wall_ms() + 31_536_000_000}
BANKER = ("2s", "3h", "3d", "3c", "Th")


def in_play(table: str, *more: Line) -> tuple[Line, ...]:
    return at_table(table, *SHOE, {"do": "buy_in", "station": PLACES[table], "cents": BALANCE}, *more)


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[LiveFloor]:
    tables = [table_for("crown-baccarat", period_ms=600_000, name=name) for name in PLACES]
    with live_floor(tables[0], tmp_path, *tables[1:]) as live:
        live.deal(*in_play("T1", {"do": "open"}), *in_play("T2", {"do": "open"}))
        yield live


class Terminal:
    """A page of a station at three tables, and its sockets by the table that each is for."""

    def __init__(self, page: Page, floor: LiveFloor) -> None:
        self.page, self._floor = page, floor
        self.sockets: dict[str, WebSocketRoute] = {}

    def through(self, route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def said(message: str | bytes) -> None:
            frame = json.loads(message)
            if frame["type"] == "prove":
                self.sockets[frame.get("table", "T1")] = route
            server.send(message)

        route.on_message(said)

    def tile(self, table: str) -> Locator:
        return self.page.locator(f"[data-tile={table}]")

    def tab(self, table: str) -> Locator:
        return self.page.locator(f"[data-tab={table}]")

    def pane(self, table: str) -> Locator:
        return self.page.locator(f"[data-pane={table}]")

    def area(self, table: str, bet: str) -> Locator:
        return self.pane(table).locator(f"[data-bet={bet}]")


@asynccontextmanager
async def terminal(
    scene: Scene, floor: LiveFloor, viewport: ViewportSize = TV, asked: str = ""
) -> AsyncIterator[Terminal]:
    code = await asyncio.to_thread(floor.invite_to, "S-17", PLACES)
    page = await scene.open_empty(viewport)
    shown = Terminal(page, floor)
    await page.route_web_socket("**/ws", shown.through)
    await page.goto(f"{floor.url}/station{asked}#invitation={code}")
    yield shown


def _shows_what_is_posted(floor: LiveFloor, table: str) -> bool:
    """Whether the table knows that its station here shows its sign, though the patron looks at another table."""
    (sign,) = floor.state_of(table).notices
    return sign.late.get(PLACES[table]) is not None


async def _purse(pane: Locator, balance: int, wagered: int) -> None:
    await expect(pane.locator(f"[data-wagered='{wagered}']")).to_be_visible()
    await expect(pane.locator(f"[data-balance='{balance}']")).to_be_visible()


def test_tables_are_chosen_from_a_list_that_says_what_the_patron_has_at_each(floor: LiveFloor, chromium: Stage) -> None:
    async def play(browser: Browser) -> None:
        async with scene_on(browser, floor) as scene, terminal(scene, floor) as shown:
            page = shown.page
            await expect(shown.tile("T1")).to_contain_text("Place your bets")
            await expect(shown.tile("T3")).to_contain_text("The table is closed")
            await expect(shown.tile("T3")).to_contain_text("No account here yet")
            for table in ("T1", "T2"):
                await expect(shown.tile(table).locator(f"[data-has='{BALANCE}']")).to_be_visible()
                await expect(shown.tile(table).locator("[data-left]")).to_be_visible()
            await expect(page.get_by_text("Each has an account of its own")).to_be_visible()
            assert await violations(page) == []
            await shown.tile("T2").tap()
            await expect(shown.pane("T2").locator("main[data-phase=wagering]")).to_be_visible()
            assert page.url.endswith("/station?tables=T2")
            await shown.area("T2", "banker").tap()
            await _purse(shown.pane("T2"), BALANCE - CHIP, CHIP)
            await expect(shown.tab("T1").locator(f"[data-has='{BALANCE}']")).to_be_visible()
            await shown.tab("T1").tap()
            await expect(shown.pane("T2")).to_have_count(0)
            staked = shown.tab("T2").locator(f"[data-staked='{CHIP}']")
            await expect(staked).to_have_text("25.00 on the layout")
            await expect(shown.tab("T2").locator("[data-left]")).to_be_visible()
            assert await violations(page) == []
            await scene.deal(*at_table("T2", SIGN))
            await expect(shown.tab("T2").locator("[data-notice=minimum_rises]")).to_contain_text("50.00")
            await expect(shown.tab("T2")).to_contain_text("Limits 25 to")
            await until(lambda: _shows_what_is_posted(floor, "T2"))
            await scene.deal(*at_table("T2", *coup(*BANKER)))
            await expect(staked).to_have_count(0)
            await page.locator("[data-lists]").tap()
            won = shown.tile("T2").locator("[data-has]")
            await expect(won).to_have_attribute("data-has", str(floor.state_of("T2").purse("A3").balance))
            await expect(shown.tile("T2").locator("[data-bead=B]")).to_have_count(1)

    chromium.play(play)


def test_two_tables_stand_side_by_side_and_chips_stay_at_their_own(floor: LiveFloor, chromium: Stage) -> None:
    async def play(browser: Browser) -> None:
        async with scene_on(browser, floor) as scene, terminal(scene, floor, asked="?tables=T1") as shown:
            page = shown.page
            await page.locator("[data-two]").tap()
            for table in ("T1", "T2"):
                await expect(shown.pane(table).locator("main[data-phase=wagering]")).to_be_visible()
            assert page.url.endswith("/station?tables=T1,T2")
            await shown.area("T1", "player").tap()
            await shown.area("T2", "banker").tap()
            await _purse(shown.pane("T1"), BALANCE - CHIP, CHIP)
            await _purse(shown.pane("T2"), BALANCE - CHIP, CHIP)
            left, right = [await shown.pane(table).bounding_box() for table in ("T1", "T2")]
            assert left is not None
            assert right is not None
            assert left["x"] + left["width"] <= right["x"] + 1
            assert left["y"] == right["y"]
            await _drag(page, shown.pane("T1").get_by_role("radio", name="Chip 100"), shown.area("T2", "player"))
            await shown.area("T1", "player").tap()
            await _purse(shown.pane("T1"), BALANCE - 2 * CHIP, 2 * CHIP)
            assert floor.state_of("T1").purse("A1").layout == {Bet("player"): 2 * CHIP}
            assert floor.state_of("T2").purse("A3").layout == {Bet("banker"): CHIP}
            assert (await violations(page), await overflow(page)) == ([], 0)
            assert await flaws(page, Size(TV, 12, frozenset()), scrolls=False) == []
            assert await flaws(page, Size(TURNED, 12, frozenset()), scrolls=False) == []
            above, below = [await shown.pane(table).bounding_box() for table in ("T1", "T2")]
            assert above is not None
            assert below is not None
            assert (above["x"], above["y"] + above["height"] <= below["y"] + 1) == (below["x"], True)
            await page.locator("[data-one]").tap()
            await expect(shown.pane("T2")).to_have_count(0)
            await expect(shown.tab("T2").locator(f"[data-staked='{CHIP}']")).to_be_visible()

    chromium.play(play)


async def _drag(page: Page, source: Locator, target: Locator) -> None:
    start, end = await source.bounding_box(), await target.bounding_box()
    assert start is not None
    assert end is not None
    await page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    await page.mouse.down()
    await page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=6)
    await page.mouse.up()


def test_a_table_that_is_frozen_or_out_of_touch_leaves_the_other_in_play(floor: LiveFloor, chromium: Stage) -> None:
    async def play(browser: Browser) -> None:
        async with scene_on(browser, floor) as scene, terminal(scene, floor, asked="?tables=T1,T2") as shown:
            page = shown.page
            for table in ("T1", "T2"):
                await expect(shown.pane(table).locator("main[data-phase=wagering]")).to_be_visible()
            await scene.deal({"do": "freeze"})
            await expect(shown.pane("T1").locator("[data-state=frozen]")).to_be_visible()
            await shown.area("T2", "banker").tap()
            await _purse(shown.pane("T2"), BALANCE - CHIP, CHIP)
            await page.route_web_socket("**/ws", lambda route: route.close())  # Nobody comes back for now.
            await shown.sockets["T1"].close()
            await expect(shown.pane("T1").locator("[data-standing=connecting]")).to_be_visible()
            await expect(shown.pane("T2").locator("[data-standing]")).to_have_count(0)
            await shown.area("T2", "banker").tap()
            await _purse(shown.pane("T2"), BALANCE - 2 * CHIP, 2 * CHIP)
            await page.route_web_socket("**/ws", shown.through)
            await expect(shown.pane("T1").locator("[data-standing]")).to_have_count(0)
            await asyncio.to_thread(floor.revoke, "S-17")
            await expect(page.get_by_text("This device is not enrolled")).to_be_visible()
            await expect(page.locator("[data-pane]")).to_have_count(0)

    chromium.play(play)


def test_the_list_fits_a_phone_in_every_language(floor: LiveFloor, chromium: Stage) -> None:
    async def play(browser: Browser) -> None:
        async with scene_on(browser, floor) as scene, terminal(scene, floor, PHONE) as shown:
            page = shown.page
            await expect(shown.tile("T2")).to_be_visible()
            for language in LANGUAGES:
                await choose_language(page, language["code"])
                await expect(shown.tile("T2").locator("[data-has]")).to_be_visible()
                assert language is LANGUAGES[0] or await foreign_words(page, PRESCRIBED) == []
                assert (await violations(page), await overflow(page)) == ([], 0)
                assert await flaws(page, Size(PHONE, 12, frozenset()), scrolls=True) == []
            await expect(page.locator("[data-two]")).to_have_count(0)
            await shown.tile("T2").tap()
            await expect(shown.pane("T2").locator("main[data-phase]")).to_be_visible()
            for viewport in (PHONE, SMALL):
                assert await flaws(page, Size(viewport, 12, frozenset()), scrolls=False) == []
            assert await overflow(page) == 0

    chromium.play(play)


def test_the_operator_allows_it_and_two_persons_enrol_a_station_for_two_tables(chromium: Stage, tmp_path: Path) -> None:
    async def play(browser: Browser) -> None:
        async with floor_scene(browser, process) as pages:
            station = await (await browser.new_context(viewport=TV)).new_page()
            await station.goto(f"{process.url}/station")
            page = await pages.open_floor()
            await show_who(page, "OP1")
            await page.locator("#tab-devices").click()
            await page.locator("[data-act=configure_house] button").click()
            await expect(page.get_by_text("A station may be enrolled for several tables")).to_be_visible()
            assert await violations(page) == []
            await page.get_by_role("button", name="Sign off").click()
            await show_who(page, "CS1")
            await page.locator("#tab-devices").click()
            form = page.locator("[data-waiting=station] [data-act=enrol]")
            said = {"device": "S-17", "approval": "ATS-2011-05", "station": "A1", "places": "T2 A2"}
            for name, value in {**said, "code": await station.locator("output").inner_text()}.items():
                await form.locator(f"[name={name}]").fill(value)
            await form.locator("[name=table]").select_option("T1")
            await form.locator("button").click()
            await show_who(page, "GS1")
            await expect(station.locator("[data-tile]")).to_have_count(2)
            await expect(page.locator("[data-report=devices]")).to_contain_text("T1 A1, T2 A2")

    with serving_live(tmp_path, crown(), crown(table="T2")) as process:
        chromium.play(play)
