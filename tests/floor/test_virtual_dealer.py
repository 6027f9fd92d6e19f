"""The virtual dealer and the robots play whole shoes under every rule set, and nothing is refused."""

import msgspec
import pytest

from sabot.audit.fairness import collect_evidence, fairness
from sabot.floor.virtual.dealer import FetchShoe, LostShoe, Manner, Pace, Say, next_act
from sabot.floor.virtual.play import Turn, play
from sabot.floor.virtual.robots import Robot, seen_at
from sabot.floor.virtual.shoe import VirtualShoe
from sabot.ledger.audit import discrepancy
from sabot.rules.cards import CARDS
from sabot.rules.coup import read_coup
from sabot.rules.shipped import IDS
from sabot.table import acts
from sabot.table import events as e
from sabot.table.evolve import fold
from sabot.table.phase import Phase
from sabot.table.snapshot import read_state, write_state
from sabot.table.state import Stage, TableState
from tests.floor.virtual_play import AT_ONCE, CREW, from_seed, one_shoe, shoe_of, table_with_robots
from tests.table.playing import table_with_money


def _money(state: TableState) -> int:
    """Everything that patrons have on the table: accounts, layouts, held."""
    purses = (state.purse(station) for station in state.stations)
    return sum(purse.balance + purse.held + sum(purse.layout.values()) for purse in purses)


@pytest.mark.parametrize("identity", IDS)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_shoe_is_played_proved_and_paid_to_the_cent(identity: str, seed: int) -> None:
    table, robots = table_with_robots(identity, seed)
    before = _money(table.state)
    turns = one_shoe(table, robots, seed)
    assert [(turn.act, turn.answer.refusal) for turn in turns if not turn.answer.ok] == []
    events = [event for turn in turns for event in turn.answer.events]
    settled = [event for event in events if isinstance(event, e.WagersSettled)]
    net = 0
    for event in settled:
        decided = next(one for one in events if isinstance(one, e.CoupDecided) and one.coup == event.coup)
        coup = read_coup([CARDS[card] for card in decided.cards])
        for wagers in event.settlements.values():
            stakes = {one.bet: one.stake_cents for one in wagers}
            again = {one.bet: one.net_cents for one in table.state.terms.settle(stakes, coup)}
            assert {one.bet: one.net_cents for one in wagers} == again
            net += sum(again.values())
    assert len(settled) > 60
    assert _money(table.state) == before + net
    assert discrepancy(table.state.ledger, table.state.meters) is None
    (tale,) = collect_evidence((record.n, record.events) for record in table.records)
    verdict = fairness(tale)
    assert (verdict.standing, verdict.cards) == ("proved", sum(isinstance(event, e.CardDealt) for event in events))
    assert read_state(write_state(table.state)) == table.state


@pytest.mark.parametrize("identity", ["crown-traditional", "rws-non-commission"])
def test_wagering_is_always_closed_and_sealed_before_the_first_card(identity: str) -> None:
    table, robots = table_with_robots(identity)
    is_open = False
    for turn in one_shoe(table, robots):
        for event in turn.answer.events:
            if isinstance(event, e.WageringOpened):
                is_open, deadline = True, event.deadline_ms
            if isinstance(event, e.WageringClosed):
                is_open = False
                assert (event.closed_by, event.at_ms) == ("timer", deadline)
                assert turn.act.verb == "close"
            assert not (is_open and isinstance(event, e.CardDealt))


@pytest.mark.clause("G-119")
def test_the_result_is_confirmed_at_once_after_the_last_card() -> None:
    table, robots = table_with_robots("crown-traditional")
    turns = one_shoe(table, robots, manner=Manner(Pace(900, 4_000, 2_000)))
    confirmations = [at for at, turn in enumerate(turns) if turn.act.verb == "confirm"]
    assert len(confirmations) > 60
    for at in confirmations:
        assert turns[at].waited_ms == 0
        assert turns[at - 1].act.verb == "card"
        assert turns[at - 1].answer.next is None


def test_the_cutting_card_shows_where_it_lies_and_one_more_coup_follows() -> None:
    for seed in range(3):
        table, robots = table_with_robots("crown-traditional", seed)
        turns = one_shoe(table, robots, seed)
        (seen,) = [one for turn in turns for one in turn.answer.events if isinstance(one, e.CuttingCardSeen)]
        assert seen.position == 416 - 20
        (ended,) = [one for turn in turns for one in turn.answer.events if isinstance(one, e.ShoeEnded)]
        assert ended.reason == "the last coup is played"
        assert table.state.coups == seen.last_coup


