"""The owner of a table: what it answers and when, what it forgets, and what it tells devices that come back."""

from pathlib import Path

import msgspec
import pytest

from sabot.audit.replay import TableReplay
from sabot.basics.stamp import clock_stamp
from sabot.floor.records.record_codec import read_act, read_answer, read_events
from sabot.floor.records.recovery import recover_table
from sabot.floor.table_owner import effects as do
from sabot.floor.table_owner.devices import MOST_KEPT
from sabot.floor.table_owner.messages import Carried, Gone, HeadSeen, Renewed, Start, Stop, Written
from sabot.floor.table_owner.owner import RETRY_MS
from sabot.floor.table_owner.term import MOST_AT_ONCE
from sabot.house.acts import TellBusy
from sabot.journal.checkpoint import is_signed_by, sign
from sabot.journal.journal import Conflict, Journal, SignedCheckpoint, Unknown
from sabot.journal.keys import new_key
from sabot.journal.memory import MemoryJournal
from sabot.journal.record import Head
from sabot.journal.sqlite import open_sqlite
from sabot.table import acts
from sabot.table import events as e
from sabot.table.phase import Phase
from sabot.table.refusal import Refused
from sabot.table.snapshot import digest_of
from sabot.views.audience import Audience
from sabot.wire.frames import Answer, Lost, Name, Paused, Resynchronise, Told, Welcome
from tests.floor.shell import SALT, STREAM, Shell, dealer, hello, open_in, plays, records_in, wager


class Clock:
    def __init__(self) -> None:
        self.ms = 1_000_000

    def __call__(self) -> int:
        return self.ms


async def _shell(clock: Clock | None = None, name: str = "east", now: int = 5_000) -> Shell:
    return await Shell(await open_in(MemoryJournal(clock or Clock())), name, now).open()


async def _wagering(clock: Clock | None = None) -> Shell:
    """A table with coup 1 open for wagers."""
    shell = await _shell(clock)
    await shell.say(dealer(acts.Open(), shell.epoch, 1))
    shell.told.clear()
    shell.effects.clear()
    return shell


async def _successor(shell: Shell, clock: Clock, after_ms: int = 2_500) -> Shell:
    """Another owner, which takes the table over when the lease has run out."""
    clock.ms += after_ms
    other = Shell(shell.journal, "west", now=77_000)
    await other.say(Start())
    return other


# Answers


@plays
async def test_nobody_is_answered_before_the_append_is_durable() -> None:
    shell = await _wagering()
    shell.hold = True
    await shell.say(wager("A1", shell.epoch, 1))
    assert not shell.told
    assert len(shell.held) == 1
    await shell.let_go()
    [answer] = shell.heard("A1", Answer)
    assert answer.accepted
    assert answer.version == len(await records_in(shell.journal))


@plays
async def test_what_waits_during_an_append_is_written_together_in_the_next() -> None:
    shell = await _wagering()
    shell.hold = True
    for station in ("A1", "A2", "A3"):
        await shell.say(wager(station, shell.epoch, 1))
    assert [len(append.records) for append in shell.held] == [1]
    first = shell.held.pop()
    await shell.say(Written(first.errand, await shell.append(first)))
    assert [[record.entry.actor for record in append.records] for append in shell.held] == [["A2", "A3"]]


@plays
async def test_the_next_append_is_begun_before_those_of_the_last_one_are_answered() -> None:
    shell = await _wagering()
    shell.hold = True
    await shell.say(wager("A1", shell.epoch, 1))
    await shell.say(wager("A2", shell.epoch, 1))
    first = shell.held.pop()
    written = Written(first.errand, await shell.append(first))
    after = [effect for effect in shell.owner.handle(shell.now, written) if isinstance(effect, do.Append | do.Tell)]
    assert isinstance(after[0], do.Append)
    assert [record.entry.actor for record in after[0].records] == ["A2"]
    answered = [effect.device for effect in after[1:] if isinstance(effect, do.Tell) and type(effect.frame) is Answer]
    assert answered == ["A1"]


