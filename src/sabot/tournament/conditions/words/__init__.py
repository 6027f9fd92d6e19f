"""The words of the printed conditions, a file for each language."""

from functools import cache

import msgspec

from sabot.basics.mistake import Mistake
from sabot.basics.shipped_file import shipped_file
from sabot.tournament.conditions.parts import Text

LANGUAGES = ("en", "zh", "zh-Hant")
_FALL_BACK = {"zh-Hant": ("zh-Hant", "zh", "en"), "zh": ("zh", "en"), "en": ("en",)}


class ConditionsWords:
    """The sentences of one language."""

    def __init__(self, language: str, sentences: dict[str, str]) -> None:
        self.language, self.sentences = language, sentences

    def __call__(self, name: str, **gaps: object) -> str:
        return self.sentences[name].format(**gaps)

    def listed(self, words: list[str], between: str = "comma") -> str:
        return self.sentences[f"list_{between}"].join(words)

    def text(self, text: Text) -> str:
        """A text of the conditions in this language, or in the nearest that it has; on one line."""
        found = next((text[one] for one in _FALL_BACK[self.language] if text.get(one)), "")
        return " ".join(found.split())


@cache
def words_in(language: str) -> ConditionsWords:
    if language not in LANGUAGES:
        raise Mistake(f"conditions are not printed in {language!r}; the languages are {', '.join(LANGUAGES)}")
    text = shipped_file(__name__, f"{language}.toml")
    return ConditionsWords(language, msgspec.toml.decode(text, type=dict[str, str]))
