"""An owner hands its table over between two coups, and says so on record; no act is half taken."""

import msgspec
import pytest

from sabot.floor.table_owner import effects as do
from sabot.floor.table_owner.messages import HandOver, KeepTable, Start, Stop
from sabot.floor.table_owner.owner import HANDED_OVER_MS, RETRY_MS
from sabot.journal.memory import MemoryJournal
from sabot.table import acts
from sabot.wire.frames import Answer, Lost, Name, Welcome
from tests.floor.shell import STREAM, Shell, dealer, hello, open_in, plays, records_in, wager

EVERYBODY = {"console", "A1", "A2", "A3"}


class Clock:
    def __init__(self) -> None:
        self.ms = 1_000_000

    def __call__(self) -> int:
        return self.ms


async def _shell(clock: Clock) -> Shell:
    return await Shell(await open_in(MemoryJournal(clock))).open()


def _serves(shell: Shell) -> bool:
    return shell.owner.term is not None


async def _said(shell: Shell) -> list[dict[str, str]]:
    found = [one for one in await records_in(shell.journal) if one.entry.key.startswith("handed_over/")]
    return [msgspec.json.decode(one.entry.answer)["handed_over"] for one in found]


@plays
async def test_between_two_coups_a_table_goes_at_once_and_devices_are_told_where() -> None:
    clock = Clock()
    shell = await _shell(clock)
    await shell.say(HandOver("west", "root on a machine"))
    assert shell.owner.term is None
    assert shell.owner.holder == "west"
    gone = shell.done(do.Disconnect)
    assert {one.device for one in gone} == EVERYBODY
    assert {(one.why, one.holder) for one in gone} == {("the table has moved", "west")}
    assert await _said(shell) == [{"to": "west", "by": "root on a machine"}]
    other = Shell(shell.journal, "west", now=77_000)
    await other.say(Start())
    assert other.owner.term is not None, "the lease is free at once"
    assert other.owner.term.state.coup is None


@plays
async def test_a_coup_under_way_is_played_to_its_end_and_no_other_is_opened() -> None:
    shell = await _shell(Clock())
    await shell.say(dealer(acts.Open(), shell.epoch, 1))
    await shell.say(HandOver("west", "root"))
    assert _serves(shell)
    await shell.say(wager("A1", shell.epoch, 1))
    await shell.say(wager("A1", shell.epoch, 2, cents=0))
    assert [one.refusal for one in shell.heard("A1", Answer)] == [None, None], "wagers are taken as ever"
    epoch = shell.epoch
    shell.hold = True
    await shell.say(dealer(acts.Close(), epoch, 2, coup=1))
    await shell.say(dealer(acts.Void(), epoch, 3, coup=1))
    await shell.say(dealer(acts.Open(), epoch, 4))
    await shell.let_go()
    assert shell.owner.term is None
    assert [one.n for one in shell.heard("console", Answer)] == [1, 2, 3], "the next coup is not opened here"
    other = Shell(shell.journal, "west", now=77_000)
    await other.say(Start())
    await other.say(hello("console", pending=Name(epoch, 4)))
    [welcome] = other.heard("console", Welcome)
    assert welcome.pending == Lost(epoch=epoch, n=4), "and may be opened again there"


@pytest.mark.parametrize("for_good", [False, True])
def test_a_table_that_nobody_takes_comes_back_unless_it_was_left_for_good(for_good: bool) -> None:
    @plays
    async def scene() -> None:
        shell = await _shell(Clock())
        await shell.say(HandOver("west", "root", for_good))
        await shell.wake(HANDED_OVER_MS - 1)
        assert shell.owner.term is None
        await shell.wake(1)
        assert (shell.owner.term is None) is for_good

    scene()


@plays
async def test_a_hand_over_that_takes_too_long_is_forgotten_and_the_next_coup_opens() -> None:
    shell = await _shell(Clock())
    await shell.say(dealer(acts.Open(), shell.epoch, 1))
    await shell.say(HandOver("west", "root"))
    shell.hold = True
    await shell.say(dealer(acts.Close(), shell.epoch, 2, coup=1))
    await shell.say(dealer(acts.Void(), shell.epoch, 3, coup=1))
    await shell.say(dealer(acts.Open(), shell.epoch, 4))
    await shell.say(KeepTable())
    await shell.let_go()
    assert shell.owner.term is not None
    assert shell.owner.term.state.coup is not None
    assert shell.owner.term.state.coup.number == 2
    assert await _said(shell) == []


@plays
async def test_a_candidate_has_nothing_to_hand_over_and_tries_no_more_where_it_leaves_for_good() -> None:
    clock = Clock()
    shell = await _shell(clock)
    other = Shell(shell.journal, "west")
    await other.say(Start())
    await other.say(HandOver("north", "root", for_good=True))
    clock.ms += 60_000
    await other.wake(RETRY_MS)
    assert other.owner.term is None
    assert (await other.journal.head(STREAM)).epoch == shell.epoch


@plays
async def test_a_stop_in_the_middle_of_a_hand_over_leaves_in_order() -> None:
    shell = await _shell(Clock())
    await shell.say(dealer(acts.Open(), shell.epoch, 1))
    await shell.say(HandOver("west", "root"))
    await shell.say(Stop())
    assert shell.owner.term is None
    assert await _said(shell) == [], "what happened is a stop, and no hand-over"
