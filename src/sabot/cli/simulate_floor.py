"""`sabot simulate-floor`: runs a table's owner in seeded worlds with faults of every kind."""

from sabot.cli.arguments import Json, Number


def simulate_floor(
    *, seeds: str = "0..999", stations: Number = 3, coups: Number = 3, processes: Number = 0, json: Json = False
) -> int:
    """Run the production owner of a table in simulated worlds: lost messages and commits, crashes, pauses, clock jumps.

        sabot simulate-floor --seeds 0..9999

        sabot simulate-floor --seeds 4711..4711 --stations 10 --coups 8

    Every record is checked against the invariants of docs/floor.md. The same seed and options give the same world on
    every machine. A seed that fails is printed with its options, and the exit code is then 1.

    Parameters
    ----------
    seeds
        The first and the last seed, such as 0..999, or a single one.
    stations
        Stations at the table.
    coups
        For about how many coups faults occur.
    processes
        How many seeds run at once; as many as the machine has cores unless given.
    """
    from sabot.cli.simulated_worlds import run_worlds

    return run_worlds(seeds, stations, coups, processes, json=json)
