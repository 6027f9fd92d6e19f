"""What a proof is held against, as options of a command, and the verdict as every command prints it."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cyclopts import Parameter

from sabot.audit.problem import Problem
from sabot.audit.verify import LIVE_TAIL_MS, Against, Standing, Verdict
from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Flag
from sabot.cli.sentences import in_one_sentence
from sabot.cli.terminal import console
from sabot.floor.records.program_digest import program_digest
from sabot.journal.anchor import read_anchor
from sabot.journal.keys import RingKey, read_ring
from sabot.journal.record import Head


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ProofSources:
    """What vouches for the journal.

    Parameters
    ----------
    anchor
        A file with heads that was kept elsewhere. Without it an end that was cut off with its checkpoints goes
        unnoticed.
    keys
        The ring of public keys that you trust. Without it signatures are checked with the keys that the journal names,
        which proves nothing about who wrote it.
    live
        With --keys, of a floor that runs: the last two minutes of a stream need no signature yet.
    """

    anchor: Path | None = None
    keys: Path | None = None
    live: Flag = False

    def against(self) -> Against:
        if self.live and self.keys is None:
            raise Mistake("--live is about what the keys have not signed yet: give --keys too")
        tail_ms = LIVE_TAIL_MS if self.live else 0
        return Against(program_digest(), _ring_in(self.keys), _anchored(self.anchor), tail_ms)


NO_SOURCES = ProofSources()

_MARKS = {
    Standing.PROVED: ("✓", "green"),
    Standing.NOT_PROVED: ("?", "bold yellow"),
    Standing.UNVOUCHED: ("?", "yellow"),
    Standing.WRONG: ("✗", "bold red"),
}


def print_standing(verdict: Verdict) -> None:
    """The first line of a report."""
    mark, style = _MARKS[verdict.standing]
    console().print(f"{mark} {verdict.says}", style=style, soft_wrap=True)


def print_findings(verdict: Verdict, more: Iterable[Problem] = ()) -> None:
    """The last lines of a report."""
    out = console()
    for problem in (*verdict.problems, *more):
        out.print(f"✗ {problem}", style="bold red", soft_wrap=True)
    for sentence in verdict.unsigned:
        out.print(f"? {sentence}", style="yellow", soft_wrap=True)
    for sentence in verdict.unproved:
        out.print(f"  {sentence}", style="dim", soft_wrap=True)


def _ring_in(path: Path | None) -> tuple[RingKey, ...]:
    with in_one_sentence():
        return () if path is None else read_ring(path)


def _anchored(path: Path | None) -> dict[str, Head]:
    if path is None:
        return {}
    with in_one_sentence():
        anchor = read_anchor(path)
    if anchor is None:
        raise Mistake(f"there is no anchor at {path}")
    return anchor.heads
