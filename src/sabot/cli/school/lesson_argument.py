"""Reads a lesson from a command's words: one that comes with Sabot by its name, or a file."""

from pathlib import Path

from sabot.basics.mistake import Mistake
from sabot.school.lesson import Lesson
from sabot.school.shelf import read_lesson, shipped_lesson
from sabot.school.words import LANGUAGES


def read_lesson_argument(written: str) -> Lesson:
    if not written.endswith(".toml"):
        return shipped_lesson(written)
    try:
        return read_lesson(Path(written).read_bytes(), written)
    except OSError as error:
        raise Mistake(f"{written} cannot be read: {error.strerror}") from None


def check_language(language: str) -> None:
    if language not in LANGUAGES:
        raise Mistake(f"there is no language {language!r}; there are {', '.join(LANGUAGES)}")
