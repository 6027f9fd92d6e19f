"""`sabot manual`: the help of every command as one page for `man`."""

import inspect
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cyclopts import App

PARAMETERS = re.compile(r"\nParameters\n-+\n")
"""Where the parameters of a command begin in its docstring; they are listed with their names as they are typed."""


def manual() -> int:
    """Print the manual page of sabot, made from the help of its commands.

        sabot manual > ~/.local/share/man/man1/sabot.1

    Then man sabot shows it.
    """
    from importlib.metadata import version

    from sabot.cli.commands import app
    from sabot.cli.front_page import INTRODUCTION
    from sabot.cli.help_text import paragraphs

    lines = [
        f'.TH SABOT 1 "" "sabot {version("sabot")}" "Sabot"',
        ".SH NAME",
        r"sabot \- an electronic table game system for baccarat",
        ".SH SYNOPSIS",
        r".B sabot",
        r"\fICOMMAND\fR [\fIOPTIONS\fR]",
        ".SH DESCRIPTION",
        *_described(paragraphs(INTRODUCTION)),
        ".SH COMMANDS",
    ]
    for name, command in all_commands(app, "sabot"):
        description = PARAMETERS.split(inspect.getdoc(command.default_command) or "", maxsplit=1)[0]
        lines += [f".SS {_plain(name)}", *_described(description), *_parameters(command)]
    print("\n".join(lines))  # noqa: T201  It is the answer.
    return 0


def all_commands(group: "App", words: str) -> Iterator[tuple[str, "App"]]:
    """Every command with its words, in the order of the alphabet."""
    for name in sorted(name for name in group if not name.startswith("-")):
        command = group[name]
        if command.default_command is not None:
            yield f"{words} {name}", command
        yield from all_commands(command, f"{words} {name}")


def _described(written: str) -> Iterator[str]:
    for paragraph in written.split("\n\n"):
        if paragraph.startswith("    "):
            yield from (".PP", ".RS 4", ".nf", *map(_plain, inspect.cleandoc(paragraph).splitlines()), ".fi", ".RE")
        elif paragraph.strip():
            yield from (".PP", _plain(" ".join(paragraph.replace("`", "").split())))


def _parameters(command: "App") -> Iterator[str]:
    for argument in command.assemble_argument_collection(parse_docstring=True):
        if argument.show:
            names = ", ".join(argument.names)
            yield from (".TP", rf"\fB{_plain(names)}\fR", _plain(" ".join((argument.parameter.help or "").split())))


def _plain(text: str) -> str:
    """Text that roff takes as it is."""
    safe = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{safe}" if safe.startswith((".", "'")) else safe
