"""Virtual shoes and their commitments: checked, and told in full for a check elsewhere."""

from collections.abc import Iterable
from pathlib import Path

from sabot.audit.excerpt import ExcerptFilter, excerpt
from sabot.audit.fairness import (
    KEPT_SHOES,
    EvidenceCollector,
    Fairness,
    FairnessJudge,
    ShoeEvidence,
    ShoeStanding,
    fairness,
    read_evidence,
)
from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Json, Number
from sabot.cli.journal.shared import ask, chosen_table
from sabot.cli.terminal import console, print_json
from sabot.cli.terminal import table as columns
from sabot.floor.records.record_codec import table_of, table_stream
from sabot.journal.journal import ReadableJournal
from sabot.journal.opening import path_of

MOST_BYTES = 4_000_000
"""No evidence of one shoe is longer."""


def verify(place: str, /, *, json: Json = False) -> int:
    """Check every virtual shoe of a journal, or the one in a file. The exit code is 1 when any check fails.

        sabot fair verify night.journal

        sabot fair verify shoe-1.json

    The order is compared with the commitment, and each card that was seen with the order; the commitment's record must
    come before the first that opened wagering. A shoe in play has no order yet; its cards are proved one by one.

    Parameters
    ----------
    place
        The path of a journal, its postgresql:// URL, or a .json file that `sabot fair show` made.
    """
    verdicts = _verdicts_at(place)
    if json:
        print_json(verdicts)
    else:
        print_verdicts(verdicts)
    return 0 if all(verdict.ok for verdict in verdicts) else 1


def show(place: str, /, *, shoe: Number | None = None, table: str | None = None) -> int:
    """Print the whole record of one virtual shoe as JSON, with everything needed to check it.

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

    async def of_one(journal: ReadableJournal) -> tuple[ShoeEvidence | None, list[int]]:
        teller, numbers, wanted = EvidenceCollector(), list[int](), None
        async for line in excerpt(journal, table_stream(await chosen_table(journal, table)), ExcerptFilter()):
            teller.take(line.version, line.events)
            for evidence in teller.release(KEPT_SHOES):
                numbers.append(evidence.shoe)
                wanted = evidence if _is_wanted(evidence, shoe) else wanted
        newest = [evidence for evidence in teller.told if _is_wanted(evidence, shoe)]
        return (newest[-1] if newest else wanted), [*numbers, *(evidence.shoe for evidence in teller.told)]

    found, numbers = ask(place, of_one)
    if found is None:
        told = ", ".join(map(str, numbers)) or "none"
        wanted = "opened virtual shoe" if shoe is None else f"virtual shoe {shoe}"
        raise Mistake(f"there is no {wanted} on record; the virtual shoes are: {told}")
    print_json(found)
    return 0


def _is_wanted(evidence: ShoeEvidence, shoe: int | None) -> bool:
    return bool(evidence.order) if shoe is None else evidence.shoe == shoe


def _verdicts_at(place: str) -> list[Fairness]:
    path = path_of(place)
    if path is not None and path.suffix == ".json":
        return [fairness(_read(path))]
    told = ask(place, _all_tables)
    if not told:
        raise Mistake("there is no virtual shoe in this journal")
    return told


def _read(path: Path) -> ShoeEvidence:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise Mistake(f"{path} is too long for the tale of one shoe")
        written = path.read_bytes()
    except OSError as error:
        raise Mistake(f"{path} cannot be read: {error.strerror}") from None
    try:
        return read_evidence(written)
    except Mistake as mistake:
        raise Mistake(f"{path}: {mistake}") from None


async def _all_tables(journal: ReadableJournal) -> list[Fairness]:
    verdicts = list[Fairness]()
    for stream in await journal.streams():
        if table_of(stream):
            judge = FairnessJudge()
            async for line in excerpt(journal, stream, ExcerptFilter()):
                judge.take(line.version, line.events)
            verdicts += judge.verdicts()
    return verdicts


async def evidence_of(journal: ReadableJournal, name: str) -> list[ShoeEvidence]:
    """The evidence of a table's virtual shoes in a journal."""
    teller = EvidenceCollector()
    async for line in excerpt(journal, table_stream(name), ExcerptFilter()):
        teller.take(line.version, line.events)
    return teller.told


_MARKS = {
    ShoeStanding.PROVED: ("green", "✓"),
    ShoeStanding.IN_PLAY: ("dim", "…"),
    ShoeStanding.WRONG: ("bold red", "✗"),
}


def print_verdicts(verdicts: Iterable[Fairness]) -> None:
    out = console()
    shown = columns("table", "shoe|", "cards seen|", "commitment", "")
    for one in verdicts:
        shown.add_row(one.table, str(one.shoe), str(one.cards), one.commitment, one.standing)
    out.print(shown)
    for one in verdicts:
        style, mark = _MARKS[one.standing]
        out.print(f"{mark} {one.sentence}", style=style)