@pytest.mark.clause("CROWN 3.8.2")
def test_a_burn_by_face_value_shows_a_proved_card() -> None:
    table, robots = table_with_robots("crown-traditional")
    turns = one_shoe(table, robots, manner=Manner(Pace(0, 0, 0), burn_by_face_value=True))
    first, rest = [one for turn in turns for one in turn.answer.events if isinstance(one, e.CardsBurned)]
    assert first.shown == shoe_of(2).card(1, 208)
    assert (first.still_due, rest.hidden) == (CARDS[first.shown].rank.burn_value,) * 2
    (tale,) = collect_evidence((record.n, record.events) for record in table.records)
    assert fairness(tale).standing == "proved"


def test_the_pace_is_kept_and_can_be_changed() -> None:
    slow = _waits(Pace(900, 4_000, 2_000).times(2))
    assert slow == {"card": {1_800}, "open": {8_000}, "close": {30_000}, "cut": {4_000}, "confirm": {0}}
    assert _waits(Pace().times(0)) == {"card": {0}, "open": {0}, "close": {30_000}, "cut": {0}, "confirm": {0}}


def _waits(pace: Pace) -> dict[str, set[int]]:
    table, robots = table_with_robots("crown-traditional")
    verbs = ("card", "open", "close", "cut", "confirm")
    found: dict[str, set[int]] = {verb: set() for verb in verbs}
    for turn in one_shoe(table, robots, manner=Manner(pace)):
        if turn.act.verb in verbs:
            found[turn.act.verb].add(turn.waited_ms)
    return found


def test_the_dealer_goes_on_from_any_state_because_it_remembers_nothing() -> None:
    """At every turn of a shoe, another dealer with the shoe's file in hand would say the same."""
    table, robots = table_with_robots("mbs-baccarat")
    one_shoe(table, robots)
    first, *rest = table.records
    state, now_ms, shoe, compared = first.state, 0, shoe_of(2), 0
    for record in rest:
        assert record.act is not None
        if record.stamp.by in ("D1", "GS1") and record.act.verb not in ("sign_on", "open_table", "buy_in"):
            act = next_act(state, shoe, CREW, AT_ONCE, now_ms)
            assert isinstance(act, Say)
            assert (act.by, act.act, act.second) == (record.stamp.by, record.act, record.stamp.second)
            compared += 1
        state, now_ms = fold(record.events, state), record.at_ms
    assert state.shoe.opened
    assert compared > 300


@pytest.mark.parametrize("identity", ["crown-baccarat", "mbs-rapid-no-commission"])
@pytest.mark.parametrize("phase", [Phase.WAGERING, Phase.NO_MORE_BETS, Phase.DEALING, Phase.BETWEEN_COUPS])
def test_a_lost_file_returns_the_wagers_ends_the_shoe_and_play_goes_on(identity: str, phase: Phase) -> None:
    table, robots = table_with_robots(identity)
    lost = False
    stood: int | None = None

    def fetch(wanted: FetchShoe) -> VirtualShoe | LostShoe:
        if lost and wanted.number == 1:
            return LostShoe(1, "the file of shoe 1 cannot be read: No such file or directory")
        return shoe_of(wanted.number, wanted.number)

    for turn in play(table, CREW, AT_ONCE, robots, fetch):
        assert turn.answer.ok, turn.answer.refusal
        ready = table.state.shoe.coups_dealt == 3 and table.state.phase is phase
        if ready and (phase is not Phase.WAGERING or turn.act.verb == "set_wager"):
            stood = _money(table.state)
            break
    lost = True
    turns: list[Turn] = []
    for turn in play(table, CREW, AT_ONCE, robots, fetch):  # Another process: it has no shoe in hand.
        assert turn.answer.ok, turn.answer.refusal
        turns.append(turn)
        if table.state.shoe.number == 2 and table.state.shoe.coups_dealt == 1:
            break
    verbs = [turn.act.verb for turn in turns]
    ending = ["invalidate", "order_shuffle"] if phase is Phase.DEALING else ["order_shuffle"]
    assert verbs[: len(ending) + 1] == [*ending, "new_shoe"]
    after = turns[len(ending) - 1].answer
    assert sum(after.balances.values()) == stood
    assert after.layout == {}
    unopened, second = collect_evidence((record.n, record.events) for record in table.records)
    assert fairness(unopened).sentence == (
        "Shoe 1 of table T1 is not proved: it has ended (the file of shoe 1 cannot be read: No such file or directory)"
        " and was never opened."
    )
    assert fairness(second).standing == "in play"


