"""Conditions files: TOML written by hand, or the JSON that `sabot tournament check FILE --json` prints.

Reading either gives `Conditions` that a tournament can be played by, or every problem with its key and clause.
"""

import hashlib
from collections.abc import Mapping

import msgspec

from sabot.tournament.conditions.check import problems_of
from sabot.tournament.conditions.parts import Conditions
from sabot.tournament.conditions.problem import ConditionsProblem, ConditionsRefused

__all__ = ["digest_of", "problems_of", "raw_conditions", "read_conditions", "write_conditions"]
_PRINTED = {"file", "problems", "digest", "conditions"}


def raw_conditions(text: bytes, file: str) -> object:
    """The text of a file as plain values. The suffix of `file` tells JSON from TOML.

    What `sabot tournament check FILE --json` prints is a file too: its `conditions` are read.
    """
    try:
        raw: object = msgspec.json.decode(text) if file.endswith(".json") else msgspec.toml.decode(text)
    except (ValueError, RecursionError) as error:
        unread = ConditionsProblem("the file", "CROWN 12.2.1", f"cannot be read: {error}")
        raise ConditionsRefused(file, [unread]) from None
    return raw["conditions"] if isinstance(raw, dict) and raw.keys() == _PRINTED else raw


def read_conditions(raw: Mapping[str, object], source: str = "the conditions") -> Conditions:
    """The conditions in plain values. `source` names them in the refusal, which carries every problem."""
    if problems := problems_of(raw):
        raise ConditionsRefused(source, problems)
    return msgspec.convert(raw, Conditions)


def write_conditions(conditions: Conditions) -> bytes:
    """The canonical JSON: keys in order, defaults left out. `read_conditions` reads it back to equal conditions."""
    return msgspec.json.encode(conditions, order="sorted")


def digest_of(conditions: Conditions) -> str:
    """The SHA-256 that an approval names (CROWN 12.1.3).

    It leaves out approval and director: to fill in an approval or to appoint another director makes no new version.
    """
    written = msgspec.to_builtins(conditions)
    for part in ("approval", "director"):
        written.pop(part, None)
    return hashlib.sha256(msgspec.json.encode(written, order="sorted")).hexdigest()
