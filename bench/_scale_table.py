"""The table of docs/scale.md: what floors of several sizes ask for, computed from inputs that are measured or assumed.

    python bench/_scale_table.py                                      # as the page has it
    python bench/_scale_table.py cpu_a_station_us=95 journal_kb_a_coup=27   # with other inputs

Each field of `Inputs` says where it comes from. Nothing else goes into the table.
"""

import sys
from math import ceil
from pathlib import Path

import msgspec

PAGE = Path(__file__).resolve().parents[1] / "docs" / "scale.md"
BEGINS, ENDS = "<!-- python bench/_scale_table.py -->\n", "<!-- the end of the table -->"
SIZES = (50, 2_000, 100_000, 1_000_000)
"""Stations: a table, a large floor, 2,000 tables, and a million."""
CORES = 32


class Inputs(msgspec.Struct, frozen=True):
    stations_a_table: float = 50
    """Assumed: the most that a table has."""
    coup_s: float = 45
    """Assumed: the real pace, a tenth of that of `bench floor`, from one coup to the next."""
    touches_a_coup: float = 3
    """Assumed: of each station, as in `bench floor`."""
    busy_hours: float = 16
    """Assumed: hours of a day in which every station plays every coup."""
    cpu_a_station_us: float = 189
    """Measured, a second: `station_at_the_real_pace` of `bench scale --long`, all work of a served process, SQLite."""
    core_share: float = 0.5
    """Assumed: how much of a core a process may take, so that no touch waits long behind another table's work."""
    table_kb: float = 686
    """Measured: `memory_a_table` of `bench scale --long`."""
    station_kb: float = 38
    """Measured: `memory_a_connected_station` of `bench scale --long`."""
    process_mb: float = 85
    """Measured: a served process with one table, without what the table takes."""
    journal_kb_a_coup: float = 54
    """Measured: what a coup of fifty stations leaves in the journal (`bench history`)."""
    records_a_coup: float = 162
    """Computed: a record a touch, and a dozen of the dealer's."""
    append_us: float = 26
    """Measured: `sqlite_append_2000_tables` of `bench scale`, CPU of the writer."""
    renew_s: float = 0.5
    """The code: a lease of 2 s is renewed four times."""
    renewal_us: float = 8.4
    """Measured: `sqlite_renewal_2000_tables` of `bench scale`, CPU for each lease in one call."""
    house_records_a_coup: float = 2
    """The code: the table tells the house that a coup begins, and that it is over."""
    house_record_us: float = 13.0
    """Measured: `house_followed` of `bench scale`, CPU of each process that follows."""
    house_append_ms: float = 2
    """Assumed until measured on a quiet machine: one commit of the one house stream (`bench journal_postgres`, p50)."""


def figures(stations: int, of: Inputs) -> dict[str, str]:
    tables = stations / of.stations_a_table
    coups = tables / of.coup_s
    wagers = stations * of.touches_a_coup / of.coup_s
    cores = stations * of.cpu_a_station_us / 1e6
    processes = max(1, ceil(cores / of.core_share))
    house = coups * of.house_records_a_coup
    gb_a_day = coups * of.journal_kb_a_coup * of.busy_hours * 3_600 / 1e6
    memory_gb = (tables * of.table_kb + stations * of.station_kb) / 1e6 + processes * of.process_mb / 1e3
    following = house * of.house_record_us / 1e6
    return {
        "tables": f"{tables:,.0f}",
        "wagers a second": f"{wagers:,.1f}",
        "coups a second": f"{coups:,.2f}",
        "cores for all of it": f"{cores:,.2f}",
        f"processes at {of.core_share:.0%} of a core": f"{processes:,}",
        f"machines of {CORES} cores": f"{ceil(processes / CORES):,}",
        "memory": f"{memory_gb:,.1f} GB",
        "journal records a second": f"{coups * of.records_a_coup:,.0f}",
        "CPU of one writer of all": f"{coups * of.records_a_coup * of.append_us / 1e4:,.1f} %",
        "journal a day": f"{gb_a_day:,.0f} GB",
        "leases renewed a second": f"{tables / of.renew_s:,.0f}",
        "CPU of renewing them": f"{tables / of.renew_s * of.renewal_us / 1e4:,.1f} %",
        "renewals a second, one a process": f"{processes / of.renew_s:,.0f}",
        "house records a second": f"{house:,.1f}",
        "share of the house stream's commits": f"{house * of.house_append_ms / 10:,.0f} %",
        "CPU of each process to follow it": f"{following * 100:,.2f} %",
        "CPU of all processes to follow it": f"{following * processes * 100:,.1f} %",
    }


def table(of: Inputs) -> str:
    columns = [figures(stations, of) for stations in SIZES]
    lines = ["| stations | " + " | ".join(f"{size:,}" for size in SIZES) + " |", "|---|" + "---:|" * len(SIZES)]
    lines += [f"| {name} | " + " | ".join(column[name] for column in columns) + " |" for name in columns[0]]
    return "\n".join(lines) + "\n"


def in_the_page() -> str:
    """The table as docs/scale.md has it."""
    return PAGE.read_text(encoding="utf-8").partition(BEGINS)[2].partition(ENDS)[0]


if __name__ == "__main__":
    said = {name: float(value) for name, _, value in (word.partition("=") for word in sys.argv[1:])}
    sys.stdout.write(table(msgspec.convert(said, Inputs)))
