"""`sabot fair`: whether virtual shoes were what they were committed to."""

from collections.abc import Iterable
from pathlib import Path

from cyclopts import App

from sabot.audit.excerpt import Wanted, excerpt
from sabot.audit.fairness import Fairness, Tale, Teller, fairness, read_tale
from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Flag, Number
from sabot.cli.journal.asking import ask, chosen_table
from sabot.cli.terminal import console, print_json
from sabot.cli.terminal import table as columns
from sabot.floor.records.record_codec import table_of, table_stream
from sabot.journal.journal import ReadableJournal
from sabot.journal.opening import is_server

MOST_BYTES = 4_000_000
"""No tale of one shoe is longer."""

fair = App(
    name="fair",
    help_epilogue="""A virtual shoe publishes a commitment before the first wager, and its order when it has ended:

        sabot fair verify night.journal

        sabot fair show night.journal --shoe 1 > shoe-1.json

        sabot fair verify shoe-1.json

    What is checked, and how to check it with a program of your own, is in docs/fairness.md.""",
)


@fair.command
def verify(place: str, /, *, json: Flag = False) -> int:
    """Check every virtual shoe of a journal, or the one in a file. The exit code is 1 when anything does not hold.

        sabot fair verify night.journal

        sabot fair verify shoe-1.json

    The order is held against the commitment, each card that was seen against the order, and the commitment's record
    against the first that opened wagering. A shoe in play has no order yet; its cards are proved one by one.

    Parameters
    ----------
    place
        The path of a journal, its postgresql:// URL, or a .json file that `sabot fair show` made.
    json
        Print the stable JSON form.
    """
    verdicts = [fairness(tale) for tale in _tales(place)]
    if json:
        print_json(verdicts)
    else:
        print_verdicts(verdicts)
    return 0 if all(verdict.ok for verdict in verdicts) else 1


@fair.command
def show(place: str, /, *, shoe: Number | None = None, table: str | None = None) -> int:
    """Print all that is on record of one virtual shoe, as JSON: what anybody needs to check it.

        sabot fair show night.journal --shoe 1 > shoe-1.json

    Parameters
    ----------
    place
        The path of a journal, or its postgresql:// URL.
    shoe
        The number of the shoe; the newest that has been opened unless given.
    table
        The table, where the journal has several.
    """

    async def of_one(journal: ReadableJournal) -> list[Tale]:
        return await tales_of(journal, await chosen_table(journal, table))

    told = ask(place, of_one)
    opened = [tale for tale in told if (tale.order if shoe is None else tale.shoe == shoe)]
    if not opened:
        numbers = ", ".join(str(tale.shoe) for tale in told) or "none"
        wanted = "opened virtual shoe" if shoe is None else f"virtual shoe {shoe}"
        raise Mistake(f"there is no {wanted} on record; the virtual shoes are: {numbers}")
    print_json(opened[-1])
    return 0


def _tales(place: str) -> list[Tale]:
    if not is_server(place) and place.endswith(".json"):
        return [_read(Path(place))]
    told = ask(place, _all_tables)
    if not told:
        raise Mistake("there is no virtual shoe in this journal")
    return told


def _read(path: Path) -> Tale:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise Mistake(f"{path} is too long for the tale of one shoe")
        written = path.read_bytes()
    except OSError as error:
        raise Mistake(f"{path} cannot be read: {error.strerror}") from None
    try:
        return read_tale(written)
    except Mistake as mistake:
        raise Mistake(f"{path}: {mistake}") from None


async def _all_tables(journal: ReadableJournal) -> list[Tale]:
    names = [name for stream in await journal.streams() if (name := table_of(stream))]
    return [tale for name in names for tale in await tales_of(journal, name)]


async def tales_of(journal: ReadableJournal, name: str) -> list[Tale]:
    """What a journal tells of the virtual shoes of a table."""
    teller = Teller()
    async for line in excerpt(journal, table_stream(name), Wanted()):
        teller.take(line.version, line.events)
    return teller.told


def print_verdicts(verdicts: Iterable[Fairness]) -> None:
    out = console()
    shown = columns("table", "shoe|", "cards seen|", "commitment", "")
    for one in verdicts:
        shown.add_row(one.table, str(one.shoe), str(one.cards), one.commitment, one.standing)
    out.print(shown)
    for one in verdicts:
        style, mark = {"proved": ("green", "✓"), "in play": ("dim", "…"), "wrong": ("bold red", "✗")}[one.standing]
        out.print(f"{mark} {one.sentence}", style=style)
