"""Takes a picture of every page in every phase for docs/pictures, from a floor that runs meanwhile.

    .venv/bin/python screens/pictures.py

The pages are those that are built, at floors of their own. The walks through all phases of a table and through a
tournament (tests/screens/tour.py, tests/screens/tournament_tour.py) are what the tests look at, too. Pictures are
small, since they are kept with the sources; README.md beside them shows all.
"""

import io
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from PIL import Image
from playwright.async_api import Browser

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # The pictures stand on the same ground as the tests.

from tests.screens import stage  # noqa: E402
from tests.screens.configurations import crown  # noqa: E402
from tests.screens.console_scene import floor_scene  # noqa: E402
from tests.screens.tour import COUP, RULE_SET, Stop, Tour  # noqa: E402
from tests.screens.tournament_tour import TournamentTour  # noqa: E402
from tests.served.process import Process, serving_live  # noqa: E402
from tests.served.turned_clock import TurnedClock  # noqa: E402
from tests.web.reckoning import Hands  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"
LARGEST = (1280, 1280)
QUALITY = 62
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


async def _take(stops: AsyncIterator[Stop], taken: dict[str, list[str]]) -> None:
    async for name, pages in stops:
        for kind, page in pages.items():
            await page.bring_to_front()
            await page.evaluate("scrollTo(0, 0)")
            _keep(f"{kind}-{name}", await page.screenshot())
            taken[kind].append(name)


def _keep(name: str, png: bytes) -> None:
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    picture.thumbnail(LARGEST)
    picture.save(FOLDER / f"{name}.webp", quality=QUALITY, method=6)


def _gallery(taken: dict[str, list[str]]) -> str:
    lines = ["# Every page in every phase", "", "Taken by `.venv/bin/python screens/pictures.py`.", ""]
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

    with (
        tempfile.TemporaryDirectory() as folder,
        stage.set_up() as chromium,
        serving_live(Path(folder, "table"), crown(rule_set=RULE_SET)) as table,
        serving_live(
            Path(folder, "tournament"), crown(), clock=(clock := TurnedClock(Path(folder, "clock"))).path
        ) as tournament,
    ):
        chromium.play(play)
    (FOLDER / "README.md").write_text(_gallery(taken))


if __name__ == "__main__":
    main()
