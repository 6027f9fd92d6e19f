"""The client's protocol, step by step: what it says when, and what it leaves alone."""

import pytest

from sabot.client.protocol import Abandon, DeviceEffect, Exchange, Keep, Patience, SendFrame, Settle, ShowNews
from sabot.table import acts
from sabot.table.refusal import Refused
from sabot.wire import frames as w

PATIENCE = Patience(answer_ms=100, tries=3, welcome_ms=200, silence_ms=1_000)
NOTE = acts.Note(cents=500)
NO = Refused("no", "", "no")


def _in_touch(**welcome: int) -> Exchange:
    exchange = Exchange("events", PATIENCE)
    exchange.opened(0)
    exchange.hear(1, w.Welcome(**{"epoch": 1, "version": 10, **welcome}))  # type: ignore[arg-type]
    return exchange


def _sent(effects: list[DeviceEffect]) -> list[w.DeviceFrame]:
    return [effect.frame for effect in effects if isinstance(effect, SendFrame)]


def _settled(effects: list[DeviceEffect]) -> list[object]:
    return [effect.outcome for effect in effects if isinstance(effect, Settle)]


def _pending(exchange: Exchange) -> w.Ask:
    assert exchange.pending is not None
    return exchange.pending


def test_a_command_is_kept_before_it_is_sent() -> None:
    kept, sent = _in_touch().ask(2, NOTE)
    assert isinstance(kept, Keep)
    assert isinstance(sent, SendFrame)
    assert kept.ask == sent.frame == w.Ask(epoch=1, n=1, act=NOTE)


def test_a_command_is_repeated_under_its_name_and_then_asked_for_by_hello() -> None:
    exchange = _in_touch()
    exchange.ask(2, NOTE)
    assert exchange.wait(101) == []
    for time in (102, 202):
        assert _sent(exchange.wait(time)) == [exchange.pending]
    (hello,) = _sent(exchange.wait(302))
    assert isinstance(hello, w.Hello)
    assert hello.pending == (1, 1)
    effects = exchange.hear(303, w.Welcome(epoch=1, version=10))
    assert _sent(effects) == [exchange.pending]


def test_nobody_says_welcome_so_another_connection_is_due() -> None:
    exchange = Exchange("events", PATIENCE)
    exchange.opened(0)
    assert exchange.wait(200) == [Abandon("nobody says welcome")]
    assert exchange.due is None


def test_silence_is_broken_by_hello_and_put_off_by_every_word() -> None:
    exchange = _in_touch()
    exchange.hear(900, w.Paused(epoch=1))
    assert exchange.wait(1_899) == []
    assert isinstance(_sent(exchange.wait(1_900))[0], w.Hello)


def test_words_of_an_older_owner_are_left_alone() -> None:
    exchange = _in_touch(epoch=2)
    exchange.ask(2, NOTE)
    old: list[w.FloorFrame] = [
        w.Answer(epoch=1, n=1, version=0, refusal=NO),
        w.Welcome(epoch=1, version=99),
        w.Resynchronise(epoch=1),
        w.Told(epoch=1, after=10, version=11, events=()),
        w.ViewFrame(epoch=1, version=11, changed={}),
    ]
    assert [exchange.hear(3, frame) for frame in old] == [[]] * len(old)
    assert exchange.pending is not None


def test_a_new_owner_settles_the_command_by_what_the_journal_holds() -> None:
    for outcome in (w.Answer(epoch=1, n=1, version=11), w.Lost(epoch=1, n=1)):
        exchange = _in_touch()
        exchange.ask(2, NOTE)
        assert _sent(exchange.hear(3, w.Resynchronise(epoch=2))) == [
            w.Hello(feed="events", epoch=1, version=10, pending=w.Name(1, 1))
        ]
        effects = exchange.hear(4, w.Welcome(epoch=2, version=20, pending=outcome))
        assert _settled(effects) == [outcome]
        exchange.ask(5, NOTE)
        assert (_pending(exchange).epoch, _pending(exchange).n) == (2, 1)


