"""Pages about commands, acts, events, refusals and clauses."""

import inspect
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, get_args

from docsite.describing import cell, code, fields, in_a_line, summary, table
from sabot.basics.act import verb
from sabot.basics.role import in_words
from sabot.cli.commands import app
from sabot.cli.manual import PARAMETERS, all_commands
from sabot.floor.sentences import PHRASES
from sabot.floor.stamper import StampCause
from sabot.house import decide as house
from sabot.house.events import AnyHouseEvent
from sabot.house.refusal import HouseCause
from sabot.rulebook.clauses import DOCUMENTS, ClauseKind, clauses, readings, resting
from sabot.table import rules as at_a_table
from sabot.table.events import AnyEvent
from sabot.table.refusal import Cause
from sabot.tournament import decide as tournament
from sabot.tournament.events import AnyTournamentEvent
from sabot.tournament.refusal import TournamentCause
from sabot.web.http.refusal import WebCause

if TYPE_CHECKING:
    from cyclopts import App


def commands() -> Iterator[str]:
    for name, command in all_commands(app, "sabot"):
        yield from (f"## {name}", "")
        written = PARAMETERS.split(inspect.getdoc(command.default_command) or "", maxsplit=1)[0]
        yield from _described(written)
        yield from _parameters(command)


def _described(written: str) -> Iterator[str]:
    """Paragraphs; examples that follow one another are one block."""
    for block in re.split(r"\n\n(?=\S)", written):
        first, *_ = block.splitlines() or [""]
        if first.startswith("    "):
            yield from _example(block)
            continue
        text, *examples = re.split(r"\n\n(?=    )", block)
        yield from (" ".join(text.replace("<", "&lt;").split()), "")
        if examples:
            yield from _example("\n".join(examples))


def _example(written: str) -> Iterator[str]:
    lines = (line for line in inspect.cleandoc(written).splitlines() if line.strip())
    yield from ("```text", *(line.strip() for line in lines), "```", "")


def _parameters(command: "App") -> Iterator[str]:
    rows = []
    for argument in command.assemble_argument_collection(parse_docstring=True):
        if argument.show:
            names = ", ".join(code(name) for name in argument.names)
            rows.append((names, cell(argument.parameter.help or "")))
    if rows:
        yield from table(("option", "meaning"), rows)


def acts() -> Iterator[str]:
    streams: tuple[tuple[str, dict[Any, Any]], ...] = (
        ("To a table", at_a_table.RULES),
        ("To the house", house.RULES),
        ("To a tournament", tournament.RULES),
    )
    for title, rules in streams:
        yield from (f"## {title}", "")
        for act, rule in sorted(rules.items(), key=lambda one: verb(one[0])):
            clause = rule.clause if isinstance(rule.clause, str) else "by what is asked"
            yield from (f"### {code(verb(act))}", "")
            if said := summary(act):
                yield from (said, "")
            yield from (f"May be given by: {in_words(rule.who)}. Clause: {cell(clause)}.", "")
            yield from fields(act)


def events() -> Iterator[str]:
    streams = (("Of a table", AnyEvent), ("Of the house", AnyHouseEvent), ("Of a tournament", AnyTournamentEvent))
    for title, union in streams:
        yield from (f"## {title}", "")
        for event in sorted(get_args(union), key=lambda one: str(one.__name__)):
            yield from (f"### {code(event.__name__)}", "")
            if sentence := PHRASES.get(event.__name__):
                yield from (f"“{cell(sentence)}”", "")
            if said := summary(event):
                yield from (said, "")
            if named := in_a_line(event):
                yield from (f"Fields: {named}.", "")


def refusals() -> Iterator[str]:
    yield from ("## Of a table", "", "The last column is for the documents other than Crown's.", "")
    yield from table(
        ("code", "sentence", "Crown", "elsewhere"),
        ((code(one.name.lower()), cell(one.sentence), cell(one.crown), cell(one.elsewhere)) for one in Cause),
    )
    for title, causes in (
        ("Of the house", HouseCause),
        ("Of a tournament", TournamentCause),
        ("Of a stamp", StampCause),
    ):
        yield from (f"## {title}", "")
        yield from table(
            ("code", "sentence", "clause"),
            ((code(one.name.lower()), cell(one.sentence), cell(one.clause)) for one in causes),
        )
    yield from ("## Of HTTP", "")
    yield from table(
        ("code", "status", "sentence", "clause"),
        ((code(one.code), str(one.status), cell(one.sentence), cell(one.clause)) for one in WebCause),
    )


def clause_page() -> Iterator[str]:
    meaning = {kind: inspect.cleandoc(text) for kind, text in _kinds().items()}
    yield from table(("kind", "what software owes it"), ((code(kind), cell(text)) for kind, text in meaning.items()))
    rests = resting()
    for document in DOCUMENTS:
        yield from (f"## {document}", "")
        rows = []
        for one in clauses().values():
            if one.document == document:
                by = ", ".join(rests[one.id].readings) if one.id in rests else ""
                rows.append((cell(one.id), one.kind.value, cell(one.restatement), by))
        yield from table(("clause", "kind", "restatement", "rests on"), rows)


def _kinds() -> dict[str, str]:
    """The note under each member of the enumeration."""
    source = inspect.getsource(ClauseKind)
    return dict(re.findall(r'    (\w+) = "\w+"\n    """(.*?)"""', source, re.DOTALL))


def reading_page() -> Iterator[str]:
    for one in readings().values():
        yield from (
            f"## {one.id}",
            "",
            f"**{cell(one.where)}.** {cell(one.problem)}",
            "",
            f"*Reading:* {cell(one.reading)}",
            "",
        )
