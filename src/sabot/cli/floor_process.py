"""A process of a floor, for `sabot serve`: run, only checked, or told to hand its tables over."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import msgspec

from sabot.basics.mistake import Mistake
from sabot.cli.exit_codes import RECORDS_LOST
from sabot.cli.sentences import in_one_sentence
from sabot.cli.terminal import console, print_json
from sabot.cli.terminal import table as columns
from sabot.floor.records.program_digest import program_digest
from sabot.floor.records.record_codec import table_stream
from sabot.floor.records.recovery import recover_table
from sabot.floor.table_edits import TableEdit, plan_edits
from sabot.journal.keys import read_signing_key
from sabot.journal.opening import open_to_read, path_of
from sabot.runtime.draining import Drain, DrainedTable
from sabot.table.state import TableState
from sabot.web.http.monitoring import NOT_SIGNED
from sabot.web.identity.vault import Unavailable
from sabot.web.serving.control import ControlAnswer, ControlOrder, connected
from sabot.web.serving.findings import FileFinding, findings
from sabot.web.serving.floor_file import Floor, JournalPart, address_of, read_floor_file, read_places
from sabot.web.serving.logs import set_up_logs
from sabot.web.serving.process import system_ms
from sabot.web.serving.self_checks import check_disk, check_secrets
from sabot.web.serving.server import RecordsLost, run
from sabot.web.serving.server import serve as serve_floor
from sabot.web.serving.start_checks import check_openable


def serve_tables(config: Path) -> int:
    wanted = read_floor_file(config)
    set_up_logs(wanted.file.log.level, wanted.file.log.form)
    with in_one_sentence():
        try:
            run(serve_floor(wanted, program_digest()))
        except RecordsLost as lost:
            console(to_error=True).print(f"sabot: {lost}")
            return RECORDS_LOST
    return 0


def _signing(part: JournalPart) -> str:
    """What vouches for the journal, in one sentence; the key is read if it is there."""
    if part.unsigned:
        return NOT_SIGNED
    path = Path(part.signing_key)
    if not path.exists():
        return f"signed with {path}, which is made at the first start; anchored in {part.anchor}"
    with in_one_sentence():
        return f"signed with {path}, key {read_signing_key(path).public.id}; anchored in {part.anchor}"


def drain_tables(floor: Path, asked: Drain, *, json: bool) -> int:
    lines = []
    for answer in answers(floor, ControlOrder(drain=asked)):
        if answer.table is not None:
            lines.append(answer.table)
            if not json:
                console().print(_said_of(answer.table))
        if answer.done:
            if json:
                print_json({"complete": answer.complete, "steps": lines})
            return 0 if answer.complete else 1
    raise Mistake("the process ended before it had drained its tables")


def ask_to_rotate(floor: Path) -> tuple[int, str]:
    """Have a running floor rotate its journal; returns the number and the digest of the seal."""
    for answer in answers(floor, ControlOrder(rotate=True)):
        if answer.done:
            return answer.part, answer.seal
    raise Mistake("the process ended before it had rotated its journal: it is ended or undone at the next start")


def apply_files(floor: Path, *, json: bool) -> int:
    """The exit code is 1 where an edit will never take effect by the file."""
    wanted = read_floor_file(floor)
    files = tuple(msgspec.to_builtins(one.configuration, enc_hook=str) for one in wanted.tables)
    for answer in answers(floor, ControlOrder(apply=files, file=wanted.file)):
        if answer.done:
            if json:
                print_json(answer.edits)
            else:
                _show_edits(answer.edits)
            return int(any(edit.when == "not by this file" for edits in answer.edits.values() for edit in edits))
    raise Mistake("the process ended before it had read the files")


def _show_edits(by_table: dict[str, tuple[TableEdit, ...]]) -> None:
    out = console()
    for table, edits in by_table.items():
        for edit in edits:
            out.print(f"{table}: {edit.sentence}", soft_wrap=True)
    if not any(by_table.values()):
        out.print("the tables' files say what is on record")


def recorded_edits(wanted: Floor) -> dict[str, tuple[TableEdit, ...]]:
    """What the edits since the last start will come to, by what is on record; nothing of a table without records."""
    path = path_of(wanted.file.journal.place)
    if path is not None and not path.exists():
        return {}

    async def read() -> dict[str, tuple[TableEdit, ...]]:
        journal = await open_to_read(address_of(wanted.file.journal))
        try:
            found: dict[str, tuple[TableEdit, ...]] = {}
            for one in wanted.tables:
                state = (await recover_table(journal, table_stream(one.configuration.table))).state
                if isinstance(state, TableState):
                    edits = plan_edits(state, one.configuration, system_ms()).edits
                    found |= {one.configuration.table: edits} if edits else {}
            return found
        finally:
            await journal.close()

    with in_one_sentence():
        return asyncio.run(read())


def answers(floor: Path, order: ControlOrder) -> Iterator[ControlAnswer]:
    """What the process of a floor says to an order, line by line; what it refuses is a `Mistake`."""
    with connected(Path(read_places(floor).control)) as asking, asking.makefile("rwb") as said:
        said.write(msgspec.json.encode(order) + b"\n")
        said.flush()
        for line in said:
            answer = msgspec.json.decode(line, type=ControlAnswer)
            if answer.refused:
                raise Mistake(answer.refused)
            yield answer


def _said_of(one: DrainedTable) -> str:
    match one.step:
        case "waits":
            return f"{one.table}: coup {one.coup} is played to its end" if one.coup else f"{one.table}: no coup is on"
        case "released":
            return f"{one.table}: released"
        case "taken":
            return f"{one.table}: served by {one.owner}"
        case "not_taken":
            return f"{one.table}: nobody has taken it yet"
        case "not_here":
            return f"{one.table}: not served here" + (f", but by {one.owner}" if one.owner else "")
        case "too_late":
            return f"{one.table}: coup {one.coup} has not ended in time; the table stays"


def check_floor(config: Path, *, json: bool) -> int:
    """Print what the file says and what an operator should know of it. What keeps it from starting is a `Mistake`."""
    wanted = read_floor_file(config)
    file = wanted.file
    set_up_logs("error", "auto")
    check_secrets(file)
    check_disk(file)
    file.listen.tls()
    behind = _checked_as_at_a_start(wanted)
    found = findings(wanted, config)
    signing, edits = _signing(file.journal), recorded_edits(wanted)
    if json:
        print_json({**_checked(wanted, signing, found), "clock": behind or "", "edits": edits})
        return 0
    out = console()
    out.print(f"{file.floor}: {file.listen.host} port {file.listen.port}, journal {file.journal.place}")
    shown = columns("table", "rule set", "stations|", "dealer")
    for one in wanted.tables:
        configuration = one.configuration
        shown.add_row(configuration.table, configuration.rule_set, str(len(configuration.stations)), one.part.dealer)
    out.print(shown)
    out.print(signing, soft_wrap=True)
    if behind is not None:
        out.print(behind, style="yellow", soft_wrap=True)
    if edits:
        _show_edits(edits)
    for finding in found:
        style = {"critical": "bold red", "warning": "yellow"}.get(finding.level, "dim")
        out.print(f"{finding.level}: {finding.key}: {finding.what}", style=style, soft_wrap=True)
        out.print(f"    {finding.do}", soft_wrap=True)
    out.print(_verdict(found), style="yellow" if _weighty(found) else "green")
    return 0


def _checked_as_at_a_start(wanted: Floor) -> str | None:
    """What is wrong with the clock, if anything is."""
    try:
        with in_one_sentence():
            return asyncio.run(check_openable(wanted, system_ms()))
    except Unavailable as away:
        raise Mistake(away.why) from None


def _weighty(found: list[FileFinding]) -> list[FileFinding]:
    return [one for one in found if one.level != "note"]


def _verdict(found: list[FileFinding]) -> str:
    weighty = _weighty(found)
    if not weighty:
        return "the file is good"
    return f"the file is good, but for what is named above: {len(weighty)} to see to before patrons play"


def _checked(wanted: Floor, signing: str, found: list[FileFinding]) -> dict[str, object]:
    file = wanted.file
    tables = [
        {
            "table": one.configuration.table,
            "rule_set": one.configuration.rule_set,
            "stations": len(one.configuration.stations),
            "dealer": one.part.dealer,
        }
        for one in wanted.tables
    ]
    listen = {"host": file.listen.host, "port": file.listen.port}
    return {
        "floor": file.floor,
        "listen": listen,
        "journal": file.journal.place,
        "signing": signing,
        "tables": tables,
        "findings": found,
        "good": not _weighty(found),
    }