@plays
async def test_a_batch_has_a_bound() -> None:
    shell = await _wagering()
    shell.hold = True
    for n in range(1, MOST_AT_ONCE + 3):
        await shell.say(wager("A1", shell.epoch, n, cents=2_500 + 500 * (n % 2)))
    first = shell.held.pop()
    await shell.say(Written(first.errand, await shell.append(first)))
    assert len(shell.held[0].records) == MOST_AT_ONCE


@plays
async def test_accepted_and_refused_commands_are_one_record_each() -> None:
    shell = await _wagering()
    before = len(await records_in(shell.journal))
    await shell.say(wager("A1", shell.epoch, 1))
    await shell.say(wager("A1", shell.epoch, 2, cents=10**8, bet="banker"))
    yes, no = shell.heard("A1", Answer)
    assert (yes.accepted, no.accepted) == (True, False)
    assert (yes.version, no.version) == (before + 1, before + 2)
    assert [record.entry.key for record in await records_in(shell.journal)][-2:] == ["ask/A1/1/1", "ask/A1/1/2"]


@pytest.mark.parametrize("outcome", [Conflict(99), Unknown("the line went dead")], ids=["conflict", "unknown"])
def test_whatever_is_not_surely_durable_is_forgotten_and_nobody_is_answered(outcome: Conflict | Unknown) -> None:
    async def play() -> None:
        shell = await _wagering()
        shell.hold = True
        await shell.say(wager("A1", shell.epoch, 1))
        append = shell.held.pop()
        shell.hold = False
        await shell.say(Written(append.errand, outcome))
        assert not shell.heard("A1", Answer)
        assert {effect.device for effect in shell.done(do.Disconnect)} == {"console", "A1", "A2", "A3"}
        assert shell.epoch == 2
        assert shell.owner.term is not None
        assert not shell.owner.term.state.purse("A1").layout
        await shell.say(Written(append.errand, outcome))
        assert shell.epoch == 2

    plays(play)()


@plays
async def test_an_unknown_append_that_was_written_after_all_is_found_again() -> None:
    """The device learns what became of its command from the journal, by its key."""
    shell = await _wagering()
    shell.hold = True
    await shell.say(wager("A1", 1, 1))
    append = shell.held.pop()
    await shell.append(append)
    shell.hold = False
    await shell.say(Written(append.errand, Unknown("the answer was lost")))
    await shell.say(hello("A1", epoch=1, version=5, pending=Name(1, 1)))
    [welcome] = shell.heard("A1", Welcome)
    assert welcome.epoch == 2
    assert isinstance(welcome.pending, Answer)
    assert welcome.pending.accepted
    assert (welcome.pending.epoch, welcome.pending.n) == (1, 1)


# Repeats


@plays
async def test_the_last_command_is_answered_again_with_its_first_answer() -> None:
    shell = await _wagering()
    for n, cents in ((1, 2_500), (2, 10**8)):
        await shell.say(wager("A1", 1, n, cents=cents, bet="banker"))
        await shell.say(wager("A1", 1, n, cents=cents, bet="banker"))
        first, again = shell.heard("A1", Answer)
        assert first == again
        shell.told.clear()
    assert len(shell.done(do.Append)) == 2


@plays
async def test_a_repeat_of_what_is_still_being_written_waits_with_it() -> None:
    shell = await _wagering()
    shell.hold = True
    await shell.say(wager("A1", 1, 1))
    await shell.say(wager("A1", 1, 1))
    await shell.let_go()
    assert len(shell.heard("A1", Answer)) == 1


@plays
async def test_an_earlier_command_is_left_alone() -> None:
    shell = await _wagering()
    for n in (1, 2, 1):
        await shell.say(wager("A1", 1, n, cents=2_500 * n))
    assert [answer.n for answer in shell.heard("A1", Answer)] == [1, 2]


@plays
async def test_a_command_of_another_epoch_is_sent_back_with_the_owners_own() -> None:
    shell = await _wagering()
    for epoch in (0, 2):
        await shell.say(wager("A1", epoch, 1))
    assert [message for _, message in shell.told] == [Resynchronise(epoch=1), Resynchronise(epoch=1)]


@plays
async def test_a_device_that_has_not_said_hello_must() -> None:
    shell = await _wagering()
    await shell.say(Gone("A1"))
    await shell.say(wager("A1", 1, 1))
    assert shell.told == [("A1", Resynchronise(epoch=1))]


