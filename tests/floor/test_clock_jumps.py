"""A clock that is put forward or back dates no failure, keeps no table from being taken, and is on record."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.floor.records.record_codec import read_answer, read_events
from sabot.floor.table_owner import effects as do
from sabot.floor.table_owner.clock_watch import JUMP_MS, ClockWatch
from sabot.table import acts
from sabot.table import events as e
from sabot.table.phase import Phase
from tests.floor.shell import Shell, dealer, plays, records_in
from tests.floor.test_owner import Clock, _shell, _successor, _wagering

HOUR_MS = 3_600_000
RENEWAL_MS = 500


async def _events(shell: Shell) -> list[e.Event]:
    answers = [read_answer(record.entry).accepted for record in await records_in(shell.journal)]
    return [event for accepted in answers if accepted is not msgspec.UNSET for event in read_events(accepted)]


async def _lives(shell: Shell, clock: Clock, ms: int) -> None:
    """So much time passes by every clock, with a sign of life every half second."""
    for _ in range(0, ms, RENEWAL_MS):
        clock.ms += RENEWAL_MS
        await shell.wake(RENEWAL_MS)


@pytest.mark.clause("CROWN 11.15(a)")
@pytest.mark.parametrize("by_ms", [HOUR_MS, -HOUR_MS])
def test_an_owner_that_died_while_wagering_was_open_voids_the_coup_whatever_the_clock_was_put_to(by_ms: int) -> None:
    async def play() -> None:
        clock = Clock()
        shell = await _wagering(clock)
        clock.ms += by_ms
        await _lives(shell, clock, 1_000)
        other = await _successor(shell, clock)
        assert other.owner.term is not None
        assert other.owner.term.state.phase is Phase.BETWEEN_COUPS
        happened = await _events(shell)
        restarted = [one for one in happened if isinstance(one, e.SystemRestarted)][-1]
        assert restarted.clause == "CROWN 11.15(a)"
        [jumped] = [one for one in happened if isinstance(one, e.ClockJumped) and one.at_ms < restarted.at_ms]
        assert jumped.clock == "journal"
        assert abs(jumped.by_ms - by_ms) < JUMP_MS
        assert any("was put" in alarm.text for alarm in shell.done(do.RaiseAlarm))

    plays(play)()


@pytest.mark.clause("CROWN 11.15(b)")
@pytest.mark.parametrize("by_ms", [HOUR_MS, -HOUR_MS])
def test_an_owner_that_lived_past_the_deadline_leaves_wagers_to_confirm_whatever_the_clock_was_put_to(
    by_ms: int,
) -> None:
    async def play() -> None:
        clock = Clock()
        shell = await _wagering(clock)
        clock.ms += by_ms
        await _lives(shell, clock, RENEWAL_MS)
        shell.hold = True  # The close cannot be written down, and the signs of life can.
        await _lives(shell, clock, 3_000)
        other = await _successor(shell, clock)
        assert other.owner.term is not None
        assert other.owner.term.state.awaits_confirmation

    plays(play)()


@plays
async def test_a_table_is_taken_by_a_clock_that_is_behind_its_records_and_goes_on_by_them() -> None:
    clock = Clock()
    shell = await _shell(clock)
    before = shell.owner.term.head_ms if shell.owner.term else 0
    clock.ms -= HOUR_MS
    other = await _successor(shell, clock)
    term = other.owner.term
    assert term is not None
    assert term.is_serving
    assert term.clock.table_ms(other.now) >= before
    jumps = [one.by_ms for one in await _events(shell) if isinstance(one, e.ClockJumped)]
    assert len(jumps) == 1
    assert jumps[0] < -HOUR_MS + 10_000
    assert any("put back" in alarm.text for alarm in other.done(do.RaiseAlarm))
    await other.say(dealer(acts.Open(), other.epoch, 1))


@pytest.mark.clause("CROWN 11.15(b)")
@plays
async def test_signs_of_life_by_a_clock_that_is_behind_are_dated_by_the_tables_time() -> None:
    clock = Clock()
    first = await _shell(clock)
    clock.ms -= HOUR_MS
    shell = await _successor(first, clock)
    await shell.open()
    await shell.say(dealer(acts.Open(), shell.epoch, 1))
    assert shell.owner.term is not None
    assert shell.owner.term.state.phase is Phase.WAGERING
    shell.hold = True
    await _lives(shell, clock, 3_500)
    other = await _successor(shell, clock)
    assert other.owner.term is not None
    assert other.owner.term.state.awaits_confirmation


@given(st.integers(-(10**9), 10**9), st.integers(0, 5_000), st.integers(0, 5_000))
def test_a_jump_is_noticed_beyond_three_seconds_and_never_for_a_slow_answer(by: int, waited: int, read: int) -> None:
    """The clock is read at some moment from the question to the answer."""
    watch = ClockWatch(100, 5_000_100)
    shown = 5_000_000 + 1_000 + min(read, waited) + by
    noticed = watch.jump(1_000, 1_000 + waited, shown)
    assert not noticed or abs(by) > JUMP_MS
    assert noticed or abs(by) <= JUMP_MS + waited
    assert abs(noticed - by) <= waited or not noticed
    assert watch.jump(2_000, 2_000, 5_002_000 + noticed) == 0
