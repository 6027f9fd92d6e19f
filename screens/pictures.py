"""Takes a picture of every page in every phase for docs/pictures, from a floor that runs meanwhile.

    .venv/bin/python screens/pictures.py

The pages are those that are built, at floors of their own. The walks through all phases of a table, through a
tournament and through a lesson (`tour.py`, `tournament_tour.py`, `school_tour.py` in tests/screens) are what the tests
look at, too. At some stops a
page is turned upright as well. `coup.webp` moves: it is one coup at a station. Pictures are small, since they are kept
with the sources; README.md beside them shows all.
"""

import asyncio
import io
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from PIL import Image
from playwright.async_api import Browser, Page, ViewportSize

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # The pictures stand on the same ground as the tests.

from tests.screens import stage  # noqa: E402
from tests.screens.configurations import crown  # noqa: E402
from tests.screens.console_scene import bring_shoe_in_play, buy_in, enter, floor_scene, go_on, sign_on  # noqa: E402
from tests.screens.patron import Patron, in_shoe_order  # noqa: E402
from tests.screens.scene import DESK, Pages  # noqa: E402
from tests.screens.school_tour import LESSON, SchoolTour  # noqa: E402
from tests.screens.tour import BOUGHT_IN, COUP, RULE_SET, Stop, Tour  # noqa: E402
from tests.screens.tournament_tour import TournamentTour  # noqa: E402
from tests.screens.visiting import Told, visited  # noqa: E402
from tests.served.process import Process, serving_live  # noqa: E402
from tests.served.turned_clock import TurnedClock  # noqa: E402
from tests.web.reckoning import Hands  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"
LARGEST = (1280, 1280)
QUALITY = 62
TURNED = {"station": ViewportSize(width=1080, height=1920), "phone": ViewportSize(width=844, height=390)}
"""The other way to hold a device: a station upright, a phone on its side."""
TURNED_AT = ("wagering", "dealing", "settled")
MOVING = ViewportSize(width=1024, height=640)
MOVING_WIDTH = 720
FRAME_MS = 125
PLAYER: Hands = ("5s", "4d"), ("Kh", "Qc")
TIE: Hands = ("7s", "Kd"), ("2h", "5c")
PAST = (COUP, COUP, PLAYER, PLAYER, TIE, PLAYER, COUP, PLAYER, COUP, COUP, TIE, COUP, COUP, PLAYER, PLAYER)
SUITS = "shdc"
KINDS = {
    "station": "The station",
    "phone": "The station on a phone",
    "console": "The console",
    "display": "The display",
    "floor": "The floor's desk",
    "board": "The leader board",
    "start": "The start page",
    "deal": "A demo that the visitor deals",
    "school": "The dealer school",
}


def _turned(hands: Hands, by: int) -> Hands:
    """The same ranks in other suits, since a shoe has each card only eight times."""
    turned = [[card[0] + SUITS[(SUITS.index(card[1]) + by) % len(SUITS)] for card in hand] for hand in hands]
    return turned[0], turned[1]


async def take(browser: Browser, table: Process, tournament: Process, clock: TurnedClock) -> dict[str, list[str]]:
    """The names of the stops, by kind of page, in the order of the walks: a table's phases, then a tournament."""
    taken: dict[str, list[str]] = {kind: [] for kind in KINDS}
    past = [_turned(hands, number) for number, hands in enumerate(PAST)]
    async with floor_scene(browser, table) as scene:
        await _take(Tour(scene, past).stops(), taken)
    async with floor_scene(browser, tournament) as scene:
        await _take(TournamentTour(scene, tournament.url, clock).stops(), taken)
    return taken


async def take_visits(browser: Browser, demo: Told, school: Told, taken: dict[str, list[str]]) -> None:
    """What visitors of a demo and trainees of a school see."""
    await _take(SchoolTour(browser, demo, school).stops(), taken)
    await Pages(browser, "").close()


