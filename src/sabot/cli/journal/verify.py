"""`sabot journal verify`."""

import os
from typing import Annotated

import msgspec
from cyclopts import Parameter
from cyclopts.validators import Number

from sabot.audit.problem import Problem
from sabot.audit.verify import Depth, Verdict
from sabot.audit.verify import verify as prove
from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Flag, Json
from sabot.cli.exit_codes import INTERRUPTED
from sabot.cli.journal.proof_sources import NO_SOURCES, ProofSources, print_findings, print_standing
from sabot.cli.journal.shared import ProgressPrinter, ask, said_of
from sabot.cli.terminal import console, print_json, table
from sabot.cli.worker_processes import proving_workers


def verify(
    place: str,
    /,
    *,
    proof: ProofSources = NO_SOURCES,
    decide: Flag = False,
    chain: Flag = False,
    processes: Annotated[int | None, Parameter(validator=Number(gte=1))] = None,
    json: Json = False,
) -> int:
    """Prove a journal, or name its first bad record and say why.

        sabot journal verify floor.journal --keys key.ring --anchor floor.anchor

        sabot journal verify postgresql://auditor@db/floor --keys key.ring --live

        sabot journal verify floor.journal.part0001 --keys signing.key.ring

    The first line is the verdict. With --keys it is *proved*, exit code 0, where the keys vouch for every stream up to
    its last record; *not proved*, exit code 1, where they do not; and *wrong*, exit code 1, where a record is bad.
    Without --keys nobody vouches for the journal, as the first line then says, and only *wrong* gives exit code 1.
    What cannot be read at all gives exit code 2.

    Checked are the chain of hashes, gaps, owners, checkpoints and their signatures; then the recorded events are
    replayed: no coup may be settled twice, the money must add up after each, every ticket be paid once, and the
    snapshot and the kept sums be those that the records give. With --decide every command is decided again as well, and
    must give the recorded answer byte for byte. A live table can be verified: the records there at the beginning are
    checked. Of a journal that was rotated all parts are proved that lie beside it; a sealed part is proved alone.

    Parameters
    ----------
    place
        The path of a journal, or its postgresql:// URL.
    decide
        Decide every command again by the rules, as a laboratory would; it takes about a third longer.
    chain
        Only the chain, the owners, the checkpoints and the anchor, which is several times faster.
    processes
        How many processes share the work; all processors of this machine unless given. The proof is the same.
    """
    against = proof.against()
    if chain and decide:
        raise Mistake("--chain checks only the chain; leave it out to have commands decided again")
    depth = Depth.CHAIN if chain else Depth.DECIDED if decide else Depth.RECORDED
    progress = ProgressPrinter()
    try:
        with proving_workers(processes or os.cpu_count() or 1, place, progress) as workers:
            verdict = ask(place, lambda journal: prove(journal, against, progress, depth=depth, workers=workers))
    except KeyboardInterrupt:
        return _stopped(progress, json=json)
    if json:
        print_json(verdict)
    else:
        _print(verdict)
    return 0 if verdict.ok else 1


class StoppedProof(msgspec.Struct, frozen=True):
    """What a proof had come to when it was stopped."""

    stopped: bool
    says: str
    checked: int
    """Records in which nothing is wrong, if the records before them are right."""
    records: int
    problems: list[Problem]


def _stopped(progress: ProgressPrinter, *, json: bool) -> int:
    """Say what was checked before Ctrl-C; nothing is proved by it."""
    problems = [one for each in progress.findings for one in (each.broken or each.wrong,) if one is not None]
    says = f"stopped, so nothing is proved: {said_of(progress.done, progress.of)} were checked, and are not wrong"
    if json:
        print_json(StoppedProof(True, says, progress.done, progress.of, problems))
    else:
        console().print(f"? {says}", style="bold yellow", soft_wrap=True)
        for problem in problems:
            console().print(f"✗ {problem}", style="bold red", soft_wrap=True)
    return INTERRUPTED


def _print(verdict: Verdict) -> None:
    out = console()
    print_standing(verdict)
    shown = table("stream", "records|", "owners|", "checkpoints|", "vouched to|", "replayed|", "hash")
    for one in verdict.streams:
        figures = (one.records, one.owners, one.checkpoints, one.vouched, one.replayed)
        shown.add_row(one.stream, *(f"{figure:,}" for figure in figures), one.hash[:16])
    out.print(shown)
    if verdict.parts:
        parts = table("part", "", "records|")
        for part in verdict.parts:
            parts.add_row(part.part, "sealed" if part.sealed else "open", f"{part.records:,}")
        out.print(parts)
    print_findings(verdict)
