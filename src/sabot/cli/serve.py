"""`sabot serve`: makes, checks and runs one process of a floor; `sabot serve drain` moves its tables to another."""

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from cyclopts.validators import Number as NumberBounds

from sabot.cli.arguments import Flag, Json, Number
from sabot.cli.ports import Port, port_for

serve = App(name="serve")


@serve.default
def serve_floor(
    *,
    config: Path | None = None,
    check: Flag = False,
    init: Path | None = None,
    floor: str = "Main floor",
    casino: str = "",
    name: str = "",
    port: Annotated[Port, Parameter(validator=NumberBounds(gte=1, lte=65535))] = None,
    tables: Annotated[Number, Parameter(validator=NumberBounds(gte=1, lte=20))] = 1,
    stations: Annotated[Number, Parameter(validator=NumberBounds(gte=1, lte=50))] = 7,
    json: Json = False,
) -> int:
    """Serve the tables of a floor to stations, consoles and displays, until it is stopped with SIGTERM or Ctrl-C.

        sabot serve --init floor

        sabot serve --config floor/sabot.toml --check

        sabot serve --config floor/sabot.toml

    No request is answered before every self-check has passed. On a stop, waiting commands are recorded and answered and
    the journal is signed; the next start continues from there. docs/serve.md explains the file; deploy/sabot.toml is a
    complete example. What follows --init below is for a new floor alone.

    Parameters
    ----------
    config
        The floor's file.
    check
        Only check the file, the tables and the secrets, and name what is wrong, unsigned, unanchored, open to the world
        or not as in the example.
    init
        Make a floor in this folder, which must be new or empty: its file, tables, keys, anchor and the PINs of two
        persons. Prints the command that serves it.
    floor
        The floor's name, which never changes.
    casino
        The casino's name, at the head of reports.
    name
        The name by which devices reach this machine, such as floor.casino.example; without it only this machine does.
    port
        The port to listen on: 8080, or the next free one, unless given.
    tables
        How many tables, each with a file of its own.
    stations
        How many stations at each table.
    """
    from sabot.basics.mistake import Mistake

    if init is not None:
        if config is not None or check:
            raise Mistake("--init makes a floor: --config and --check are for one that is there")
        from sabot.cli.new_floor import NewFloor, init_floor

        wanted = NewFloor(floor=floor, casino=casino, name=name, port=port_for(port), tables=tables, stations=stations)
        return init_floor(init, wanted, json=json)
    if config is None:
        raise Mistake("name the floor's file with --config; --init FOLDER makes a floor")
    from sabot.cli.floor_process import check_floor, serve_tables

    return check_floor(config, json=json) if check else serve_tables(config)


@serve.command
def apply(floor: Path, /, *, json: Json = False) -> int:
    """Have a running floor take its tables' files as they are now, and say of each edit when it takes effect.

        sabot serve apply floor/sabot.toml

    Give it on the machine of the process, as its user. Limits and staff take effect between two coups, most other keys
    when the table is closed; a minimum rises only by a sign. What cannot take effect is named with its reason. A floor
    of one process does the same at every start; one that several processes share does it only by this command.

    Parameters
    ----------
    floor
        The floor's file of the process.
    """
    from sabot.cli.floor_process import apply_files

    return apply_files(floor, json=json)


@serve.command
def drain(
    floor: Path,
    /,
    *tables: str,
    to: str = "",
    at_once: Flag = False,
    within: Annotated[float | None, Parameter(validator=NumberBounds(gt=0))] = None,
    json: Json = False,
) -> int:
    """Hand the tables of a process over to another one, each between two coups; nobody is logged out, no coup is void.

        sabot serve drain floor-1.toml --to https://floor-2.casino.example:8443

        sabot serve drain sabot.toml

    Give it on the machine of the process, as its user. The process plays the coup under way to its end, opens no other,
    writes down who asked, tells the devices where the table went, and lets it go. Without tables all are drained and
    the process then ends with code 0: start the new version first where processes share a database, and afterwards
    where the journal is a file. The exit code is 1 when a table has not left.

    Parameters
    ----------
    floor
        The floor's file of the process that is drained.
    tables
        The tables to hand over; the process stays. All of them unless named.
    to
        The address of the process that is to have them, which devices are told.
    at_once
        Drain all tables together, and do not wait until each was taken: for a new version with a newer form of records.
    within
        Seconds in which a coup must have ended; a table that plays on longer stays. Without limit unless given.
    """
    from sabot.cli.floor_process import drain_tables
    from sabot.runtime.draining import Drain

    asked = Drain(tables=tables, to=to, at_once=at_once, within_s=within)
    return drain_tables(floor, asked, json=json)
