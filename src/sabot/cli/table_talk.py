"""A table that is talked to in lines, of words or of JSON, for `sabot table`."""

import sys
from pathlib import Path
from typing import Any

import msgspec

from sabot.basics.mistake import Mistake
from sabot.basics.money import write_amount
from sabot.cli.arguments import read_rule_set_argument
from sabot.cli.recording import RecordPlace
from sabot.cli.terminal import answer_lines, console, print_json
from sabot.floor.lines.answer import LineAnswer
from sabot.floor.lines.floor_lines import FloorLines
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.floor.lines.words import SHOW, WORDS, read_line
from sabot.floor.sentences import event_schema, told
from sabot.table.configuration import Configuration, read_configuration
from sabot.table.fixtures import NAMES, fixture


def talk(configuration: Configuration, place: RecordPlace | None, *, json: bool) -> int:
    """Answer standard input at a table, recorded or not."""
    if place is not None:
        from sabot.cli.recorded_table import Speech, play_recorded

        in_words = Speech(tell_what_was_found, answer_in_words)
        return play_recorded(place, configuration, Speech(lambda _: None, answer_in_json) if json else in_words)
    played = LineFloor().enter(configuration)
    if json:
        answer_lines(lambda line: _answered(played, line))
    else:
        _talk(played)
    return 0


def print_schema() -> int:
    print_json(event_schema())
    return 0


def configuration_of(name: str, rule_set: str | None) -> Configuration:
    configuration = fixture(name) if name in NAMES else _read_file(name)
    if rule_set is None:
        return configuration
    chosen = read_rule_set_argument(rule_set)
    own = chosen if rule_set.endswith((".toml", ".json")) else None
    return msgspec.structs.replace(configuration, rule_set=chosen.id, own_rule_set=own)


def _read_file(name: str) -> Configuration:
    if not name.endswith((".toml", ".json")):
        return fixture(name)
    try:
        text = Path(name).read_bytes()
        written = msgspec.json.decode(text) if name.endswith(".json") else msgspec.toml.decode(text)
    except OSError as error:
        raise Mistake(f"{name} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise Mistake(f"{name} cannot be read: {error}") from None
    return read_configuration(written)


def read_asked(played: LineTable | FloorLines, line: bytes) -> dict[str, Any]:
    """A line of JSON or of words."""
    text = line.strip()
    if not text.startswith((b"{", b"[", b'"')):
        return read_line(text.decode(errors="replace"), played.now_ms, played.zone)
    try:
        asked = msgspec.json.decode(text)
    except (ValueError, RecursionError) as error:
        raise Mistake(f"the line is not JSON: {error}") from None
    if not isinstance(asked, dict):
        raise Mistake("a line is a JSON object, or words")
    return asked


def _answered(played: LineTable, line: bytes) -> bytes:
    """Every line gets an answer of the one form, one that cannot be read, too."""
    try:
        answer = played.answer(read_asked(played, line))
    except Mistake as mistake:
        answer = played.refuse(mistake)
    return msgspec.json.encode(answer)


async def answer_in_json(played: LineTable, lines: list[bytes]) -> None:
    """Each line is recorded, then answered."""
    for line in lines:
        try:
            answer = await played.ask(read_asked(played, line))
        except Mistake as mistake:
            answer = played.refuse(mistake)
        sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
        sys.stdout.buffer.flush()


async def answer_in_words(played: LineTable, lines: list[bytes]) -> None:
    for line in lines:
        asked = _understood(played, line.decode(errors="replace"))
        if asked is not None:
            _tell(played, await played.ask(asked))


def tell_what_was_found(played: LineTable) -> None:
    """A coup that was under way when the program stopped is void, or waits to be confirmed; the dealer must know."""
    for event in played.found:
        console().print(f"  {told(event)}")


def _talk(played: LineTable) -> None:
    for line in sys.stdin:
        asked = _understood(played, line)
        if asked is not None:
            _tell(played, played.answer(asked))


def _understood(played: LineTable, line: str) -> dict[str, Any] | None:
    """What a line asks of the table; nothing where it asks for help, is empty, or cannot be read."""
    out = console()
    text = line.strip() if line.lstrip().startswith("{") else line.split("#", 1)[0].strip()
    if text == "help":
        for verb, fields in WORDS.items():
            out.print(f"  WHO {verb} {' '.join(fields)}")
        out.print(f"  {SHOW} ledger meters")
        return None
    if text and not sys.stdin.isatty():
        out.print(f"> {text}", style="bold")
    try:
        return read_asked(played, text.encode()) if text else None
    except Mistake as mistake:
        out.print(f"  ? {mistake}", style="yellow")
        return None


def _tell(played: LineTable, answer: LineAnswer) -> None:
    out = console()
    if answer.refusal is not None:
        clause = f" ({answer.refusal.clause})" if answer.refusal.clause else ""
        out.print(f"  ✗ {answer.refusal.text}{clause}", style="red")
        if answer.refusal.alarm:
            out.print(f"  ! {answer.refusal.alarm}", style="bold red")
    for sentence in answer.sentences:
        out.print(f"  {sentence}")
    if answer.next is not None:
        out.print(f"  → next to {answer.next.hand.capitalize()}: {answer.next.reason}", style="dim")
    if not isinstance(answer.ledger, msgspec.UnsetType):
        for account, cents in answer.ledger.items():
            out.print(f"  {account} {write_amount(cents)}")
    if not isinstance(answer.meters, msgspec.UnsetType):
        for station, meters in answer.meters.items():
            figures = {"in": sum(meters.came_in.values()), "paid": sum(meters.paid.values())}
            figures |= {"wagered": meters.wagered, "credited": meters.credited, "commission": meters.commission}
            told_figures = ", ".join(f"{name} {write_amount(cents)}" for name, cents in figures.items())
            out.print(f"  {station}: {told_figures}")
    open_stations = [name for name, station in played.state.stations.items() if station.is_open]
    balances = ", ".join(f"{name} {write_amount(answer.balances[name])}" for name in open_stations)
    if answer.events and balances:
        out.print(f"  {answer.phase.replace('_', ' ')} · {balances}", style="dim")
