"""`sabot tournament verify`: everything that proves a tournament, in one verdict."""

from msgspec.structs import replace

from sabot.audit.money_aside import MoneyAsideVerdict, check_tournament_records
from sabot.audit.verify import Standing, Verdict
from sabot.audit.verify import verify as prove
from sabot.cli.arguments import Json
from sabot.cli.journal.proof_sources import NO_SOURCES, ProofSources, print_findings, print_standing
from sabot.cli.journal.shared import ProgressPrinter, ask, check_tournament
from sabot.cli.terminal import console, print_json
from sabot.journal.journal import ReadableJournal


def verify(place: str, tournament: str, /, *, proof: ProofSources = NO_SOURCES, json: Json = False) -> int:
    """Prove a tournament, or name the first bad record and say why.

        sabot tournament verify floor.journal SPRING --keys signing.key.ring

    The chain of every stream is walked, and every command decided again: conditions, draws, seats, progress and prizes
    must come out byte for byte. Then every score that was noted is held against the table's own records, every slip
    against the house's, and the money of each table after a session against what it was before.

    The first line is the verdict, and the exit code is that of `sabot journal verify`: 0 where the keys vouch for every
    stream, 1 where they do not or anything is wrong.

    Parameters
    ----------
    place
        The path of a journal, or its postgresql:// URL.
    tournament
        The id of the tournament, such as SPRING.
    """
    progress, against = ProgressPrinter(), proof.against()

    async def proved(journal: ReadableJournal) -> tuple[Verdict, MoneyAsideVerdict]:
        await check_tournament(journal, tournament)
        whole = await prove(journal, against, progress)
        return whole, await check_tournament_records(journal, tournament)

    whole, own = ask(place, proved)
    if not own.ok:
        whole = replace(
            whole, ok=False, standing=Standing.WRONG, says="wrong: money is not what it was before a session"
        )
    if json:
        print_json({"ok": whole.ok, "journal": whole, "money_aside": own})
        return 0 if whole.ok else 1
    out = console()
    print_standing(whole)
    records = sum(one.records for one in whole.streams)
    out.print(
        f"{tournament}: {records:,} records of {len(whole.streams)} streams decided again and compared; the money of "
        f"its tables looked at over {own.sessions:,} sessions."
    )
    print_findings(whole, own.problems)
    return 0 if whole.ok else 1
