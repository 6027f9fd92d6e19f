"""The number of the form in which states are kept as bytes: in snapshots, and wherever else a state stands for the
records before it.

A program starts from any state of its own number, whichever build wrote it, so an upgrade that changes no state reads
no more than a restart does. The number is raised when a state's types change, or when the same records come to another
state; `tests/floor/test_state_form.py` holds it against both. States of other numbers are passed over and rebuilt from
the records.
"""

from typing import Final

STATE_FORM: Final = 14
SNAPSHOT_FORM: Final = f"state{STATE_FORM}"
"""What the journal keeps beside a snapshot."""
