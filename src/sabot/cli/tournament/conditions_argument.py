"""Conditions on the command line: a file, or the name of shipped ones."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from sabot.basics.mistake import Mistake
from sabot.tournament.conditions.file import raw_conditions
from sabot.tournament.conditions.fixtures import NAMES, fixture_text

ConditionsArgument = Annotated[
    str, Parameter(help=f"The path of a conditions file (.toml or .json), or one of {', '.join(NAMES)}.")
]


def read_conditions_argument(written: str) -> tuple[str, object]:
    """The file's name, and what stands in it as plain values."""
    if not written.endswith((".toml", ".json")):
        return f"{written}.toml", raw_conditions(fixture_text(written), f"{written}.toml")
    try:
        return written, raw_conditions(Path(written).read_bytes(), written)
    except OSError as error:
        raise Mistake(f"{written} cannot be read: {error.strerror}") from None
