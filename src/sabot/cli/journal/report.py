"""`sabot journal report`: the report of a table over a period."""

from sabot.audit.kept_sums import ALWAYS_MS, SumReader
from sabot.basics.money import write_net
from sabot.cli.arguments import Flag
from sabot.cli.journal.excerpts import ALWAYS, JournalPeriod
from sabot.cli.journal.shared import ask
from sabot.cli.terminal import console, print_json
from sabot.cli.terminal import table as columns
from sabot.floor.records.program_digest import program_digest
from sabot.floor.records.record_codec import table_of
from sabot.journal.journal import ReadableJournal
from sabot.journal.steady_clock import wall_ms
from sabot.views.reports import Heading, TableReport


def report(place: str, /, *, when: JournalPeriod = ALWAYS, json: Flag = False) -> int:
    """Report the figures of a table over a period: win by station and bet, its expected value, and what was put right.

        sabot journal report floor.journal --day 2026-01-31

        sabot journal report floor.journal --table T1 --from 2026-01-31T18:00

    It is the report that a floor serves, made from the sums that are kept beside the records.

    Parameters
    ----------
    place
        The path of a journal, or its postgresql:// URL.
    json
        Print the stable JSON form.
    """
    found = ask(place, lambda journal: _report(journal, when))
    if json:
        print_json(found)
    else:
        _print(found)
    return 0


async def _report(journal: ReadableJournal, when: JournalPeriod) -> TableReport:
    from sabot.audit.table_report import table_report

    stream, wanted = await when.chosen(journal)
    from_ms, to_ms = wanted.from_ms or 0, ALWAYS_MS if wanted.to_ms is None else wanted.to_ms
    _, signed_to = await journal.vouched(stream)
    name = table_of(stream) or ""
    heading = Heading(f"Table {name}", program_digest(), from_ms, to_ms, wall_ms())
    return table_report(heading, name, await SumReader(journal, stream).between(from_ms, to_ms), signed_to)


def _print(found: TableReport) -> None:
    out, shift = console(), found.shift
    if not found.signed_to:
        out.print(f"nobody has signed the records of table {found.table}", style="yellow")
    shown = columns("figure", "value|")
    for name in ("coups", "void", "dummy", "corrected", "tickets"):
        shown.add_row(name, f"{getattr(shift, name):,}")
    for name in ("drop", "turnover", "metered_win", "booked_win", "variance", "theoretical_win"):
        cents = getattr(shift.win, name)
        shown.add_row(name.replace("_", " "), "" if cents is None else write_net(cents))
    out.print(shown)
    lines = columns("station", "coups|", "drop|", "turnover|", "win|", "commission|", "paid|")
    for one in shift.win.stations:
        money = (one.drop, one.turnover, one.win, one.commission, one.paid)
        lines.add_row(one.station, f"{one.coups:,}", *map(write_net, money))
    out.print(lines)
    bets = columns("bet", "wagers|", "turnover|", "win|", "expected|")
    for bet in found.bets:
        expected = "" if bet.theoretical_win is None else write_net(round(bet.theoretical_win))
        bets.add_row(bet.bet, f"{bet.wagers:,}", write_net(bet.turnover), write_net(bet.win), expected)
    out.print(bets)