@pytest.mark.parametrize("coup", [0, 2, None])
def test_a_wager_for_another_coup_is_refused_for_good(coup: int | None) -> None:
    async def play() -> None:
        shell = await _wagering()
        asked = wager("A1", 1, 1, coup)
        await shell.say(asked)
        await shell.say(asked)
        first, again = shell.heard("A1", Answer)
        assert first == again
        assert first.refusal is not None
        assert first.refusal.code == "stale_coup"
        assert not shell.done(do.Append)

    plays(play)()


# Coming back


@plays
async def test_a_device_that_missed_nothing_is_up_to_date() -> None:
    shell = await _wagering()
    version = len(await records_in(shell.journal))
    await shell.say(hello("A1", epoch=1, version=version))
    assert shell.heard("A1", Welcome) == [Welcome(epoch=1, version=version)]


@plays
async def test_a_device_that_missed_something_is_told_what() -> None:
    shell = await _wagering()
    version = len(await records_in(shell.journal))
    await shell.say(wager("A1", 1, 1))
    await shell.say(wager("A2", 1, 1))
    await shell.say(hello("A1", epoch=1, version=version))
    [welcome] = shell.heard("A1", Welcome)
    assert welcome.picture is None
    assert [told.version for told in welcome.missed] == [version + 1]
    assert welcome.version == version + 2


@plays
async def test_whoever_follows_where_nobody_did_before_sees_the_whole_picture() -> None:
    shell = Shell(await open_in(MemoryJournal(lambda: 5_000)))
    await shell.say(Start())
    await shell.say(hello("console", audience=Audience.CONSOLE, feed="views"))
    await shell.say(hello("A1", feed="views"))
    await shell.say(dealer(acts.Open(), shell.epoch, 1))
    version = len(await records_in(shell.journal))
    await shell.say(wager("A1", shell.epoch, 1))
    assert not shell.heard("A1", Told)
    shell.told.clear()
    await shell.say(hello("A1", epoch=shell.epoch, version=version))
    [welcome] = shell.heard("A1", Welcome)
    assert (welcome.missed, welcome.version) == ((), version + 1)
    assert welcome.picture is not None
    assert welcome.picture.purses["A1"].layout == {"player": 2_500}
    await shell.say(wager("A1", shell.epoch, 2, cents=5_000))
    assert [told.purse.layout for told in shell.heard("A1", Told) if told.purse] == [{"player": 5_000}]


@plays
async def test_a_device_from_another_time_sees_the_whole_picture() -> None:
    shell = await _wagering()
    await shell.say(wager("A1", 1, 1))
    await shell.say(hello("A1"))
    await shell.say(hello("console", Audience.CONSOLE))
    await shell.say(hello("display", Audience.DISPLAY))
    station, console, display = (shell.heard(name, Welcome)[0].picture for name in ("A1", "console", "display"))
    assert station is not None
    assert console is not None
    assert display is not None
    assert station.phase is display.phase is Phase.WAGERING
    assert station.remaining_ms == console.remaining_ms == 2_500
    assert set(station.purses) == {"A1"}
    assert station.purses["A1"].layout == {"player": 2_500}
    assert set(console.purses) == {"A1", "A2", "A3"}
    assert not display.purses


@plays
async def test_whoever_missed_more_than_the_feed_keeps_sees_the_whole_picture() -> None:
    shell = await _wagering()
    version = len(await records_in(shell.journal))
    for n in range(1, MOST_KEPT + 2):
        await shell.say(wager("A1", 1, n, cents=2_500 + 500 * (n % 2)))
    await shell.say(hello("A2", epoch=1, version=version))
    await shell.say(hello("A3", epoch=1, version=version + 2))
    assert shell.heard("A2", Welcome)[0].picture is not None
    assert shell.heard("A3", Welcome)[0].picture is None


@plays
async def test_a_picture_never_shows_what_is_not_durable() -> None:
    shell = await _wagering()
    shell.hold = True
    await shell.say(wager("A1", 1, 1))
    await shell.say(hello("A1"))
    [welcome] = shell.heard("A1", Welcome)
    assert welcome.picture is not None
    assert not welcome.picture.purses["A1"].layout


