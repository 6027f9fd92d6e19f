"""A device is enrolled by a code from the sheet, typed by touch, or by the picture that the desk's camera reads."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.async_api import Browser, Page, expect

from sabot.web.identity.qr import qr_picture
from tests.cli.sabot import sabot
from tests.screens.configurations import crown
from tests.screens.console_scene import floor_scene, show_who
from tests.screens.scene import DESK, LANGUAGES, choose_language, overflow, violations
from tests.screens.stage import Stage
from tests.served.process import Process, serving_live
from tests.served.staff import PINS


def test_a_code_from_the_sheet_or_a_picture_read_by_the_desk_says_which_device_it_is(
    chromium: Stage, tmp_path: Path
) -> None:
    async def scene(browser: Browser, floor: Process) -> None:
        made = sabot(
            *("staff", "codes", str(tmp_path / "floor.toml"), "--by", "TE1", "--second", "CS1", "--json"),
            given=f"{PINS['TE1']}\n{PINS['CS1']}\n",
        ).json
        codes = {one["device"]: one["code"] for one in made}
        async with floor_scene(browser, floor) as pages:
            page = await pages.open_empty({"width": 800, "height": 600})
            await page.goto(f"{floor.url}/enrol")
            await _looks_right_in_every_language(page)
            await _type(page, "A" * 16)
            await page.locator(".go").click()
            await expect(page.locator("[data-refusal=unknown_invitation]")).to_be_visible()
            for _ in range(16):
                await page.keyboard.press("Backspace")
            await _type(page, codes["T1-A1"])
            await page.locator(".go").click()
            await expect(page.locator("main[data-phase=closed]")).to_be_visible()
            assert urlsplit(page.url).path == "/station"

            display = await pages.open_empty(DESK)
            await display.goto(f"{floor.url}/enrol#code={codes['T1-display']}")
            await expect(display.locator("main[data-phase=closed]")).to_be_visible()

            await _desk_reads_the_picture(await pages.open_empty(DESK), await pages.open_floor(), floor)

    async def _desk_reads_the_picture(waiting: Page, desk: Page, floor: Process) -> None:
        """Only the table and the station are said; name and approval are those of the table's file."""
        async with waiting.expect_request("**/api/qr**") as asked:
            await waiting.goto(f"{floor.url}/station")
        link = parse_qs(urlsplit((await asked.value).url).query)["text"][0]
        await expect(waiting.locator(".enrolment svg path")).to_have_attribute("d", qr_picture(link).path)
        assert await violations(waiting) == []
        assert await overflow(waiting) <= 0
        await desk.goto(link)
        await desk.reload()
        await desk.goto(link)
        await show_who(desk, "CS1")
        form = desk.locator("[data-waiting=station] [data-act=enrol]")
        await expect(form.locator("[name=code]")).to_have_value(await waiting.locator("output").inner_text())
        await form.locator("[name=station]").fill("A2")
        await form.locator("button").click()
        await show_who(desk, "GS1")
        await expect(waiting.locator("main[data-phase=closed]")).to_be_visible()
        row = desk.locator("[data-report=devices] tbody tr", has_text="T1-A2")
        await expect(row).to_contain_text(crown().stations["A2"].approval)

    with serving_live(tmp_path, crown()) as floor:
        chromium.play(lambda browser: scene(browser, floor))


async def _looks_right_in_every_language(page: Page) -> None:
    for language in reversed(LANGUAGES):
        await choose_language(page, language["code"])
        await expect(page.locator("[data-letter]")).to_have_count(21)
        assert await overflow(page) <= 0
    assert await violations(page) == []


async def _type(page: Page, code: str) -> None:
    for letter in code:
        await page.locator(f"[data-letter='{letter}']").click()
    await expect(page.locator("output")).to_have_attribute("data-typed", code)
