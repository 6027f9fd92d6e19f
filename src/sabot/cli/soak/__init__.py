"""`sabot soak`: runs a floor for hours among faults, and checks what it kept and whether it grew."""

from pathlib import Path

from sabot.cli.arguments import Json, Number


def soak(
    *,
    hours: float = 0.0,
    minutes: float = 0.0,
    pace: float = 10.0,
    tables: Number = 2,
    stations: Number = 6,
    journal: str = "",
    faults_every: float = 30.0,
    seed: Number = 1,
    report: Path | None = None,
    json: Json = False,
) -> int:
    """Run a floor with robots and faults for hours, and check that nothing acknowledged is lost and nothing grows.

        sabot soak --hours 2 --report soak-report

        sabot soak --minutes 5 --pace 10 --tables 4 --stations 20

    The floor is served by a process of its own. Robots wager at stations of the client library; faults drawn from the
    seed kill and pause the process, cut devices off, all at once too, and have a display read nothing. At the end every
    acknowledged wager must be in the journal, sealed and settled once, every station show what the records give, and
    the journal verify with every act decided again. Memory, descriptors, threads and latency are sampled, and their
    slopes tested. Ctrl-C ends the soak in order, with the report so far. The exit code is 1 when anything is wrong.

    Parameters
    ----------
    hours
        How long the soak lasts, with `--minutes` added.
    minutes
        The same in minutes.
    pace
        How many times as fast as usual the tables are dealt.
    tables
        Tables of the floor.
    stations
        Stations at each table, with a robot each.
    journal
        An empty and prepared database; a file in the report's folder unless given.
    faults_every
        Seconds between two faults, on the average.
    seed
        Chooses the faults and what the robots do.
    report
        The folder for curves, samples, summary, and the floor itself. It is kept; without it nothing is.
    """
    from sabot.cli.soak.command import run_soak

    return run_soak(
        seconds=hours * 3_600 + minutes * 60,
        pace=pace,
        tables=tables,
        stations=stations,
        journal=journal,
        faults_every=faults_every,
        seed=seed,
        report=report,
        json=json,
    )
