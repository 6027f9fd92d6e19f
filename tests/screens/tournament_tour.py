"""A tournament from its creation to a paid prize, played at the pages: the desk, the cage, stations and board."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from playwright.async_api import expect

from tests.screens.console_scene import FloorScene, bring_shoe_in_play, enter, go_on, show_who, sign_on
from tests.screens.patron import Patron, in_shoe_order
from tests.screens.scene import DESK, PHONE, TV
from tests.screens.tour import Stop
from tests.served.turned_clock import TurnedClock
from tests.web.reckoning import Hands

CONDITIONS = Path(__file__).resolve().parents[1] / "data" / "tiny_tournament.toml"
ZONE = ZoneInfo("Australia/Melbourne")
"""Of the tests' tables, and so of their house."""
RULE_SET = "crown-traditional"
CREDIT = 100_000
WORDS = "AS KD 7C 2H 9S TD"
BANKER: Hands = ("2s", "3d", "8s"), ("4h", "3c")
PLAYER: Hands = ("5s", "4d"), ("Kh", "Qc")
NAMES = {"P-1": "Ada", "P-2": "Bo"}
ENTRY = timedelta(minutes=5)
"""How long entry is open; the test turns the floor's clock on, and nobody waits so long."""


def closing_of_entry(now: datetime) -> datetime:
    """On a full minute, as conditions say it."""
    return (now + ENTRY).replace(second=0, microsecond=0)


def conditions(now: datetime) -> str:
    """The conditions with an entry that is open now, and a session that starts when it closes."""
    closes = closing_of_entry(now)
    text = CONDITIONS.read_text(encoding="utf-8")
    local = {"OPENS": now - timedelta(days=1), "CLOSES": closes}
    for word, moment in local.items():
        text = text.replace(word, moment.astimezone(ZONE).strftime("%Y-%m-%dT%H:%M"))
    return text


