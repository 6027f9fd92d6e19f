"""The commands, each loaded when it is given."""

from cyclopts import App

from sabot.cli.front_page import COMMANDS
from sabot.cli.help_text import HelpText


def _version() -> str:
    from importlib.metadata import version

    return version("sabot")


app = App(
    name="sabot",
    version=_version,
    help_format="plaintext",
    help_formatter=HelpText(),
)
for command, summary in COMMANDS.items():
    name = command.replace("-", "_")
    app.command(f"sabot.cli.{name}:{name}", name=command, help=summary)


def explain_in_full(words: list[str]) -> None:
    """The list of commands has a line on each; the help of the one that is asked for is its whole docstring."""
    command = app
    for word in words:
        if word.startswith("-") or word not in command:
            return
        command = command[word]
        if command.default_command is not None:
            command.help = None  # Then its docstring is.