async def _take(stops: AsyncIterator[Stop], taken: dict[str, list[str]]) -> None:
    async for name, pages in stops:
        for kind, page in pages.items():
            await page.bring_to_front()
            await page.evaluate("scrollTo(0, 0)")
            _keep(f"{kind}-{name}", await page.screenshot())
            taken[kind].append(name)
            if name in TURNED_AT and kind in TURNED:
                _keep(f"{kind}-{name}-turned", await _turned_page(page, TURNED[kind]))
                taken[kind].append(f"{name}-turned")


async def _turned_page(page: Page, size: ViewportSize) -> bytes:
    before = page.viewport_size or DESK
    await page.set_viewport_size(size)
    picture = await page.screenshot()
    await page.set_viewport_size(before)
    return picture


async def film(browser: Browser, floor: Process) -> None:
    """One coup at a station with its motion on, from the first chip to the money."""
    async with floor_scene(browser, floor) as scene:
        console = await scene.open("console", viewport=DESK)
        station = await scene.open("station", "A1", MOVING, moving=True)
        await sign_on(console, "D1", "GS1")
        await bring_shoe_in_play(console)
        await buy_in(console, "A1", "5,000")
        frames: list[bytes] = []
        over = asyncio.Event()
        filming = asyncio.create_task(_expose(station, frames, over))
        await go_on(console, "open")
        patron = Patron(station, RULE_SET, BOUGHT_IN)
        for bet, cents in (("banker", 10_000), ("tie", 2_500), ("banker_pair", 500)):
            await patron.tap(bet, cents)
        await console.keyboard.press("n")
        for card in in_shoe_order(COUP):
            await enter(console, card)
            await asyncio.sleep(0.5)
        await go_on(console, "confirm")
        await patron.is_settled(COUP)
        await asyncio.sleep(2)
        over.set()
        await filming
    _keep_moving(frames)


async def _expose(page: Page, frames: list[bytes], over: asyncio.Event) -> None:
    while not over.is_set():
        frames.append(await page.screenshot(type="jpeg", quality=90))
        await asyncio.sleep(FRAME_MS / 1000)


def _keep_moving(frames: list[bytes]) -> None:
    pictures = [Image.open(io.BytesIO(frame)).convert("RGB") for frame in frames]
    for picture in pictures:
        picture.thumbnail((MOVING_WIDTH, MOVING_WIDTH))
    first, *others = pictures
    first.save(
        FOLDER / "coup.webp", save_all=True, append_images=others, duration=FRAME_MS * 2, loop=0, quality=45, method=6
    )


def _keep(name: str, png: bytes) -> None:
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    picture.thumbnail(LARGEST)
    picture.save(FOLDER / f"{name}.webp", quality=QUALITY, method=6)


def _gallery(taken: dict[str, list[str]]) -> str:
    lines = ["# Every page in every phase", "", "Taken by `.venv/bin/python screens/pictures.py`.", ""]
    lines += ["## A coup", "", "![one coup at a station, moving](coup.webp)", ""]
    for kind, names in taken.items():
        lines += [f"## {KINDS[kind]}", ""]
        for name in names:
            lines += [f"### {name.replace('-', ' ').capitalize()}", "", f"![{kind}, {name}]({kind}-{name}.webp)", ""]
    return "\n".join(lines)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.webp"):
        old.unlink()
    taken: dict[str, list[str]] = {}

    async def play(browser: Browser) -> None:
        taken.update(await take(browser, table, tournament, clock))
        await take_visits(browser, demo, school, taken)
        await film(browser, filmed)

    with (
        tempfile.TemporaryDirectory() as folder,
        stage.set_up() as chromium,
        serving_live(Path(folder, "table"), crown(rule_set=RULE_SET)) as table,
        serving_live(Path(folder, "film"), crown(rule_set=RULE_SET)) as filmed,
        serving_live(
            Path(folder, "tournament"), crown(), clock=(clock := TurnedClock(Path(folder, "clock"))).path
        ) as tournament,
        visited("demo", "--deal", "--folder", str(Path(folder, "demo"))) as demo,
        visited("school", "serve", LESSON, "--trainees", "4") as school,
    ):
        chromium.play(play)
    (FOLDER / "README.md").write_text(_gallery(taken))


if __name__ == "__main__":
    main()
