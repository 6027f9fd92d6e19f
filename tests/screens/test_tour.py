from pathlib import Path

from playwright.async_api import Browser

from tests.screens.configurations import crown
from tests.screens.console_scene import floor_scene
from tests.screens.scene import overflow, violations
from tests.screens.stage import Stage
from tests.screens.tour import RULE_SET, Tour
from tests.served.process import serving_live


def test_every_page_can_be_read_and_reached_in_every_phase(chromium: Stage, tmp_path: Path) -> None:
    """By axe, up to WCAG AA, and without scrolling sideways."""

    async def look(browser: Browser) -> None:
        seen = set()
        found: list[str] = []
        async with floor_scene(browser, floor) as scene:
            async for name, pages in Tour(scene).stops():
                for kind, page in pages.items():
                    seen.add(f"{kind} {name}")
                    found += [f"{kind} {name}: {one}" for one in await violations(page)]
                    assert await overflow(page) <= 0, f"{kind} {name}"
        assert found == []
        assert {f"{kind} wagering" for kind in ("station", "phone", "console", "display")} <= seen

    with serving_live(tmp_path, crown(rule_set=RULE_SET)) as floor:
        chromium.play(look)
