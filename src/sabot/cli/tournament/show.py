"""`sabot tournament show`: the standing of a tournament, now or as of any counted coup."""

from sabot.audit.tournament_at_record import ShownRound, tournament_shown, tournament_state
from sabot.basics.money import write_amount
from sabot.cli.arguments import Json, Number
from sabot.cli.journal.shared import ask, check_tournament
from sabot.cli.terminal import console, print_json, table
from sabot.journal.journal import ReadableJournal


def show(
    place: str,
    tournament: str,
    /,
    *,
    round: str | None = None,  # noqa: A002  The word of the rules.
    coup: Number | None = None,
    json: Json = False,
) -> int:
    """Show where everybody stands, from the records alone.

        sabot tournament show floor.journal SPRING

        sabot tournament show floor.journal SPRING --round heats --coup 12

    Parameters
    ----------
    place
        The path of a journal, or its postgresql:// URL.
    tournament
        The id of the tournament.
    round
        The round; the newest one that has begun unless given.
    coup
        As of this counted coup of every table; as of the newest unless given.
    """

    async def read(journal: ReadableJournal) -> ShownRound:
        await check_tournament(journal, tournament)
        return tournament_shown(await tournament_state(journal, tournament), round, coup)

    shown = ask(place, read)
    if json:
        print_json(shown)
        return 0
    out = console()
    as_of = "the newest scores" if shown.coup is None else f"counted coup {shown.coup}"
    state = "confirmed" if shown.confirmed else "provisional"
    out.print(
        f"{shown.tournament}, {shown.phase.replace('_', ' ')}: {shown.round or 'no round yet'}, {state}", style="bold"
    )
    out.print(f"as of {as_of}", style="dim")
    lines = table("rank|", "entrant|", "score|", "table", "status")
    for one in shown.standing:
        lines.add_row(str(one.rank), str(one.entrant), write_amount(one.score), one.table, one.status)
    out.print(lines)
    for prize in shown.prizes:
        out.print(f"  {prize.place}. entrant {prize.entrant}: {write_amount(prize.cents)}")
    return 0
