"""Keys on the screen: what staff type, by touch alone."""

from pathlib import Path

from playwright.async_api import Browser, Locator, Page, expect

from tests.screens.configurations import crown
from tests.screens.console_scene import floor_scene
from tests.screens.scene import DESK, small_targets, violations
from tests.screens.stage import Stage
from tests.served.process import serving_live
from tests.served.staff import PINS

LEAST_TOUCH = 40


async def _touch_keys(page: Page, *keys: str) -> None:
    for key in keys:
        await page.locator(f"[data-keypad] [data-key='{key}']").tap()


async def _stands_above(field: Locator, pad: Locator) -> bool:
    one, other = await field.bounding_box(), await pad.bounding_box()
    assert one is not None
    assert other is not None
    return one["y"] >= 0 and one["y"] + one["height"] <= other["y"]


async def _sign_on(page: Page, person: str) -> None:
    """The reference by letters where the page has no list of the staff, then the PIN."""
    reference = page.locator("[name=person]")
    if await reference.evaluate("one => one.tagName") == "INPUT":
        await reference.tap()
        for letter in person:
            await _touch_keys(page, *(("shift",) if letter.isalpha() else ()), letter.lower())
        await expect(reference).to_have_value(person)
    pin = page.locator("[name=pin]")
    await pin.tap()
    await expect(page.locator("[data-keypad=pin]")).to_be_visible()
    assert await _stands_above(pin, page.locator("[data-keypad]"))
    await _touch_keys(page, *PINS[person], "done")
    await expect(page.locator("[data-keypad]")).to_have_count(0)


async def _buy_in(page: Page) -> None:
    await page.locator(".procedure [data-verb=open_table]").tap()
    await page.locator("[data-seat=A1]").tap()
    form = page.locator("[data-act=buy_in]")
    amount, pad = form.locator("[name=amount]"), page.locator("[data-keypad=amount]")
    await form.locator("[data-quick='50000']").tap()
    await expect(amount).to_have_value("500")
    await expect(pad).to_have_count(0)
    await amount.tap()
    assert await _stands_above(amount, pad)
    assert await small_targets(page, LEAST_TOUCH) == []
    assert await violations(page) == []
    await _touch_keys(page, "back", "back", "00", ".", "5", "0")
    await expect(amount).to_have_value("500.50")
    await amount.press("Backspace")
    await page.keyboard.type("0")
    await form.locator("[name=reference]").tap()
    await _touch_keys(page, "shift", "r", "7", "space", "x", "done")
    await expect(form.locator("[name=reference]")).to_have_value("R7 x")
    await expect(amount).to_have_value("500.50")
    await form.locator("button[type=submit]").tap()
    await expect(page.locator("[data-act=top_up]")).to_be_visible()
    await expect(page.locator("[data-seat-balance]")).to_have_text("500.50")


def test_staff_sign_on_and_take_a_buy_in_by_touch_alone(chromium: Stage, tmp_path: Path) -> None:
    """Fields keep what they hold, a keyboard works beside the keys, and a click by mouse brings no keys."""

    async def touch(browser: Browser) -> None:
        async with floor_scene(browser, floor) as scene:
            console = await scene.open("console", viewport=DESK)
            await console.locator("[name=pin]").click()
            await expect(console.locator("[data-keypad]")).to_have_count(0)
            await _sign_on(console, "D1")
            await expect(console.locator(".head .people")).to_contain_text("D1")
            await _buy_in(console)
            desk = await scene.open_floor()
            await _sign_on(desk, "CS1")
            await expect(desk.locator("main[data-page]")).to_be_visible()

    with serving_live(tmp_path, crown()) as floor:
        chromium.play(touch)
