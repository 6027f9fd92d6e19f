"""Figures of a sentence: values that every language can say, and how English says them.

A name that ends in `_cents` is an amount, one that ends in `_ms` a time on the table's clock.
"""

from collections.abc import Mapping

from sabot.basics.money import write_amount

Figure = str | int


def figures_of(values: Mapping[str, object]) -> dict[str, Figure]:
    """Numbers stay numbers; everything else is said in words."""
    return {name: value if isinstance(value, int) else str(value) for name, value in values.items()}


def in_english(sentence: str, figures: Mapping[str, Figure]) -> str:
    return sentence.format(**{name: _said(name, value) for name, value in figures.items()})


def _said(name: str, value: Figure) -> Figure:
    if isinstance(value, str):
        return value
    if name.endswith("_cents"):
        return write_amount(value)
    return write_time(value) if name.endswith("_ms") else value


def write_time(milliseconds: int) -> str:
    """A time on the table's clock as people read it, hours counting on through the night."""
    seconds, rest = divmod(milliseconds, 1000)
    written = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{written}.{rest:03}" if rest else written
