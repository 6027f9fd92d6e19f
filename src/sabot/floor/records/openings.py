"""The state of a stream in the form that later programs read, too: what a part of a journal opens with.

A snapshot of another form is passed over, and the state is rebuilt from the records. A part may be read without the
parts before it, so the state that it opens with must be read by every later program. It has the number of its form.
Each form that changed what stands in a state has here a step from the form before it. A step is a pure function from
the stream and the state, as plain lists, mappings and values, to the next form's.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from sabot.basics.mistake import UNREADABLE
from sabot.floor.records.state_form import SNAPSHOT_FORM, STATE_FORM
from sabot.journal.journal import NewerProgram, Snapshot
from sabot.journal.parts import OpeningState

OpeningStep = Callable[[str, Any], Any]

STEPS: Mapping[int, OpeningStep] = {}
"""By the form that a step starts from."""


class StateMark(msgspec.Struct, frozen=True):
    """What a snapshot keeps beside the state."""

    n: int
    now_ms: int
    state: bytes


def opening_of(snapshot: Snapshot) -> OpeningState:
    """A snapshot of this program as the state that a part opens with."""
    return OpeningState(snapshot.stream, snapshot.version, snapshot.hash, STATE_FORM, snapshot.state)


def snapshot_of(opening: OpeningState, steps: Mapping[int, OpeningStep] = STEPS) -> Snapshot | None:
    """The state that a part opens with as a snapshot of this program; nothing where it cannot be read."""
    if opening.form > STATE_FORM:
        raise NewerProgram(
            f"the state of {opening.stream!r} that the journal opens with has form {opening.form}, and this program"
            f" knows none above {STATE_FORM}"
        )
    try:
        state = _in_present_form(opening, [steps[one] for one in range(opening.form, STATE_FORM) if one in steps])
    except UNREADABLE:
        return None
    return Snapshot(opening.stream, opening.version, opening.hash, SNAPSHOT_FORM, state)


def _in_present_form(opening: OpeningState, due: list[OpeningStep]) -> bytes:
    if not due:
        return opening.state
    mark = read_mark(opening.state)
    state: Any = msgspec.msgpack.decode(mark.state)
    for step in due:
        state = step(opening.stream, state)
    return write_mark(StateMark(mark.n, mark.now_ms, msgspec.msgpack.encode(state)))


write_mark = msgspec.msgpack.Encoder().encode
read_mark = msgspec.msgpack.Decoder(StateMark).decode
