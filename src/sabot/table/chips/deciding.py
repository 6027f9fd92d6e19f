"""The float: chips that come from the cage and go back to it, and what a count finds (G-191, G-192).

Chips that patrons tender or are paid move the float too. So the books always know what should lie in the rack, and a
count names the difference. It is booked as a difference of the float; the table's win does not move.
"""

from collections.abc import Mapping

from sabot.basics.money import LARGEST_AMOUNT, write_amount
from sabot.basics.stamp import Stamp
from sabot.table import acts
from sabot.table.chips.state import FloatMoment
from sabot.table.events import ChipsCredited, ChipsFilled, Event, FloatCounted, FloatUncounted
from sabot.table.history.kept import is_used_slip
from sabot.table.no import No
from sabot.table.refusal import Cause
from sabot.table.state import TableState

SLIP_CLAUSE = "G-191"
COUNT_CLAUSE = "G-192"


def fill(state: TableState, act: acts.Fill, stamp: Stamp) -> tuple[Event, ...]:
    cents = _value(state, act.cents, act.chips, 1, SLIP_CLAUSE)
    _check_slip(state, act.slip)
    return (
        ChipsFilled(
            cents=cents, chips=act.chips, slip=act.slip, brought_by=act.brought_by, by=stamp.by, clause=SLIP_CLAUSE
        ),
    )


def credit(state: TableState, act: acts.Credit, stamp: Stamp) -> tuple[Event, ...]:
    """No more than lies in the rack by the books, where these know the float."""
    cents = _value(state, act.cents, act.chips, 1, SLIP_CLAUSE)
    _check_slip(state, act.slip)
    if state.chip_float.known and cents > state.rack_cents:
        raise No(Cause.NOT_IN_RACK, float_cents=state.rack_cents, credit_cents=cents)
    return (
        ChipsCredited(
            cents=cents, chips=act.chips, slip=act.slip, taken_by=act.taken_by, by=stamp.by, clause=SLIP_CLAUSE
        ),
    )


def count_float(state: TableState, act: acts.CountFloat, stamp: Stamp) -> tuple[Event, ...]:
    """An opening count before any fill says what the float is; every other is held against the books (G-193)."""
    if state.coup is not None:
        raise No(Cause.COUP_IN_PROGRESS, clause=COUNT_CLAUSE)
    cents = _value(state, act.cents, act.chips, 0, COUNT_CLAUSE)
    when = FloatMoment(act.when)
    is_first = when is FloatMoment.OPENING and not state.chip_float.known
    expected = cents if is_first else state.rack_cents
    return (
        FloatCounted(
            when=when,
            cents=cents,
            expected_cents=expected,
            difference_cents=cents - expected,
            brought_forward_cents=cents - state.rack_cents if is_first else 0,
            chips=act.chips,
            dealer=state.dealer or stamp.by,
            by=stamp.by,
            clause=COUNT_CLAUSE,
        ),
    )


def left_uncounted(state: TableState, when: FloatMoment, by: str) -> tuple[FloatUncounted, ...]:
    """The record that the float was not counted, where there is one and nobody did."""
    if state.float_is_counted or not (state.chip_float.known or state.rack_cents):
        return ()
    dealer = state.dealer or by
    return (FloatUncounted(when=when, expected_cents=state.rack_cents, dealer=dealer, by=by, clause=COUNT_CLAUSE),)


def check_counted_for_play(state: TableState) -> None:
    if state.configuration.counts_float and state.chip_float.counted is FloatMoment.NONE:
        raise No(Cause.FLOAT_NOT_COUNTED)


def check_counted_for_closing(state: TableState) -> None:
    at_closing = state.float_is_counted and state.chip_float.counted is FloatMoment.CLOSING
    if state.configuration.counts_float and not at_closing:
        raise No(Cause.FLOAT_NOT_COUNTED)


def _check_slip(state: TableState, slip: str) -> None:
    if not slip.strip() or is_used_slip(state, slip):
        raise No(Cause.SLIP_NUMBER, slip=slip)


def _value(state: TableState, cents: int | None, chips: Mapping[str, int], least: int, clause: str) -> int:
    """The value that is stated, which must be that of the chips where these are listed."""
    listed = _listed(state, chips, clause)
    value = listed if cents is None else cents
    if value is None or not least <= value <= LARGEST_AMOUNT:
        why = "the chips have no value" if value is None else f"{write_amount(value)} is not a value of chips"
        raise No(Cause.BAD_AMOUNT, why=why, clause=clause)
    if listed not in (None, value):
        why = f"the chips listed come to {write_amount(listed)}, and {write_amount(value)} is stated"
        raise No(Cause.BAD_AMOUNT, why=why, clause=clause)
    return value


def _listed(state: TableState, chips: Mapping[str, int], clause: str) -> int | None:
    if not chips:
        return None
    total, smallest = 0, state.configuration.smallest_chip
    for value, count in chips.items():
        if not (value.isascii() and value.isdigit() and len(value) <= 13) or int(value) < smallest or count < 0:
            why = f"there are no {count} chips of {value} cents"
            raise No(Cause.BAD_AMOUNT, why=why, clause=clause)
        total += int(value) * count
    return total