class TournamentTour:
    """Everything by touch and key at the pages, as staff and patrons do it."""

    def __init__(self, scene: FloorScene, url: str, clock: TurnedClock) -> None:
        self._scene, self._url, self._clock = scene, url, clock
        self._began = datetime.now(UTC)

    async def stops(self) -> AsyncIterator[Stop]:
        self._floor = await self._scene.open_floor()
        for part in (self._plan, self._enter, self._prepare, self._call, self._play, self._decide):
            async for stop in part():
                yield stop

    async def _plan(self) -> AsyncIterator[Stop]:
        await self._at_desk("OP1", "tournaments")
        yield Stop("no-tournament", {"floor": self._floor})
        await self._act("create_tournament", tournament="TINY", name="Tiny")
        await self._act("save_conditions", text=conditions(self._began))
        await expect(self._floor.locator("[data-next=approve_conditions]")).to_be_visible()
        yield Stop("draft", {"floor": self._floor})
        await self._act("approve_conditions", second="CS1", reference="VCGR-7")
        await self._act("appoint_director", director="TD1")
        await expect(self._floor.locator("[data-tournament-phase=entry_open]")).to_be_visible()

    async def _enter(self) -> AsyncIterator[Stop]:
        await self._at_desk("CA1", "cage")
        for player, called in NAMES.items():
            form = {"name": called, "date_of_birth": "1990-01-01", "name_on_board": called.upper(), "signature": "ink"}
            fields = {"player": player, **{f"form:{field}": value for field, value in form.items()}}
            await self._act("register_entrant", checks=("criterion:member", "checked"), **fields)
        yield Stop("cage-slips", {"floor": self._floor})
        for number in (1, 2):
            await self._slip(f"TINY-{number:06}", "take_slip")
        yield Stop("receipt", {"floor": self._floor})

    async def _prepare(self) -> AsyncIterator[Stop]:
        await self._at_desk("TD1", "tournaments")
        await self._act("be_present")
        await expect(self._floor.locator("[data-entrant-row][data-status=entered]")).to_have_count(2)
        yield Stop("entry", {"floor": self._floor})
        await self._act("close_entry")
        await self._act("brief", within=".page")
        for number in (1, 2):
            await self._floor.locator(f"[data-entrant-row='{number}'] button").click()
            await self._act("sign_conditions")
        await self._act("designate_tables", tables="T1")
        await expect(self._floor.locator("[data-designated=T1]")).to_contain_text("T1")
        drawing = self._floor.locator("[data-round=final] [data-act=draw_seats]")
        await expect(drawing.locator("[name=words]")).to_be_visible()
        await self._act("draw_seats", words=WORDS)
        await expect(self._floor.locator("[data-round=final]")).to_have_attribute("data-drawn", "true")
        yield Stop("drawn", {"floor": self._floor})

    async def _call(self) -> AsyncIterator[Stop]:
        self._clock.turn_to(round(closing_of_entry(self._began).timestamp() * 1000))
        self._console, display = (
            await self._scene.open("console", viewport=DESK),
            await self._scene.open("display", None, TV),
        )
        await sign_on(self._console, "D1", "GS1")
        await bring_shoe_in_play(self._console)
        station, phone = await self._scene.open("station", "A1", DESK), await self._scene.open("station", "A2", PHONE)
        spare = await self._scene.open("station", "A3", DESK)
        self._board = await self._scene.open_empty(TV)
        await self._board.goto(f"{self._url}/board?tournament=TINY")
        await expect(self._board.locator("main[data-board=TINY]")).to_be_visible()
        await expect(spare.locator("[data-reserved=TINY]")).to_be_visible()
        yield Stop("reserved", {"station": spare, "board": self._board})
        calling = self._floor.locator("[data-round=final] [data-act=call_session] [name=session]")
        await expect(calling).to_be_visible()
        await self._act("call_session")
        for page in (station, phone):
            await expect(page.locator("[data-standing-line]")).to_be_visible()
        self._all = {
            "station": station,
            "phone": phone,
            "console": self._console,
            "display": display,
            "board": self._board,
        }
        self._patrons = [Patron(page, RULE_SET, CREDIT) for page in (station, phone)]
        yield Stop("session", self._all)

    async def _play(self) -> AsyncIterator[Stop]:
        one, other = self._patrons
        for number, hands in enumerate((BANKER, PLAYER), 1):
            await go_on(self._console, "open")
            for patron in self._patrons:
                await expect(patron.page.locator("main[data-phase=wagering]")).to_be_visible()
            await one.tap("banker" if number == 1 else "player", 10_000)
            await other.tap("player", 2_500)
            yield Stop(f"session-wagering-{number}", self._all)
            await enter(self._console, *in_shoe_order(hands))
            await go_on(self._console, "confirm")
            await expect(self._console.locator("main[data-phase=between_coups]")).to_be_visible()
            for patron in self._patrons:
                await patron.is_settled(hands)
        await expect(self._board.locator("[data-rank='1'] .score")).to_have_text(f"{one.balance / 100:,.2f}")
        yield Stop("session-played", self._all)

    async def _decide(self) -> AsyncIterator[Stop]:
        await self._act("close_session")
        await expect(self._floor.locator("[data-tournament-phase=ready]")).to_be_visible()
        await self._act("confirm_round")
        await expect(self._floor.locator("[data-tournament-phase=decided]")).to_be_visible()
        await self._act("award_prizes", second="CS1")
        await expect(self._floor.locator("[data-tournament-phase=finished]")).to_be_visible()
        yield Stop("finished", {"floor": self._floor, "board": self._board})
        await self._floor.locator(".papers button").first.click()
        yield Stop("tickets", {"floor": self._floor})
        await self._at_desk("CA1", "cage")
        prize = self._floor.locator("[data-direction=pay]").first
        await expect(prize).to_contain_text("70.00")
        slip = await prize.get_attribute("data-slip")
        await self._slip(slip or "", "pay_slip", second="CS1")
        yield Stop("prize", {"floor": self._floor})

    async def _at_desk(self, person: str, page: str) -> None:
        leave = self._floor.locator("header .tools button").first
        if await self._floor.locator("main.floor").count():
            await leave.click()
        await show_who(self._floor, person)
        await self._floor.locator(f"#tab-{page}").click()
        await expect(self._floor.locator(f"main[data-page={page}]")).to_be_visible()

    async def _act(
        self, verb: str, *, second: str = "", checks: tuple[str, ...] = (), within: str = "", **fields: str
    ) -> None:
        """Fill in a form, send it, and see it taken: nothing is refused."""
        form = self._floor.locator(f"{within} [data-act={verb}]").first
        await expect(form.locator("button[type=submit]")).to_be_visible()
        for name, value in fields.items():
            await form.locator(f"[name='{name}']").fill(value)
        for name in checks:
            await form.locator(f"[name='{name}']").check()
        await form.locator("button[type=submit]").click()
        await self._approved(second)

    async def _slip(self, slip: str, verb: str, second: str = "") -> None:
        row = self._floor.locator(f"[data-slip={slip}]")
        await row.locator(f"[data-verb={verb}]").click()
        await self._approved(second)
        await expect(self._floor.locator(f"[data-receipt={slip}]")).to_be_visible()
        await expect(row).to_have_count(0)

    async def _approved(self, second: str) -> None:
        if second:
            await expect(self._floor.locator("[data-question=second]")).to_be_visible()
            await show_who(self._floor, second)
            await expect(self._floor.locator("[data-question]")).to_have_count(0)
        await expect(self._floor.locator("main.floor")).to_have_attribute("aria-busy", "false")
        refused = self._floor.locator("[data-refusal]")
        assert await refused.count() == 0, await refused.first.inner_text()
