"""Records of earlier programs, brought to the present form while they are read. What is stored never changes.

A record carries the form of the program that wrote it (`journal/record.py`). Each form that changed what stands in a
record has here a step from the form before it: a pure function from an answer's JSON to the next form's. A form whose
changes are new acts, new events and new fields with defaults needs no step. A form may also decide an act otherwise
than the one before; so a replay takes decisions of an earlier form as they are recorded.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from sabot.journal.record import FORMAT

AnswerJson = dict[str, Any]
"""An answer as it stands in a record: `act`, `stamp`, and `accepted` or `refused`; or `started`, or `owner_taken`."""
FormStep = Callable[[AnswerJson], AnswerJson]

STEPS: Mapping[int, FormStep] = {}
"""By the form that a step starts from.

2: release 0.1.0, whose records hold the act and its stamp apart.
3: decisions may rest on what the house released by a record of its own; new acts, events and fields.
"""


def in_present_form(form: int, answer: msgspec.Raw, steps: Mapping[int, FormStep] = STEPS) -> msgspec.Raw:
    """The answer of a record of this form as a program of the present form would have written it."""
    due = [steps[one] for one in range(form, FORMAT) if one in steps]
    if not due:
        return answer
    read: AnswerJson = msgspec.json.decode(answer)
    for step in due:
        read = step(read)
    return msgspec.Raw(msgspec.json.encode(read))
