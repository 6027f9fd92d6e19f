"""`sabot journal verify`."""

import os
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from sabot.audit.verify import Depth, Verdict
from sabot.audit.verify import verify as prove
from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Flag, Json
from sabot.cli.journal.proof_sources import NO_SOURCES, ProofSources, print_findings, print_standing
from sabot.cli.journal.shared import ProgressPrinter, ask
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

        sabot journal verify floor.journal --keys signing.key.ring --anchor /other-disk/floor.anchor

        sabot journal verify postgresql://auditor@db/floor --keys signing.key.ring --live

        sabot journal verify floor.journal

    The first line is the verdict. With --keys it is *proved*, exit code 0, where the keys vouch for every stream up to
    its last record; *not proved*, exit code 1, where they do not; and *wrong*, exit code 1, where a record is bad.
    Without --keys nobody vouches for the journal, as the first line then says, and only *wrong* gives exit code 1.
    What cannot be read at all gives exit code 2.

    Checked are the chain of hashes, gaps, owners, checkpoints and their signatures; then the recorded events are
    replayed: no coup may be settled twice, the money must add up after each, every ticket be paid once, and the
    snapshot and the kept sums be those that the records give. With --decide every command is decided again as well, and
    must give the recorded answer byte for byte. A live table can be verified: the records there at the beginning are
    checked.

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
    with proving_workers(processes or os.cpu_count() or 1, place, progress) as workers:
        verdict = ask(place, lambda journal: prove(journal, against, progress, depth=depth, workers=workers))
    if json:
        print_json(verdict)
    else:
        _print(verdict)
    return 0 if verdict.ok else 1


def _print(verdict: Verdict) -> None:
    out = console()
    print_standing(verdict)
    shown = table("stream", "records|", "owners|", "checkpoints|", "vouched to|", "replayed|", "hash")
    for one in verdict.streams:
        figures = (one.records, one.owners, one.checkpoints, one.vouched, one.replayed)
        shown.add_row(one.stream, *(f"{figure:,}" for figure in figures), one.hash[:16])
    out.print(shown)
    print_findings(verdict)
