"""The command, its table and its report."""

import asyncio
import itertools
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec

from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Flag, Number
from sabot.cli.cluster.faults import FAULTS, QUICK
from sabot.cli.cluster.floor import PIT
from sabot.cli.cluster.namespaces import INSIDE, SABOT, enter
from sabot.cli.cluster.nodes import Nodes, check_programs
from sabot.cli.cluster.rounds import ClusterDrill, ClusterReport, RoundReport, summed_up
from sabot.cli.sentences import in_one_sentence
from sabot.cli.terminal import console, table


def cluster(
    *,
    rounds: Number = 30,
    seed: Number = 1,
    tables: Number = 2,
    fault: str = "",
    quick: Flag = False,
    json: Path | None = None,
    keep: Path | None = None,
) -> int:
    """Play at a floor of two processes on a PostgreSQL cluster of three nodes, and have the nodes fail in turn.

        sabot drill cluster --rounds 30 --json report.json

        sabot drill cluster --rounds 4 --fault frozen

    Twenty robots a table wager through the client library and keep account of every answer. In each round the primary
    is killed, frozen, cut off or its disk is filled, or a standby or the leader of etcd is killed; then it is healed
    and must rejoin. After each round the answers are compared with the records, and every purse that is shown with
    books of the drill's own. At the end the journal is verified. The exit code is 1 if anything was lost, doubled or
    wrong.

    Parameters
    ----------
    rounds
        How many faults.
    seed
        Which wagers and which moments; the same number gives the same.
    tables
        How many tables, shared by the two processes.
    fault
        Only the faults whose name contains this, such as disk, frozen or etcd.
    quick
        Only the faults that are over in seconds: none that waits until the time of a lost leader has run out.
    json
        Write the report there.
    keep
        A folder that is not there yet for the cluster, the floor and their logs; otherwise all of it is deleted.
    """
    if rounds < 1 or tables < 1:
        raise Mistake("--rounds and --tables are 1 or more")
    chosen = [name for name in (QUICK if quick else FAULTS) if fault in name]
    if not chosen:
        raise Mistake(f"no fault is called {fault!r}; there are: {', '.join(FAULTS)}")
    check_programs()
    enter(sys.argv[1:])
    folder = Path(tempfile.mkdtemp(prefix="sabot-cluster-")) if keep is None else keep.resolve()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with in_one_sentence():
            report = asyncio.run(_run(folder, _in_turn(chosen, rounds, seed), tables, seed))
    finally:
        if keep is None:
            shutil.rmtree(folder, ignore_errors=True)
    if json is not None:
        json.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n")
    _show_sum(report)
    return 0 if report.ok else 1


def _in_turn(faults: list[str], rounds: int, seed: int) -> list[str]:
    """Every fault as often as every other, in an order that changes from turn to turn."""
    chance = random.Random(seed)  # noqa: S311  The same order for the same seed.
    turns = (chance.sample(faults, len(faults)) for _ in itertools.count())
    return list(itertools.islice(itertools.chain.from_iterable(turns), rounds))


async def _run(folder: Path, faults: list[str], tables: int, seed: int) -> ClusterReport:
    out = console()
    nodes = Nodes(folder / "cluster")
    drill = ClusterDrill(folder, nodes, tables, seed)
    done: list[RoundReport] = []
    async for one in drill.play(faults):
        done.append(one)
        still = "never" if one.stood_still_s is None else f"{one.stood_still_s:.1f} s"
        out.print(f"{one.number:3}  {one.fault} ({one.node}): next wager {still}, {one.acknowledged} acknowledged")
        for sentence in one.said:
            out.print(f"     {sentence}", style="red")
        out.file.flush()
    return summed_up(drill, done, verified=_verified(nodes, folder))


def _verified(nodes: Nodes, folder: Path) -> bool:
    """Whether `sabot journal verify` proves everything, with every command decided again."""
    ring = folder / "floor" / "signing.key.ring"
    words = ["journal", "verify", nodes.with_password(PIT), "--decide", "--keys", str(ring)]
    environment = {name: value for name, value in os.environ.items() if name != INSIDE}
    verified = subprocess.run(  # noqa: S603  Our own command.
        [*SABOT, *words], env=environment, capture_output=True, text=True, check=False
    )
    if verified.returncode:
        console().print((verified.stdout + verified.stderr).strip()[-2_000:], style="red")
    return verified.returncode == 0


def _show_sum(report: ClusterReport) -> None:
    out = console()
    shown = table("", "fault", "node", "next wager|", "whole again|", "acknowledged|", "lost|", "doubled|", "the coups")
    for one in report.rounds:
        seconds = ["never" if s is None else f"{s:.1f} s" for s in (one.stood_still_s, one.rejoined_s)]
        figures = (str(one.acknowledged), str(one.lost), str(one.doubled))
        shown.add_row("✓" if one.ok else "✗", one.fault, one.node, *seconds, *figures, "; ".join(one.treated))
    out.print(shown)
    for sentence in report.said:
        out.print(sentence, style="red")
    worst = "never" if report.stood_still_worst_s is None else f"{report.stood_still_worst_s:.1f} s"
    proved = "proved" if report.verified else "NOT proved"
    out.print(
        f"{len(report.rounds)} rounds: {report.acknowledged} wagers acknowledged, {report.lost} lost, {report.doubled} "
        f"doubled, {report.wrong} wrong; {report.purses} purses compared; next wager after "
        f"{report.stood_still_p50_s} s at the median, {worst} at worst; "
        f"{report.processes_restarted} processes of the floor ended; the journal is {proved}."
    )
