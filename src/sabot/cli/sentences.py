"""Turns the failures of journals and keys into `Mistake`s, which the command line prints as one sentence."""

from collections.abc import Iterator
from contextlib import contextmanager

from sabot.basics.mistake import Mistake
from sabot.floor.lines.stream import NotKept
from sabot.floor.records.recovery import BrokenChain
from sabot.journal.journal import Damaged, Unusable
from sabot.journal.keys import BadKey
from sabot.journal.record import UnknownForm


@contextmanager
def in_one_sentence() -> Iterator[None]:
    try:
        yield
    except (Unusable, Damaged, UnknownForm, BadKey, NotKept, BrokenChain) as said:
        raise Mistake(str(said)) from None
