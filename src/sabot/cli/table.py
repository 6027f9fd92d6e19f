"""`sabot table`: a table played by hand or from a script."""

import sys
from pathlib import Path
from typing import Any

import msgspec

from sabot.basics.mistake import Mistake
from sabot.basics.money import write_amount
from sabot.cli.arguments import Flag, read_rule_set_argument
from sabot.cli.keeping import Manner, Place, keep_table
from sabot.cli.terminal import answer_lines, console, print_json
from sabot.floor.kept import KeptTable
from sabot.floor.pit import BESIDE_THE_TABLE, Pit
from sabot.floor.sentences import event_schema, told
from sabot.table.configuration import Configuration, read_configuration
from sabot.table.conversation import Answer, Conversation
from sabot.table.fixtures import NAMES, fixture
from sabot.table.shorthand import FIELDS, read_line


def table(
    *,
    config: str = "crown",
    rule_set: str | None = None,
    journal: str | None = None,
    key: Path | None = None,
    anchor: Path | None = None,
    json: Flag = False,
    schema: Flag = False,
) -> int:
    """Play a table by hand or from a script on standard input.

        sabot table

        sabot table --config singapore --rule-set rws-non-commission < night.txt

        sabot table --json < night.jsonl

    By hand, a line says who does what: `D1 sign_on`, `D1 buy_in A1 200`, `A1 set_wager banker 25`, `D1 card 9S`.
    Amounts are currency units; `@29.999` before a line sets the time in seconds and `+30` lets it pass. Each event is
    told as a sentence with its clause; type help for the verbs.

    With --json each line is {"do":VERB,"by":WHO,"at_ms":TIME,...} and gets one answer line. docs/table.md has every
    verb with its fields.

    With --journal everything is recorded before it is answered, and a table that the journal knows goes on exactly
    where it was:

        sabot keys new casino.key

        sabot table --journal night.journal --key casino.key --anchor /other-disk/night.anchor

    Parameters
    ----------
    config
        crown or singapore, the configurations that come with Sabot, or the path of a .toml or .json file.
    rule_set
        Play the configuration under this rule set, by id or file, instead of its own.
    journal
        Record the table here: the path of a file, made if it is not there, or a postgresql:// URL.
    key
        Sign a checkpoint with this key at each settled coup and at the end; `sabot keys new` makes one.
    anchor
        Keep the journal's heads in this file, too, if possible on another disk: it shows a tail that was cut off.
    json
        One JSON line in, one out.
    schema
        Print the JSON Schema of the events and stop.
    """
    if schema:
        print_json(event_schema())
        return 0
    configuration = configuration_of(config, rule_set)
    if journal is not None:
        return keep_table(Place(journal, key, anchor), configuration, _IN_JSON if json else _IN_WORDS)
    if key is not None or anchor is not None:
        raise Mistake("--key and --anchor are for a table that is recorded: give --journal too")
    talk = Pit().enter(configuration)
    if json:
        answer_lines(lambda line: _answer(talk, line))
    else:
        _talk(talk)
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


def _answer(talk: Conversation, line: bytes) -> bytes:
    """Every line gets an answer of the one form, a line that is no JSON too."""
    return msgspec.json.encode(talk.answer(_asked(line)))


def _asked(line: bytes) -> dict[str, Any]:
    try:
        asked = msgspec.json.decode(line)
    except (ValueError, RecursionError) as error:
        asked = {"do": None, "problem": str(error)}
    return asked if isinstance(asked, dict) else {"do": None}


async def answer_together(kept: KeptTable, lines: list[bytes]) -> None:
    """JSON lines that arrived together are recorded together, then answered."""
    answers = await kept.answer([_asked(line) for line in lines])
    sys.stdout.buffer.write(b"".join(msgspec.json.encode(answer) + b"\n" for answer in answers))
    sys.stdout.buffer.flush()


async def answer_one(kept: KeptTable, lines: list[bytes]) -> None:
    """Lines of words are answered one by one, for each may depend on the time that the one before it set."""
    for line in lines:
        asked = _understood(kept.talk, line.decode(errors="replace"))
        if asked is not None:
            [answer] = await kept.answer([asked])
            _tell(kept.talk, answer)


def tell_what_was_found(kept: KeptTable) -> None:
    """A coup that was under way when the program stopped is void, or waits to be confirmed; somebody must know."""
    for event in kept.found:
        console().print(f"  {told(event)}")


_IN_JSON = Manner(lambda _: None, answer_together)
_IN_WORDS = Manner(tell_what_was_found, answer_one)


def _talk(talk: Conversation) -> None:
    for line in sys.stdin:
        asked = _understood(talk, line)
        if asked is not None:
            _tell(talk, talk.answer(asked))


def _understood(talk: Conversation, line: str) -> dict[str, Any] | None:
    """What a line of words asks of the table; nothing where it asks for help, says nothing, or cannot be read."""
    out = console()
    text = line.split("#", 1)[0].strip()
    if text == "help":
        for verb, fields in {**FIELDS, **BESIDE_THE_TABLE}.items():
            out.print(f"  WHO {verb} {' '.join(fields)}")
        return None
    if text and not sys.stdin.isatty():
        out.print(f"> {text}", style="bold")
    try:
        return read_line(text, talk.now_ms, BESIDE_THE_TABLE) if text else None
    except Mistake as mistake:
        out.print(f"  ? {mistake}", style="yellow")
        return None


def _tell(talk: Conversation, answer: Answer) -> None:
    out = console()
    if answer.refusal is not None:
        clause = f" ({answer.refusal.clause})" if answer.refusal.clause else ""
        out.print(f"  ✗ {answer.refusal.text}{clause}", style="red")
        if answer.refusal.alarm:
            out.print(f"  ! {answer.refusal.alarm}", style="bold red")
    for event in answer.events:
        out.print(f"  {told(event)}")
    if answer.next is not None:
        out.print(f"  → next to {answer.next.hand.capitalize()}: {answer.next.reason}", style="dim")
    open_stations = [name for name, station in talk.state.stations.items() if station.is_open]
    balances = ", ".join(f"{name} {write_amount(answer.balances[name])}" for name in open_stations)
    if answer.events and balances:
        out.print(f"  {answer.phase.replace('_', ' ')} · {balances}", style="dim")
