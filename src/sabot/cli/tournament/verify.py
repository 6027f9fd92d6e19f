"""`sabot tournament verify`: everything that proves a tournament, in one verdict."""

from sabot.audit.money_aside import MoneyAsideVerdict, check_tournament_records
from sabot.audit.verify import Against, Verdict
from sabot.audit.verify import verify as prove
from sabot.cli.arguments import Json
from sabot.cli.journal.shared import ProgressPrinter, ask, check_tournament
from sabot.cli.terminal import console, print_json
from sabot.floor.records.program_digest import program_digest
from sabot.journal.journal import ReadableJournal


def verify(place: str, tournament: str, /, *, json: Json = False) -> int:
    """Prove a tournament, or name the first bad record and say why. The exit code is 1 when anything is wrong.

        sabot tournament verify floor.journal SPRING

    The chain of every stream is walked, and every command decided again: conditions, draws, seats, progress and prizes
    must come out byte for byte. Then every score that was noted is held against the table's own records, every slip
    against the house's, and the money of each table after a session against what it was before.

    Parameters
    ----------
    place
        The path of a journal, or its postgresql:// URL.
    tournament
        The id of the tournament, such as SPRING.
    """
    progress = ProgressPrinter()

    async def proved(journal: ReadableJournal) -> tuple[Verdict, MoneyAsideVerdict]:
        await check_tournament(journal, tournament)
        whole = await prove(journal, Against(program_digest()), progress)
        return whole, await check_tournament_records(journal, tournament)

    whole, own = ask(place, proved)
    is_ok = whole.ok and own.ok
    if json:
        print_json({"ok": is_ok, "journal": whole, "money_aside": own})
        return 0 if is_ok else 1
    out = console()
    for problem in (*whole.problems, *own.problems):
        out.print(f"✗ {problem}", style="bold red", soft_wrap=True)
    records = sum(one.records for one in whole.streams)
    out.print(
        f"{tournament}: {records:,} records of {len(whole.streams)} streams decided again and compared; the money of "
        f"its tables looked at over {own.sessions:,} sessions."
    )
    for sentence in whole.unproved:
        out.print(f"  {sentence}", style="dim")
    if is_ok:
        out.print("✓ nothing is wrong", style="green")
    return 0 if is_ok else 1