def test_a_table_without_patrons_waits_and_a_coup_without_wagers_is_void() -> None:
    table, robots = table_with_robots("crown-traditional")
    for turn in play(table, CREW, AT_ONCE, [], from_seed(1)):
        assert turn.answer.ok
        if turn.act.verb == "void":
            break
    assert table.state.shoe.out == 1
    for robot in robots:
        assert table.answer({"do": "leave", "by": robot.station}).ok
    rest = list(play(table, CREW, AT_ONCE, [], from_seed(1)))
    assert [turn.act.verb for turn in rest] == ["pay"] * len(robots)
    assert next_act(table.state, shoe_of(2), CREW, AT_ONCE, table.now_ms) is None


def test_a_frozen_or_locked_table_is_left_to_people() -> None:
    table, _ = table_with_robots("crown-traditional")
    locked = msgspec.structs.replace(table.state, locked="the books disagree")
    frozen = msgspec.structs.replace(table.state, frozen_at_ms=1)
    for state in (locked, frozen):
        assert next_act(state, None, CREW, AT_ONCE, 0) is None


def test_a_shoe_of_real_cards_is_left_to_people() -> None:
    table = table_with_money("crown-traditional")
    assert table.state.shoe.stage is Stage.IN_PLAY
    assert next_act(table.state, None, CREW, AT_ONCE, 0) is None


@pytest.mark.clause("CROWN 11.15(b)")
def test_after_a_restart_behind_the_close_the_records_are_confirmed_and_the_coup_is_played_on() -> None:
    table, robots = table_with_robots("crown-traditional")
    for _ in play(table, CREW, AT_ONCE, robots, from_seed(1)):
        if table.state.phase is Phase.DEALING:
            break
    assert table.answer({"do": "restart", "by": "clock", "last_sign_ms": table.now_ms}).ok
    assert table.state.awaits_confirmation
    again = play(table, CREW, AT_ONCE, robots, from_seed(1))
    assert next(again).act.verb == "confirm_records"
    for turn in again:
        assert turn.answer.ok, turn.answer.refusal
        if table.state.shoe.coups_dealt == 2:
            break
    (tale,) = collect_evidence((record.n, record.events) for record in table.records)
    assert fairness(tale).standing == "in play"


def test_shoe_follows_shoe_and_each_is_opened_before_the_next_is_shuffled() -> None:
    table, robots = table_with_robots("mbs-no-commission")
    for turn in play(table, CREW, AT_ONCE, robots, from_seed(1)):
        assert turn.answer.ok, turn.answer.refusal
        if table.state.shoe.number == 3 and table.state.shoe.stage is Stage.IN_PLAY:
            break
    told = collect_evidence((record.n, record.events) for record in table.records)
    assert [fairness(tale).standing for tale in told] == ["proved", "proved", "in play"]
    assert len({tale.commitment for tale in told}) == 3


def test_robots_of_the_same_seed_do_the_same_and_keep_within_purse_and_limits() -> None:
    """A poor purse: they wager what they can, and nothing they say is refused."""
    transcripts = []
    for _ in range(2):
        table, robots = table_with_robots("crown-baccarat", seed=5, cents=20_000)
        turns = one_shoe(table, robots)
        assert [turn.answer.refusal for turn in turns if not turn.answer.ok] == []
        transcripts.append([(record.stamp.by, record.act) for record in table.records])
    assert transcripts[0] == transcripts[1]
    assert {acts.SetWager, acts.Repeat, acts.Double} <= {type(act) for _, act in transcripts[0]}
    bets = {act.bet for _, act in transcripts[0] if isinstance(act, acts.SetWager)}
    assert {"player", "banker", "tie"} < bets


def test_a_robot_follows_the_last_result_and_leaves_when_it_is_ahead() -> None:
    table, _ = table_with_robots("crown-traditional")
    robots = [Robot("S2", "follower", 1, leaves=(490_000, 510_000)), Robot("S1", "banker", 1)]
    last, followed, left = "", 0, False
    for turn in play(table, CREW, AT_ONCE, robots, from_seed(1)):
        assert turn.answer.ok
        for event in turn.answer.events:
            if isinstance(event, e.CoupDecided):
                last = event.winner
            if isinstance(event, e.LeaveAsked):
                left = not 490_000 < event.held_cents < 510_000
        if isinstance(turn.act, acts.SetWager) and table.records[-1].stamp.by == "S2" and last in ("player", "banker"):
            followed += 1
            assert turn.act.bet == last
        if table.state.shoe.opened:
            break
    assert followed
    assert left
    assert not table.state.stations["S2"].is_open


def test_a_robot_sees_nothing_of_other_stations() -> None:
    table, _ = table_with_robots("crown-traditional")
    before = seen_at(table.state, "S1", "")
    assert table.answer({"do": "buy_in", "by": "D1", "station": "S2", "cents": 10_000, "top_up": True}).ok
    assert seen_at(table.state, "S1", "") == before