def test_a_welcome_of_a_new_owner_that_says_nothing_of_the_command_answers_an_earlier_hello() -> None:
    exchange = _in_touch()
    exchange.ask(2, NOTE)
    assert exchange.hear(3, w.Welcome(epoch=2, version=20)) == []
    assert (exchange.epoch, exchange.pending is None) == (1, False)


def test_a_gap_is_closed_by_hello_and_what_is_known_is_not_told_twice() -> None:
    exchange = _in_touch()
    assert exchange.hear(2, w.Told(epoch=1, after=8, version=10, events=())) == []
    assert isinstance(exchange.hear(3, w.Told(epoch=1, after=10, version=12, events=()))[0], ShowNews)
    (hello,) = _sent(exchange.hear(4, w.Told(epoch=1, after=13, version=14, events=())))
    assert hello == w.Hello(feed="events", epoch=1, version=12)
    told = tuple(w.Told(epoch=1, after=12, version=version, events=()) for version in (12, 13, 14))
    (shown,) = exchange.hear(5, w.Welcome(epoch=1, version=14, missed=told))
    assert isinstance(shown, ShowNews)
    assert isinstance(shown.news, w.Welcome)
    assert [one.version for one in shown.news.missed] == [13, 14]


def test_whoever_has_forgotten_everything_counts_on_from_what_was_received() -> None:
    exchange = _in_touch(last=7)
    exchange.ask(2, NOTE)
    assert _pending(exchange).n == 8


def test_a_command_from_before_a_power_loss_is_asked_for_and_sent_again_only_to_its_own_owner() -> None:
    kept = w.Ask(epoch=3, n=5, act=NOTE)
    for epoch in (3, 4):
        exchange = Exchange("events", PATIENCE, kept)
        assert _sent(exchange.opened(0)) == [w.Hello(feed="events", pending=w.Name(3, 5))]
        effects = exchange.hear(1, w.Welcome(epoch=epoch, version=9, last=4 if epoch == 3 else 0))
        assert _sent(effects) == ([kept] if epoch == 3 else [])


def test_a_frame_that_was_not_taken_is_over_at_once_if_it_was_the_first_copy() -> None:
    exchange = _in_touch()
    exchange.ask(2, NOTE)
    trouble = w.Trouble(code="no_hello", text="say hello before you ask", n=1)
    assert _settled(exchange.hear(3, trouble)) == [trouble]


@pytest.mark.parametrize(("received", "is_over"), [(0, True), (1, False)])
def test_a_later_copy_that_was_not_taken_is_over_only_if_no_copy_ever_arrived(received: int, is_over: bool) -> None:
    exchange = _in_touch()
    exchange.ask(2, NOTE)
    exchange.wait(102)
    trouble = w.Trouble(code="unreadable", text="why", n=1)
    assert exchange.hear(103, trouble) == []
    assert isinstance(_sent(exchange.wait(202))[0], w.Hello)
    effects = exchange.hear(203, w.Welcome(epoch=1, version=10, last=received))
    assert _settled(effects) == ([trouble] if is_over else [])
    assert bool(_sent(effects)) is not is_over


def test_a_goodbye_names_where_to_go() -> None:
    exchange = _in_touch()
    assert exchange.hear(2, w.Bye(why="ask who owns the table", owner="west:8443")) == [
        Abandon("ask who owns the table", "west:8443")
    ]
    assert not exchange.in_touch


def test_the_newest_checkpoint_is_shown_at_the_next_hello() -> None:
    exchange = _in_touch()
    checkpoint = w.Checkpoint(version=9, epoch=1, hash="aa", at_ms=1, key_id="k", signature="s")
    exchange.hear(2, w.Vouched(checkpoint=checkpoint))
    (hello,) = _sent(exchange.opened(3))
    assert isinstance(hello, w.Hello)
    assert hello.checkpoint == checkpoint
