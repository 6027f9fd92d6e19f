"""`sabot journal verify`."""

import os
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from sabot.audit.verify import Against, Depth, Verdict
from sabot.audit.verify import verify as prove
from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Flag, Json
from sabot.cli.journal.shared import ProgressPrinter, ask
from sabot.cli.sentences import in_one_sentence
from sabot.cli.terminal import console, print_json, table
from sabot.cli.worker_processes import proving_workers
from sabot.floor.records.program_digest import program_digest
from sabot.journal.anchor import read_anchor
from sabot.journal.keys import RingKey, read_ring
from sabot.journal.record import Head


def verify(
    place: str,
    /,
    *,
    anchor: Path | None = None,
    keys: Path | None = None,
    decide: Flag = False,
    chain: Flag = False,
    processes: Annotated[int | None, Parameter(validator=Number(gte=1))] = None,
    json: Json = False,
) -> int:
    """Prove a journal, or name its first bad record and say why. The exit code is 1 when anything is wrong.

        sabot journal verify night.journal

        sabot journal verify night.journal --anchor /other-disk/night.anchor --keys casino.key.ring

    Checked are the chain of hashes, gaps, owners, checkpoints and their signatures; then the recorded events are
    replayed: no coup may be settled twice, the money must add up after each, every ticket be paid once, and the
    snapshot hold the state that the records give. With --decide every command is decided again as well, and must give
    the recorded answer byte for byte. A live table can be verified: the records there at the beginning are checked.

    Parameters
    ----------
    place
        The path of a journal, or its postgresql:// URL.
    anchor
        A file with heads that was kept elsewhere. Without it a tail cut off behind the last checkpoint goes unnoticed.
    keys
        The ring of public keys that you trust. Without it signatures are checked with the keys that the journal names.
    decide
        Decide every command again by the rules, as a laboratory would; it takes about a third longer.
    chain
        Only the chain, the owners, the checkpoints and the anchor, which is several times faster.
    processes
        How many processes share the work; all processors of this machine unless given. The proof is the same.
    """
    against = Against(program_digest(), _keys(keys), _anchored(anchor))
    if chain and decide:
        raise Mistake("--chain checks only the chain; leave it out to have commands decided again")
    depth = Depth.CHAIN if chain else Depth.DECIDED if decide else Depth.RECORDED
    progress = ProgressPrinter()
    with proving_workers(processes or os.cpu_count() or 1, place, progress) as workers:
        verdict = ask(place, lambda journal: prove(journal, against, progress, depth=depth, workers=workers))
    if json:
        print_json(verdict)
    else:
        _print(verdict)
    return 0 if verdict.ok else 1


def _keys(path: Path | None) -> tuple[RingKey, ...]:
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


def _print(verdict: Verdict) -> None:
    out = console()
    shown = table("stream", "records|", "owners|", "checkpoints|", "vouched to|", "replayed|", "hash")
    for one in verdict.streams:
        figures = (one.records, one.owners, one.checkpoints, one.vouched, one.replayed)
        shown.add_row(one.stream, *(f"{figure:,}" for figure in figures), one.hash[:16])
    out.print(shown)
    for problem in verdict.problems:
        out.print(f"✗ {problem}", style="bold red")
    for sentence in verdict.unproved:
        out.print(f"  {sentence}", style="dim")
    if verdict.ok:
        out.print("✓ nothing is wrong", style="green")
