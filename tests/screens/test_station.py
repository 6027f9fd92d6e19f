"""A station in a real browser, at a real table: what a patron can do and see."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.async_api import Browser, ViewportSize, WebSocketRoute, expect

from sabot.basics.money import Cents
from sabot.rules.limits import Limits
from sabot.rules.rule_set import Bet
from sabot.table.configuration import Configuration, StationPart
from tests.runtime.floors import table_for
from tests.screens.live_floor import SHOE, Line, LiveFloor, coup, live_floor
from tests.screens.scene import (
    DESK,
    LANGUAGES,
    PHONE,
    TV,
    area,
    choose_language,
    drag,
    expect_purse,
    open_page,
    overflow,
    scene_on,
    small_targets,
    standing,
    violations,
)
from tests.screens.stage import Stage

BALANCE = 100_000
BOUGHT_IN: tuple[Line, ...] = tuple({"do": "buy_in", "station": name, "cents": BALANCE} for name in ("A1", "A2"))
WAGERING: tuple[Line, ...] = (*SHOE, *BOUGHT_IN, {"do": "open"})
BANKER_SIX = ("2s", "3h", "3d", "3c", "Th")
WATCH_FOR_LOCKS = """
    const main = document.querySelector("main");
    window.seen = [];
    new MutationObserver(() => seen.push(main.inert)).observe(main, { attributeFilter: ["inert"] });
