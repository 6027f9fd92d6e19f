"""Writes a file in TOML, each key on a line: for programs that make a floor's file themselves."""

import json
from collections.abc import Mapping
from typing import Any


def toml_text(file: Mapping[str, Any]) -> str:
    """A value of nothing is left out."""
    return "".join(f"{json.dumps(key)} = {_value(value)}\n" for key, value in file.items() if value is not None)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(key)} = {_value(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value)
