"""The words of reports in every language of the pages, as `screens/messages.py` takes them from the catalogues."""

from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from sabot.basics.figures import Figure
from sabot.basics.mistake import Mistake
from sabot.basics.money import write_net

FIRST = "en"
"""The language of the command line."""


class ReportWords:
    def __init__(self, language: str = FIRST) -> None:
        known = _catalogues()
        if language not in known:
            raise Mistake(f"there is no language {language!r}: give one of {', '.join(known)}")
        self._words = known[language]

    def say(self, key: str, values: Mapping[str, Figure] | None = None) -> str:
        """A word or a sentence. What the catalogues do not have, such as a casino's own bet, is said by its key."""
        said = self._words.get(key, key.replace("_", " "))
        for name, value in (values or {}).items():
            shown = write_net(value) if name.endswith("_cents") and isinstance(value, int) else str(value)
            said = said.replace("{" + name.removesuffix("_cents") + "}", shown)
        return said

    def word(self, prefix: str, cell: str) -> str:
        """A cell that is a word."""
        key = f"{prefix}_{cell}" if prefix else cell
        return self._words.get(key, cell.replace("_", " "))


@cache
def _catalogues() -> dict[str, dict[str, str]]:
    written = (files("sabot.web.reports") / "report_words.json").read_bytes()
    return msgspec.json.decode(written, type=dict[str, dict[str, str]])


def zone_of(name: str) -> tzinfo:
    """The house's zone; one that is not known here counts as UTC."""
    try:
        return ZoneInfo(name) if name else UTC
    except (ValueError, ZoneInfoNotFoundError):
        return UTC


def local(at_ms: int, zone: tzinfo) -> datetime:
    return datetime.fromtimestamp(at_ms / 1000, zone)