"""
TIE = ("3s", "2h", "3d", "4c")


def _limits(minimum: int, maximum: int) -> Limits:
    return Limits(Cents(minimum), Cents(500), Cents(maximum))


def limited_table(rule_set: str = "crown-baccarat", period_ms: int = 120_000) -> Configuration:
    made = table_for(rule_set, stations=2, period_ms=period_ms)
    main, side = _limits(2_500, 100_000), _limits(500, 20_000)
    limits = {bet: main if bet in ("player", "banker") else side for bet in made.limits}
    remote = StationPart(approval="demo R1", remote=True, distance_m=40, printer=True, note_acceptor=True)
    return msgspec.structs.replace(made, limits=limits, stations={**made.stations, "R1": remote})


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[LiveFloor]:
    with live_floor(limited_table(), tmp_path) as live:
        yield live


def test_chips_are_touched_dragged_moved_undone_cleared_repeated_and_doubled(floor: LiveFloor, chromium: Stage) -> None:
    async def play(browser: Browser) -> None:
        async with scene_on(browser, floor) as scene:
            page = await scene.open("station", "A1")
            await expect(page.get_by_text("This station is closed")).to_be_visible()
            await scene.deal(*WAGERING)
            await expect(page.locator("[data-announcement=place_your_bets]")).to_have_text("Place your bets")
            await area(page, "banker").tap()
            await expect_purse(page, BALANCE - 2_500, 2_500)
            await drag(page, page.get_by_role("radio", name="Chip 100"), area(page, "player"))
            await expect_purse(page, BALANCE - 12_500, 12_500)
            await drag(page, area(page, "banker"), area(page, "player"))
            await expect_purse(page, BALANCE - 12_500, 12_500)
            await expect(standing(page, "player")).to_have_text("125")
            await expect(standing(page, "banker")).to_have_count(0)
            await page.get_by_role("button", name="Undo").tap()
            await expect(standing(page, "banker")).to_have_text("25")
            await page.get_by_role("button", name="Double").tap()
            await expect_purse(page, BALANCE - 25_000, 25_000)
            await drag(page, area(page, "banker"), None)
            await expect_purse(page, BALANCE - 20_000, 20_000)
            assert floor.state.purse("A1").layout == {Bet("player"): 20_000}
            await scene.deal(*coup(*TIE))
            await expect_purse(page, BALANCE, 0)
            await expect(area(page, "player").locator("[data-outcome=push]")).to_have_text("200.00 back")
            await expect(area(page, "player").locator(".stake .amount")).to_have_text("200")
            await scene.deal({"do": "open"})
            await expect(page.locator("[data-outcome]")).to_have_count(0)
            await page.get_by_role("button", name="Repeat").tap()
            await expect_purse(page, BALANCE - 20_000, 20_000)
            await page.get_by_role("button", name="Clear").tap()
            await expect_purse(page, BALANCE, 0)

    chromium.play(play)


def test_a_chip_is_pending_until_the_table_has_answered_and_the_page_locks_at_once_without_a_link(
    floor: LiveFloor, chromium: Stage
) -> None:
    async def play(browser: Browser) -> None:
        async with scene_on(browser, floor) as scene:
            page = await scene.open("station", "A1")
            await scene.deal(*WAGERING)
            held: list[Callable[[], None]] = []
            sockets: list[WebSocketRoute] = []
            holding = False

            def through(route: WebSocketRoute) -> None:
                server = route.connect_to_server()
                sockets.append(route)
                server.on_message(lambda said: held.append(lambda: route.send(said)) if holding else route.send(said))
                route.on_message(server.send)

            await page.route_web_socket("**/ws", through)
            await page.reload()
            await expect(page.locator("main[data-phase=wagering]")).to_be_visible()
            holding = True
            await area(page, "player").tap()
            await area(page, "player").tap()
            await expect(area(page, "player").locator(".stack.pending .amount")).to_have_text("50")
            await expect(page.locator("[data-wagered='0']")).to_be_visible()
            holding = False
            for release in held:
                release()
            await expect_purse(page, BALANCE - 5_000, 5_000)
            await expect(page.locator(".stack.pending")).to_have_count(0)
            await page.evaluate(WATCH_FOR_LOCKS)
            await sockets[-1].close()
            await expect(page.locator("main[data-phase=wagering]:not([inert])")).to_be_visible()
            assert await page.evaluate("window.seen") == [True, False]
            await area(page, "player").tap()
            await expect_purse(page, BALANCE - 7_500, 7_500)

    chromium.play(play)


def test_a_touch_waits_for_no_view(floor: LiveFloor, chromium: Stage) -> None:
    """Of twenty touches that change nothing no view comes, and here none comes of what changes the layout either."""

    async def play(browser: Browser) -> None:
        async with scene_on(browser, floor) as scene:
            page = await scene.open("station", "A1")
            await scene.deal(*WAGERING)
            holding = False

            def without_views(route: WebSocketRoute) -> None:
                server = route.connect_to_server()
                server.on_message(
                    lambda said: None if holding and '"type":"answer"' not in str(said) else route.send(said)
                )
                route.on_message(server.send)

            await page.route_web_socket("**/ws", without_views)
            await page.reload()
            await page.get_by_role("radio", name="Chip 100").tap()
            await area(page, "tie").tap()
            await area(page, "tie").tap()
            await expect_purse(page, BALANCE - 20_000, 20_000)
            holding = True
            for _ in range(20):
                await area(page, "tie").tap()
            await area(page, "banker").tap()
            await area(page, "banker").tap()
            await expect(standing(page, "banker")).to_have_text("200")
            await expect(standing(page, "tie")).to_have_text("200")
            assert floor.state.purse("A1").layout == {Bet("tie"): 20_000, Bet("banker"): 20_000}
            holding = False
            await page.get_by_role("button", name="Clear").tap()
            await expect_purse(page, BALANCE, 0)
            await expect(page.locator(".chips > .stack")).to_have_count(0)

    chromium.play(play)


def test_what_is_not_permitted_is_said_beside_the_area_with_its_clause(floor: LiveFloor, chromium: Stage) -> None:
    async def play(browser: Browser) -> None:
        async with scene_on(browser, floor) as scene:
            page = await scene.open("station", "A1")
            await scene.deal(*WAGERING)
            await area(page, "player_pair").tap()
            await expect(page.locator("[data-remark=player_pair]")).to_contain_text("CROWN 4.11.1")
            await expect_purse(page, BALANCE, 0)
            await page.get_by_role("radio", name="Chip 500").tap()
            await area(page, "tie").tap()
            await expect(page.locator("[data-remark=tie]")).to_have_text("Tie: 200 stands (limits 5 to 200)")
            await expect_purse(page, BALANCE - 20_000, 20_000)
            await area(page, "player_pair").tap()
            await expect_purse(page, BALANCE - 40_000, 40_000)
            await drag(page, area(page, "tie"), None)
            await expect_purse(page, BALANCE, 0)
            await expect(page.locator("[data-notice=returned_unqualified]")).to_be_visible()

    chromium.play(play)


def test_a_coup_from_the_keyboard_with_its_cards_its_settlement_and_why_and_a_receipt(
    floor: LiveFloor, chromium: Stage
) -> None:
    async def play(browser: Browser) -> None:
        async with scene_on(browser, floor) as scene:
            page = await scene.open("station", "A1", DESK)
            await scene.deal(*WAGERING)
            await expect(area(page, "banker")).to_be_enabled()
            await area(page, "banker").focus()
            for _ in range(4):
                await page.keyboard.press("Enter")
            await area(page, "super_6").focus()
            await page.keyboard.press("Space")
            await expect_purse(page, BALANCE - 12_500, 12_500)
            closing = coup(*BANKER_SIX)
            await scene.deal(*closing[:4])
            await expect(page.locator("[data-announcement=no_more_bets]")).to_have_text("No more bets")
            await expect(area(page, "banker")).to_be_disabled()
            await expect(page.locator(".hand.player [data-card]")).to_have_count(2)
            await expect(page.locator(".hand.player .points")).to_have_text("5")
            await scene.deal(*closing[4:])
            await expect(page.locator("[data-result=banker]")).to_have_text("Coup 1: Banker wins 6 to 5")
            await expect_purse(page, BALANCE + 5_000 + 30_000, 0)
            await page.get_by_role("button", name="Why").focus()
            await page.keyboard.press("Enter")
            lines = page.get_by_role("dialog")
            await expect(lines.get_by_role("row", name="Banker 100.00")).to_contain_text("50.00")
            await expect(lines).to_contain_text("CROWN 10.1 Crown Banker")
            await expect(lines.get_by_role("row", name="Total")).to_contain_text("350.00")
            await page.keyboard.press("Escape")
            await open_page(page, "receipt")
            await expect(page.locator("[data-proved=true]")).to_be_visible()
            await page.keyboard.press("Escape")
            await open_page(page, "history")
            past = page.get_by_role("dialog")
            await expect(past.get_by_role("note")).to_be_visible()
            await expect(past.get_by_role("row").last).to_contain_text("1,350.00")
            await expect(past).to_contain_text("10 of hearts to Player")

    chromium.play(play)


def test_any_language_at_any_moment_and_a_reload_goes_on_where_it_was(floor: LiveFloor, chromium: Stage) -> None:
    async def play(browser: Browser) -> None:
        async with scene_on(browser, floor) as scene:
            page = await scene.open("station", "A2")
            await scene.deal(*WAGERING)
            await area(page, "player").tap()
            await expect_purse(page, BALANCE - 2_500, 2_500)
            for code, locale, font, banker_player, opening in (
                ("zh", "zh-CN", "Noto Sans SC", "庄闲", "请下注"),
                ("zh-Hant", "zh-Hant", "Noto Sans TC", "莊閒", "請投注"),
            ):
                await choose_language(page, code)
                await expect(page.locator("[data-name-of=player]")).to_have_text(banker_player[1])
                await expect(page.locator("[data-announcement]")).to_have_text(f"{opening} · Place your bets")
                assert await page.evaluate("document.documentElement.lang") == locale
                assert await page.evaluate(
                    "font => document.fonts.ready.then(() => document.fonts.check(...font))",
                    [f"20px '{font}'", f"{banker_player}曱甴"],
                )
            await page.reload()
            await expect(page.locator("html[lang=zh-Hant]")).to_be_visible()
            await expect(standing(page, "player")).to_have_text("25")
            await area(page, "player").tap()
            await expect_purse(page, BALANCE - 5_000, 5_000)
            left = await page.get_by_role("timer").inner_text()
            assert 60 < int(left) <= 120

    chromium.play(play)


def test_the_period_runs_out_by_itself_on_the_page_and_at_the_table(tmp_path: Path, chromium: Stage) -> None:
    async def play(browser: Browser) -> None:
        async with scene_on(browser, live) as scene:
            page = await scene.open("station", "A1")
            await scene.deal(*WAGERING)
            await area(page, "player").tap()
            await expect_purse(page, BALANCE - 2_500, 2_500)
            await expect(page.get_by_role("timer")).to_have_class(re.compile("soon|now"))
            await expect(page.locator("[data-announcement=no_more_bets]")).to_be_visible()
            await expect(area(page, "player")).to_be_disabled()
            await open_page(page, "receipt")
            await expect(page.get_by_text("Closed by the end of the period")).to_be_visible()

    with live_floor(limited_table(period_ms=4_000), tmp_path) as live:
        chromium.play(play)


def test_a_remote_station_takes_notes_and_pays_by_ticket(floor: LiveFloor, chromium: Stage) -> None:
    async def play(browser: Browser) -> None:
        async with scene_on(browser, floor) as scene:
            page = await scene.open("station", "R1")
            await scene.deal(*SHOE)
            await expect(page.get_by_text("insert a note to play")).to_be_visible()
            await open_page(page, "devices")
            await expect(page.get_by_role("dialog")).to_contain_text("Ticket printer")
            await page.keyboard.press("Escape")
            await scene.deal({"do": "note", "by": "R1", "cents": 5_000})
            await expect_purse(page, 5_000, 0)
            await open_page(page, "leave")
            await expect(page.get_by_role("dialog")).to_contain_text("CROWN 6.7.2(c)")
            await page.get_by_role("dialog").get_by_role("button", name="Leave").tap()
            await expect(page.locator("[data-notice=ticket_present]")).to_contain_text("50.00")

    chromium.play(play)


DIAGRAM_A = (
    *("[data-bet=player]", "[data-bet=banker]", "[data-bet=tie]", "[data-bet=player_pair]", "[data-bet=banker_pair]"),
    *("[data-bet=player_perfect_pairs]", "[data-bet=banker_perfect_pairs]", "[data-bet=player_dragon_bonus]"),
    *("[data-bet=banker_dragon_bonus]", "[data-bet=super_6]", "[role=radiogroup]", "[data-balance]", "[role=timer]"),
    *("[data-bet=tie] .limits", "[data-notice=version_notice]", "[data-result]", "time", "[data-wagered]"),
)


@pytest.mark.clause("CROWN 2.1(a)(i)", "CROWN Diagram A")
@pytest.mark.parametrize(
    ("size", "least"),
    [
        pytest.param(TV, 64, id="1920", marks=pytest.mark.whole),
        pytest.param(DESK, 64, id="1280"),
        pytest.param(PHONE, 48, id="phone"),
    ],
)
def test_every_element_of_the_diagram_is_there_reachable_and_readable(
    size: ViewportSize, least: int, floor: LiveFloor, chromium: Stage
) -> None:
    async def play(browser: Browser) -> None:
        async with scene_on(browser, floor) as scene:
            page = await scene.open("station", "A1", size)
            await scene.deal(*WAGERING, *coup(*TIE))
            await expect(page.locator("[data-result=tie]")).to_be_visible()
            await scene.deal({"do": "open"})
            await area(page, "player").tap()
            await expect_purse(page, BALANCE - 2_500, 2_500)
            for element in DIAGRAM_A:
                await expect(page.locator(element).first).to_be_visible()
            await expect(page.get_by_role("button", name="Menu")).to_be_visible()
            for language in (*LANGUAGES[1:], LANGUAGES[0]):
                await choose_language(page, language["code"])
                assert await violations(page) == [], language
                assert await small_targets(page, least) == [], language
                assert await overflow(page) <= 0, language
            for name in ("rules", "roads", "history", "query", "leave"):
                await open_page(page, name)
                await expect(page.get_by_role("dialog")).to_be_visible()
                assert await violations(page) == [], name
                await page.keyboard.press("Escape")

    chromium.play(play)


@pytest.mark.parametrize(
    ("rule_set", "opens", "closes"),
    [
        ("mbs-rapid-no-commission", "Place your bets, please", "No more bets"),
        ("rws-non-commission", "Place Your Bets", "No More Bets"),
    ],
)
@pytest.mark.clause("MBS-R 3.1", "RWS 3.1", "MBS-R 2.2", "RWS 2.1.1")
def test_the_words_and_areas_are_those_of_the_rule_set(
    rule_set: str, opens: str, closes: str, tmp_path: Path, chromium: Stage
) -> None:
    async def play(browser: Browser) -> None:
        async with scene_on(browser, live) as scene:
            page = await scene.open("station", "A1", DESK)
            await scene.deal(*WAGERING)
            await expect(page.locator("[data-announcement]")).to_have_text(opens, use_inner_text=True)
            bets = await page.locator("[data-bet]").evaluate_all("areas => areas.map(one => one.dataset.bet)")
            assert sorted(bets) == ["banker", "banker_pair", "player", "player_pair", "tie"]
            await expect(page.locator("[data-notice=version_notice]")).to_have_count(0)
            await scene.deal({"do": "close"})
            await expect(page.locator("[data-announcement]")).to_have_text(closes, use_inner_text=True)

    with live_floor(limited_table(rule_set), tmp_path) as live:
        chromium.play(play)