@plays
async def test_no_other_patrons_wager_leaves_the_owner() -> None:
    """Through a whole coup, what a station or the display is told names no other station."""
    shell = await _wagering()
    await shell.say(hello("display", Audience.DISPLAY))
    for station in ("A1", "A2"):
        await shell.say(wager(station, 1, 1))
    await shell.say(dealer(acts.Close(), 1, 2, 1))
    for n, card in enumerate(("9S", "2H", "KD", "5C"), 3):
        await shell.say(dealer(acts.Card(card=card), 1, n, 1))
    await shell.say(dealer(acts.Confirm(), 1, 7, 1))
    for device, own in (("A1", "A1"), ("A2", "A2"), ("A3", "A3"), ("display", "")):
        told = msgspec.json.encode([message.events for message in shell.heard(device, Told)], enc_hook=str).decode()
        assert "CoupDecided" in told
        for station in {"A1", "A2", "A3"} - {own}:
            assert f'"{station}"' not in told
    assert any(isinstance(event, e.WagersSettled) for told in shell.heard("A1", Told) for event in told.events)
    assert shell.heard("A1", Told)[-1].purse is not None


@plays
async def test_each_telling_names_the_one_before_so_that_a_gap_shows() -> None:
    shell = await _wagering()
    for n in range(1, 4):
        await shell.say(wager("A1", 1, n, cents=2_500 * n))
    told = shell.heard("A1", Told)
    assert [one.after for one in told[1:]] == [one.version for one in told[:-1]]


# Doubt


@plays
async def test_a_bare_claim_to_know_more_alarms_and_disconnects_that_device_alone() -> None:
    shell = await _wagering()
    await shell.say(hello("A1", epoch=1, version=999))
    assert [effect.device for effect in shell.done(do.Disconnect)] == ["A1"]
    assert "claims" in shell.done(do.RaiseAlarm)[0].text
    await shell.say(wager("A2", 1, 1))
    assert shell.heard("A2", Answer)[0].accepted


def test_proof_of_more_than_the_journal_has_stops_the_table(tmp_path: Path) -> None:
    key = new_key(tmp_path / "casino.key")

    def is_ours(checkpoint: SignedCheckpoint) -> bool:
        return is_signed_by(checkpoint, key.public)

    async def play() -> None:
        shell = await Shell(await open_in(MemoryJournal(Clock())), proves=is_ours).open()
        forged = SignedCheckpoint(Head(STREAM, 999, b"h" * 32, 1), 1, key.public.id, b"s" * 64)
        await shell.say(hello("A1", proof=forged))
        await shell.say(dealer(acts.Open(), 1, 1))
        assert shell.heard("console", Answer)[0].accepted
        proof = sign(Head(STREAM, 999, b"h" * 32, 1), 1, key)
        await shell.say(hello("A1", proof=proof))
        assert "proves" in shell.done(do.RaiseAlarm)[0].text
        await shell.say(wager("A2", 1, 1))
        [answer] = shell.heard("A2", Answer)
        assert answer.refusal is not None
        assert answer.refusal.code == "halted"

    plays(play)()


@plays
async def test_an_owner_that_was_overtaken_finds_out_from_the_table() -> None:
    """Its lease may still be its own: only the head of the stream tells who wrote last."""
    clock = Clock()
    shell = await _shell(clock)
    await _successor(shell, clock)
    shell.effects.clear()
    await shell.say(hello("A1", epoch=2, version=3))
    assert shell.done(do.LookAtHead)
    assert shell.owner.term is None
    assert not shell.done(do.RaiseAlarm)


@plays
async def test_a_device_that_only_claims_a_newer_owner_changes_nothing() -> None:
    shell = await _shell()
    await shell.say(hello("A1", epoch=9))
    assert shell.epoch == 1
    await shell.say(HeadSeen(10**6, await shell.journal.head(STREAM)))
    assert shell.epoch == 1


# Taking over


@plays
async def test_a_new_owner_takes_then_says_what_it_runs_then_restarts() -> None:
    clock = Clock()
    shell = await _wagering(clock)
    await shell.say(wager("A1", 1, 1))
    other = await _successor(shell, clock)
    keys = [record.entry.key for record in await records_in(shell.journal)]
    assert keys[-3:] == ["owner_taken/2", "started/2", "restart/2"]
    assert other.owner.term is not None
    state = other.owner.term.state
    assert state.phase is Phase.BETWEEN_COUPS
    assert state.purse("A1").balance == 30_000


