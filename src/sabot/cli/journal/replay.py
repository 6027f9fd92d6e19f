"""`sabot journal replay`."""

from sabot.audit.state_at_record import StateAtRecord, state_at_record
from sabot.audit.tournament_at_record import TournamentAtRecord, tournament_at_record
from sabot.basics.money import write_amount, write_net
from sabot.cli.arguments import Json, Number
from sabot.cli.journal.shared import ask, check_tournament, chosen_table
from sabot.cli.road_picture import picture
from sabot.cli.terminal import console, print_json
from sabot.cli.terminal import table as columns
from sabot.journal.journal import ReadableJournal
from sabot.roads.result import read_results
from sabot.roads.roads import lay


def replay(
    place: str,
    /,
    *,
    table: str | None = None,
    tournament: str | None = None,
    until: Number | None = None,
    json: Json = False,
) -> int:
    """Show the state of a table after any record: balances, meters, tickets, roads, and a digest of all of it.

        sabot journal replay night.journal

        sabot journal replay night.journal --until 120 --json

    The events are applied from the first record on; the same journal gives the same digest every time.

    Parameters
    ----------
    place
        The path of a journal, or its postgresql:// URL.
    table
        The table, where the journal has more than one.
    tournament
        Show this tournament instead: phase, entrants, sittings with their scores, slips, and a digest.
    until
        The record after which to show the state; the last one unless given.
    """
    if tournament is not None:
        return _replay_tournament(place, tournament, until, json=json)

    async def asked(journal: ReadableJournal) -> StateAtRecord:
        return await state_at_record(journal, await chosen_table(journal, table), until)

    found = ask(place, asked)
    if json:
        print_json(found)
    else:
        _print(found)
    return 0


def _replay_tournament(place: str, tournament: str, until: int | None, *, json: bool) -> int:
    async def asked(journal: ReadableJournal) -> TournamentAtRecord:
        await check_tournament(journal, tournament)
        return await tournament_at_record(journal, tournament, until)

    found = ask(place, asked)
    if json:
        print_json(found)
    else:
        _print_tournament(found)
    return 0


def _print_tournament(found: TournamentAtRecord) -> None:
    out, figures = console(), found.figures
    phase = figures.phase.replace("_", " ")
    out.print(f"Tournament {found.tournament} after record {found.version}: {phase}")
    for status, number in figures.entrants.items():
        out.print(f"{number:,} {status.replace('_', ' ')}")
    for name, one in figures.sittings.items():
        out.print(f"Sitting {name}: {one.state}, {one.counted} coups counted")
    for name, lines in found.standing.items():
        out.print(name)
        shown = columns("rank|", "entrant|", "score|", "status")
        for line in lines:
            shown.add_row(str(line.rank), str(line.entrant), write_net(line.score), line.status.replace("_", " "))
        out.print(shown)
    out.print(f"digest {found.digest}", style="bold")


def _print(found: StateAtRecord) -> None:
    out = console()
    phase = found.phase.replace("_", " ")
    out.print(f"Table {found.table} after record {found.version}: {phase}, coup {found.coup} of shoe {found.shoe}")
    accounts = columns("station", "balance|", "on the layout|", "held|", "owed|", "wagered|", "credited|", "coups|")
    for station, balance in found.balances.items():
        meters = found.meters.get(station)
        layout = sum(found.layout.get(station, {}).values())
        cents = (balance, layout, found.held.get(station, 0), found.owed.get(station, 0))
        counted = (meters.wagered, meters.credited, meters.coups) if meters else (0, 0, 0)
        accounts.add_row(station, *map(write_amount, (*cents, *counted[:2])), str(counted[2]))
    out.print(accounts)
    books = columns("account", "balance|")
    for account, balance in sorted(found.books.items()):
        books.add_row(account, write_net(balance))
    out.print(books)
    for number, ticket in found.tickets.items():
        out.print(f"Ticket {number} of {ticket.station} for {write_amount(ticket.cents)}: {ticket.status}")
    for line in picture(lay(read_results(found.results)), width=out.width):
        out.print(line)
    out.print(f"digest {found.digest}", style="bold")
