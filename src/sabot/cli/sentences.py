"""Turns the failures of journals and keys into `Mistake`s, which the command line prints as one sentence."""

from collections.abc import Iterator
from contextlib import contextmanager

from sabot.basics.mistake import Mistake


@contextmanager
def in_one_sentence() -> Iterator[None]:
    try:
        yield
    except Exception as failed:
        if isinstance(failed, _said_to_a_person()):
            raise Mistake(str(failed)) from None
        raise


def _said_to_a_person() -> tuple[type[Exception], ...]:
    """The failures whose text is one sentence. They are looked up after a failure, so that a command loads no more of
    the floor than it works with."""
    from sabot.floor.lines.stream import NotKept
    from sabot.floor.records.recovery import BrokenChain
    from sabot.journal.journal import Damaged, Unusable
    from sabot.journal.keys import BadKey
    from sabot.journal.record import UnknownForm

    return Unusable, Damaged, UnknownForm, BadKey, NotKept, BrokenChain