@pytest.mark.clause("CROWN 11.15(a)")
@pytest.mark.parametrize(("lived_ms", "clause"), [(0, "CROWN 11.15(a)"), (2_200, "CROWN 11.16")])
def test_when_the_owner_died_decides_about_an_open_coup(lived_ms: int, clause: str) -> None:
    async def play() -> None:
        clock = Clock()
        shell = await _wagering(clock)
        clock.ms += lived_ms
        await shell.wake(lived_ms or 100)
        await _successor(shell, clock)
        accepted = read_answer((await records_in(shell.journal))[-1].entry).accepted
        assert accepted is not msgspec.UNSET
        restarted, voided = read_events(accepted)
        assert isinstance(restarted, e.SystemRestarted)
        assert isinstance(voided, e.CoupVoided)
        assert restarted.clause == clause

    plays(play)()


@pytest.mark.clause("CROWN 11.15(b)")
def test_an_owner_that_lived_past_the_deadline_leaves_wagers_to_confirm() -> None:
    async def play() -> None:
        clock = Clock()
        shell = await _wagering(clock)
        await shell.say(wager("A1", 1, 1))
        shell.hold = True
        clock.ms += 2_600
        await shell.wake(2_600)
        other = await _successor(shell, clock)
        assert other.owner.term is not None
        assert other.owner.term.state.awaits_confirmation
        assert other.owner.term.state.purse("A1").layout == {"player": 2_500}

    plays(play)()


@plays
async def test_the_sign_of_life_of_one_who_never_served_is_nobodys() -> None:
    """A candidate that took the table long after the owner died, and died before it restarted, proves nothing."""
    clock = Clock()
    shell = await _wagering(clock)
    clock.ms += 60_000
    idle = Shell(shell.journal, "north")
    idle.hold = True
    await idle.say(Start())
    await _successor(shell, clock)
    last = (await records_in(shell.journal))[-1]
    accepted = read_answer(last.entry).accepted
    assert accepted is not msgspec.UNSET
    restarted = read_events(accepted)[0]
    assert isinstance(restarted, e.SystemRestarted)
    assert restarted.clause == "CROWN 11.15(a)"
    assert last.epoch == 3


@plays
async def test_the_tables_clock_never_falls_behind_a_sign_of_life() -> None:
    """The journal's clock was put back between the last sign of life and the taking."""
    clock = Clock()
    shell = await _shell(clock)
    clock.ms += 2_500
    await shell.wake(500)
    clock.ms -= 2_000
    await shell.journal.release_lease(shell.owner.term.lease if shell.owner.term else pytest.fail("no lease"))
    other = await _successor(shell, clock, after_ms=0)
    assert other.owner.term is not None
    assert other.owner.term.clock.table_ms(other.now) >= 1_002_500


@plays
async def test_a_command_that_the_last_owner_never_wrote_is_told_as_lost_and_never_taken() -> None:
    clock = Clock()
    shell = await _wagering(clock)
    shell.hold = True
    await shell.say(wager("A1", 1, 1))
    other = await _successor(shell, clock)
    await other.say(hello("A1", epoch=1, version=3, pending=Name(1, 1)))
    [welcome] = other.heard("A1", Welcome)
    assert welcome.pending == Lost(epoch=1, n=1)
    await other.say(wager("A1", 1, 1))
    assert other.told[-1] == ("A1", Resynchronise(epoch=2))
    late = shell.held.pop()
    assert isinstance(await shell.append(late), Conflict)


@plays
async def test_whoever_does_not_own_the_table_sends_devices_to_its_owner() -> None:
    clock = Clock()
    shell = await _shell(clock)
    other = Shell(shell.journal, "west")
    await other.say(Start())
    await other.say(hello("A1"))
    await other.say(wager("A1", 1, 1))
    assert [effect.holder for effect in other.done(do.Disconnect)] == ["east", "east"]
    clock.ms += 2_500
    await other.wake(RETRY_MS - 1)
    assert other.owner.term is None
    await other.wake(1)
    assert other.epoch == 2


