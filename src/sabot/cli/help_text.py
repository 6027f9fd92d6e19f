"""The text of `--help`: paragraphs, indented examples and words in backticks, written without a Markdown library.

Loading that library took longer than a coup takes to explain.
"""

import inspect
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cyclopts import App
    from cyclopts.help import HelpPanel
    from rich.console import Console, ConsoleOptions
    from rich.text import Text


def paragraphs(written: str) -> str:
    """The lines of each paragraph joined, so that a terminal of any width breaks them; an indented example stays."""
    return _joined(inspect.cleandoc(written))


def _joined(clean: str) -> str:
    parts = clean.split("\n\n")
    return "\n\n".join(part if part.startswith("    ") else " ".join(part.split()) for part in parts)


def late_commands(group: "App", commands: Mapping[str, tuple[str, str]]) -> None:
    """Commands whose modules are loaded when they are given: where each is, and its line in the list of commands."""
    for name, (place, summary) in commands.items():
        group.command(place, name=name, help=summary)


def flowing(joined: str) -> "Text":
    """Paragraphs with the words in backticks bold."""
    from rich.text import Text

    words = joined.split("`")
    return Text.assemble(*((part, "bold") if place % 2 else part for place, part in enumerate(words)))


class HelpText:
    """The command line's own form of help, with texts from docstrings; only `--help` loads what it needs."""

    def __call__(self, console: "Console", options: "ConsoleOptions", panel: "HelpPanel") -> None:
        for entry in panel.entries:
            _flow(entry.description)
        _boxed()(console, options, panel)

    def render_usage(self, console: "Console", options: "ConsoleOptions", usage: Any) -> None:
        _boxed().render_usage(console, options, usage)

    def render_description(self, console: "Console", options: "ConsoleOptions", description: Any) -> None:
        _flow(description)
        _boxed().render_description(console, options, description)


def _boxed() -> Any:
    from cyclopts.help.formatters import DefaultFormatter

    return DefaultFormatter()


def _flow(shown: Any) -> None:
    """Put the lines of a docstring together. Its parser moves an example that follows the summary to the left."""
    from rich.text import Text

    text = getattr(shown, "primary_renderable", None)
    if isinstance(text, Text):
        shown.primary_renderable = flowing(_joined(_EXAMPLE.sub("\n    sabot ", text.plain)))


_EXAMPLE = re.compile(r"(?<=\n)\nsabot ")
