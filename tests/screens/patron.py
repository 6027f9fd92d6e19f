"""A patron at a station's page: what is touched, and what must then be in the account to the cent."""

import re
from collections.abc import Sequence
from typing import Any

from playwright.async_api import CDPSession, Locator, Page, expect

from tests.screens.scene import area, expect_purse, standing
from tests.web.reckoning import Hands, net

OPTIONS = {"dragon_bonus": 1, "perfect_pairs": 1}
CONTROLS = ("undo", "clear", "repeat", "double")
"""In the order in which they stand, whatever the language."""
STEPS = 6


class Patron:
    """Keeps separate books, by the rule books' pay tables and not by what the page says."""

    def __init__(self, page: Page, rule_set: str, cents: int) -> None:
        self.page, self.balance, self._rule_set = page, cents, rule_set
        self.layout: dict[str, int] = {}

    async def tap(self, bet: str, cents: int, *, times: int = 1) -> None:
        """Choose a chip and touch an area with it."""
        await self.chip(cents).tap()
        for _ in range(times):
            await area(self.page, bet).tap()
        self.layout[bet] = self.layout.get(bet, 0) + cents * times
        await self.sees_his_wagers()

    async def drags_a_chip(self, cents: int, bet: str) -> None:
        await drag_by_touch(self.chip(cents), area(self.page, bet))
        self.layout[bet] = self.layout.get(bet, 0) + cents
        await self.sees_his_wagers()

    async def drags_a_stack(self, source: str, target: str) -> None:
        await drag_by_touch(area(self.page, source), area(self.page, target))
        self.layout[target] = self.layout.get(target, 0) + self.layout.pop(source)
        await self.sees_his_wagers()

    async def presses(self, name: str, layout: dict[str, int]) -> None:
        """Undo, clear, repeat or double, after which this must lie on the layout."""
        await self.page.locator(".controls button").nth(CONTROLS.index(name)).tap()
        self.layout = layout
        await self.sees_his_wagers()

    async def sees_his_wagers(self) -> None:
        wagered = sum(self.layout.values())
        await expect_purse(self.page, self.balance - wagered, wagered)
        await expect(self.page.locator(".chips > .stack:not(.pending) .amount")).to_have_count(len(self.layout))
        for bet, cents in self.layout.items():
            await expect(standing(self.page, bet)).to_have_text(written(cents))

    async def is_settled(self, hands: Hands) -> None:
        """The coup is over and every wager is settled as it should be."""
        brought = self.reckon(hands)
        self.balance, self.layout = self.balance + brought, {}
        await expect_purse(self.page, self.balance, 0)
        await expect(self.page.locator(f"[data-net='{brought}']")).to_be_visible()

    async def has_his_wagers_back(self) -> None:
        self.layout = {}
        await expect_purse(self.page, self.balance, 0)

    def reckon(self, hands: Hands) -> int:
        return sum(net(self._rule_set, bet, cents, _upper(hands), OPTIONS) for bet, cents in self.layout.items())

    def chip(self, cents: int) -> Locator:
        return self.page.get_by_role("radio", name=re.compile(rf"(?<![\d,]){written(cents)}$"))


def written(cents: int) -> str:
    """As chips and stacks have it: whole dollars, with a separator."""
    assert cents % 100 == 0
    return f"{cents // 100:,}"


def in_shoe_order(hands: Hands) -> list[str]:
    player, banker = hands
    return [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]


def _upper(hands: Hands) -> Hands:
    return [card.upper() for card in hands[0]], [card.upper() for card in hands[1]]


async def drag_by_touch(source: Locator, target: Locator) -> None:
    """With a finger on the glass, in steps as a hand moves."""
    session = await source.page.context.new_cdp_session(source.page)
    start, end = await middle(source), await middle(target)
    await touch(session, "touchStart", start)
    for step in range(1, STEPS + 1):
        there = [a + (b - a) * step / STEPS for a, b in zip(start, end, strict=True)]
        await touch(session, "touchMove", there)
    await touch(session, "touchEnd", None)
    await session.detach()


async def touch(session: CDPSession, kind: str, at: Sequence[float] | None) -> None:
    points: list[Any] = [] if at is None else [{"x": at[0], "y": at[1]}]
    await session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


async def middle(place: Locator) -> tuple[float, float]:
    await place.scroll_into_view_if_needed()
    box = await place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