@plays
async def test_the_lease_is_renewed_every_half_second() -> None:
    clock = Clock()
    shell = await _wagering(clock)
    for _ in range(4):
        clock.ms += 500
        await shell.wake(500)
    assert len(shell.done(do.Renew)) == 4
    lease = await shell.journal.lease(STREAM)
    assert lease is not None
    assert lease.renewed_ms == clock.ms


@plays
async def test_owners_on_one_clock_renew_their_leases_at_the_same_moments() -> None:
    """So that a process renews all of them with one transaction; never later than half a second after the last one."""
    for taken_at in (5_000, 5_001, 5_123, 5_499):
        shell = Shell(await open_in(MemoryJournal(Clock())), now=taken_at)
        await shell.say(Start())
        assert shell.done(do.Wake)[-1].at == 5_500
        await shell.wake(5_510 - taken_at)
        assert [effect.lease.owner for effect in shell.done(do.Renew)] == ["east"]
        assert shell.done(do.Wake)[-1].at == 6_000


@plays
async def test_an_owner_whose_lease_was_taken_serves_nobody_any_more() -> None:
    clock = Clock()
    shell = await _wagering(clock)
    clock.ms += 2_500
    await shell.journal.acquire_lease(STREAM, "west", 2_000)
    await shell.wake(500)
    assert shell.owner.term is None
    assert {effect.device for effect in shell.done(do.Disconnect)} == {"console", "A1", "A2", "A3"}
    await shell.say(Renewed(1, None))


# The clock, the house, and leaving


@plays
async def test_the_timers_close_is_a_record_like_any_other_and_later_wagers_are_refused() -> None:
    shell = await _wagering()
    shell.hold = True
    await shell.say(wager("A1", 1, 1))
    await shell.wake(2_500)
    await shell.say(wager("A2", 1, 1))
    await shell.let_go()
    [answer] = shell.heard("A1", Answer)
    assert answer.accepted
    await shell.let_go()
    [late] = shell.heard("A2", Answer)
    assert late.refusal is not None
    assert late.refusal.code == "wagering_closed"
    keys = [record.entry.key for record in await records_in(shell.journal)]
    assert keys[-3:] == ["ask/A1/1/1", "clock/1/1", "ask/A2/1/1"]


@pytest.mark.parametrize("closes", ["the dealer", "the timer", "the first card"])
def test_whatever_closes_the_wagering_gets_a_salt_for_every_station_from_the_owner(closes: str) -> None:
    async def play() -> None:
        shell = await _wagering()
        await shell.say(wager("A1", 1, 1))
        if closes == "the dealer":
            await shell.say(dealer(acts.Close(), 1, 2, 1))
        elif closes == "the timer":
            await shell.wake(2_500)
        else:
            await shell.say(dealer(acts.Card(card="9S"), 1, 2, 1))
        stamps = [read_act(read_answer(record.entry)).stamp for record in (await records_in(shell.journal))[-2:]]
        assert [stamp.salts for stamp in stamps] == [{}, {"A1": SALT, "A2": SALT, "A3": SALT}]
        await shell.say(dealer(acts.Card(card="2H"), 1, 3, 1))
        assert not read_act(read_answer((await records_in(shell.journal))[-1].entry)).stamp.salts

    plays(play)()


@plays
async def test_a_wager_at_the_deadline_is_refused_even_before_the_timer_has_rung() -> None:
    shell = await _wagering()
    shell.now += 2_500
    await shell.say(wager("A1", 1, 1))
    [late] = shell.heard("A1", Answer)
    assert late.refusal is not None
    assert late.refusal.code == "wagering_closed"


@plays
async def test_patrons_who_are_wagering_are_told_when_the_journal_does_not_answer() -> None:
    shell = await _wagering()
    shell.hold = True
    await shell.say(wager("A1", 1, 1))
    for _ in range(2):
        await shell.wake(500)
    assert not shell.told
    await shell.wake(500)
    assert {device for device, _ in shell.told} == {"A1", "A2", "A3", "console"}
    assert {message for _, message in shell.told} == {Paused(epoch=1)}
    await shell.let_go()
    assert shell.heard("A1", Answer)[0].accepted
    shell.told.clear()
    for _ in range(4):
        await shell.wake(500)
    assert not [message for _, message in shell.told if isinstance(message, Paused)]


