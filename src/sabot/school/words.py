"""Words in every language of the pages, and the phrases in which the school says what happens at the table."""

from functools import cache

import msgspec

from sabot.basics.figures import Figure
from sabot.basics.money import write_amount
from sabot.basics.shipped_file import shipped_file

LANGUAGES = ("en", "zh", "zh-Hant")
"""As `screens/src/catalogue/languages.json` has them."""


class LessonWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One text in every language."""

    en: str
    zh: str
    zh_hant: str = msgspec.field(name="zh-Hant")

    def written_in(self, language: str) -> str:
        return self.zh if language == "zh" else self.zh_hant if language == "zh-Hant" else self.en


class Said(msgspec.Struct, frozen=True):
    """What the school says: a phrase by its code, its values, and the sentence in every language."""

    code: str
    words: LessonWords
    clause: str = ""
    values: dict[str, Figure] = {}


@cache
def phrases() -> dict[str, LessonWords]:
    return msgspec.toml.decode(shipped_file(__package__, "phrases.toml"), type=dict[str, LessonWords])


def say(code: str, clause: str = "", **values: Figure) -> Said:
    """The phrase with its values; those whose names end in `_cents` are amounts."""
    words = phrases()[code]
    return Said(code, _filled(words, values), clause, values)


def _filled(words: LessonWords, values: dict[str, Figure]) -> LessonWords:
    def written(language: str) -> str:
        shown = {name: _shown(name, one, language) for name, one in values.items()}
        return words.written_in(language).format(**shown)

    en, zh, zh_hant = map(written, LANGUAGES)
    return LessonWords(en=en, zh=zh, zh_hant=zh_hant)


def _shown(name: str, value: Figure, language: str) -> Figure:
    if name.endswith("_cents") and not isinstance(value, str):
        return write_amount(value)
    known = phrases().get(f"{name.rpartition('_')[2]}_{value}")
    return value if known is None else known.written_in(language)