@plays
async def test_the_house_hears_of_coups_and_the_table_of_the_house() -> None:
    shell = await _shell()
    await shell.say(dealer(acts.Open(), 1, 1))
    told = [effect.act for effect in shell.done(do.TellHouse)]
    assert [act.busy for act in told if isinstance(act, TellBusy)] == [True]
    for _ in range(2):
        await shell.say(Carried(acts.EndDay(date="2026-11-16"), clock_stamp()))
    keys = [record.entry.key for record in await records_in(shell.journal)]
    assert keys[-2:] == ["house/1/1", "house/1/2"]


@plays
async def test_an_owner_that_leaves_finishes_first_and_lets_go() -> None:
    shell = await _wagering()
    shell.hold = True
    await shell.say(wager("A1", 1, 1))
    await shell.say(Stop())
    await shell.say(wager("A2", 1, 1))
    assert not shell.done(do.ReleaseLease)
    await shell.let_go()
    assert shell.heard("A1", Answer)[0].accepted
    assert not shell.heard("A2", Answer)
    assert shell.owner.term is None
    assert shell.done(do.KeepSnapshot)[0].head == await shell.journal.head(STREAM)
    other = Shell(shell.journal, "west")
    await other.say(Start())
    assert other.epoch == 2


# The records


@plays
async def test_a_table_without_records_is_configured_by_its_first_owner() -> None:
    shell = Shell(MemoryJournal(Clock()))
    await shell.say(Start())
    keys = [record.entry.key for record in await records_in(shell.journal)]
    assert keys == ["owner_taken/1", "started/1", "configure/1"]
    assert shell.owner.term is not None
    assert shell.owner.term.state.configuration.table == "T1"


async def _play(journal: Journal) -> Shell:
    shell = await Shell(await open_in(journal)).open()
    await shell.say(dealer(acts.Open(), shell.epoch, 1))
    for station in ("A1", "A2"):
        await shell.say(wager(station, shell.epoch, 1))
    await shell.say(wager("A3", shell.epoch, 1, cents=1))
    await shell.say(dealer(acts.Close(), shell.epoch, 2, 1, salts={"A1": "00", "A2": "01"}))
    for n, card in enumerate(("9S", "2H", "KD", "5C"), 3):
        await shell.say(dealer(acts.Card(card=card), shell.epoch, n, 1))
    await shell.say(dealer(acts.Confirm(), shell.epoch, 7, 1))
    return shell


def test_an_owners_records_in_a_real_file_are_proved_and_read_back_to_its_very_state(tmp_path: Path) -> None:
    async def play() -> None:
        journal = await open_sqlite(tmp_path / "journal")
        shell = await _play(journal)
        replay = TableReplay(STREAM, "a build")
        for record in await records_in(journal):
            assert replay.take(record) is None
        assert shell.owner.term is not None
        assert replay.settled.keys() == {1}
        recovered = await recover_table(journal, STREAM, "")
        assert digest_of(recovered.state) == digest_of(shell.owner.term.state) == digest_of(replay.state)
        assert shell.done(do.Vouch)[-1].head == await journal.head(STREAM)
        await journal.close()

    plays(play)()


def test_a_refusal_is_read_back_as_it_was_given() -> None:
    async def play() -> None:
        clock = Clock()
        shell = await _wagering(clock)
        await shell.say(wager("A1", 1, 1, cents=10**8, bet="banker"))
        [given] = shell.heard("A1", Answer)
        other = await _successor(shell, clock)
        await other.say(hello("A1", epoch=1, version=1, pending=Name(1, 1)))
        assert other.heard("A1", Welcome)[0].pending == given
        assert isinstance(given.refusal, Refused)

    plays(play)()


@plays
async def test_a_device_that_has_forgotten_everything_is_told_how_far_it_had_counted() -> None:
    shell = await _wagering()
    for n in (1, 2):
        await shell.say(wager("A1", shell.epoch, n))
    await shell.say(hello("A1"))
    assert shell.heard("A1", Welcome)[-1].last == 2
    await shell.say(wager("A1", shell.epoch, 3, cents=5_000))
    assert shell.heard("A1", Answer)[-1].n == 3
