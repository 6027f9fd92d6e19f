"""The figures of a report by example: win, shift, float, and who put what right."""

import msgspec
import pytest

from sabot.audit.table_report import win_report
from sabot.floor.lines.table import LineFloor
from sabot.floor.lines.words import read_line
from sabot.ledger.account import COMMISSION
from sabot.table.fixtures import fixture
from sabot.views.console import console_view
from sabot.views.floor import floor_view
from sabot.views.scorecard import Scorecard
from tests.audit.sums import by_sum, sum_of, version_of
from tests.table.playing import play_coup
from tests.views.test_views import BANKER_7_TO_3, play, watched
from tests.views.watching import Watched

ALL_TIME = (0, 2**53)


def test_the_win_of_a_table_is_told_by_meters_and_by_books() -> None:
    table = watched()
    before = version_of(table.talk)
    play(table, "2S 4H 3D 3C 8S", banker=10_000, tie=1_000)
    report = win_report("T1", sum_of(table.talk, before))
    (line,) = [line for line in report.stations if line.station == "A1"]
    assert (line.turnover, line.win, line.commission, line.coups, line.drop) == (11_000, -8_500, 500, 1, 0)
    assert (report.metered_win, report.booked_win, report.variance) == (-8_500, -8_500, 0)
    assert report.theoretical_win is None
    assert win_report("T1", sum_of(table.talk)).hold_percent == "-4.25"


def _put_right(table: Watched, coup: int, cards: str) -> None:
    table.say(do="freeze", by="D1")
    table.say(do="correct", by="D1", coup=coup, cards=cards.split(), second="GS1")
    assert table.say(do="recalculate", by="D1").ok
    table.say(do="unfreeze", by="D1")


@pytest.mark.clause("CROWN 11.11")
def test_the_commission_of_a_table_follows_a_recalculation_and_a_coup_made_invalid() -> None:
    table = watched()
    play(table, "2S 4H 3D 3C 8S", banker=10_000)
    settled, booked = version_of(table.talk), table.state.ledger.balance(COMMISSION)
    assert _commission(table) == 500
    _put_right(table, 1, "2S 4H 3D 3C 3S")
    assert _commission(table) == 0
    assert _commission(table, settled, booked) == -500, "the period of the correction gives it back"
    play(table, "2S 4H 3D 3C 3S", banker=20_000)
    assert _commission(table) == 0
    _put_right(table, 2, "2S 4H 3D 3C 8S")
    assert _commission(table) == 1_000
    assert table.say(do="invalidate", by="CS1", coup=2, cause="malfunction", reason="a reader failed").ok
    assert _commission(table) == 0


def _commission(table: Watched, after: int = 0, booked: int = 0) -> int:
    """The commission of a period, which the books must confirm."""
    report = win_report("T1", sum_of(table.talk, after))
    commission = sum(line.commission for line in report.stations)
    assert commission == table.state.ledger.balance(COMMISSION) - booked
    assert report.variance == 0
    return commission


def test_a_shift_tells_who_dealt_what_came_in_and_what_was_put_right() -> None:
    table = watched()
    play(table, "2S 4H 3D 3C 3S", player=10_000)
    _put_right(table, 1, "2S 4H 3D 3C 8S")
    report = by_sum(sum_of(table.talk), *ALL_TIME)
    shift = report.shift
    assert (shift.dealers, shift.coups, shift.corrected, shift.came_in) == (("D1",), 1, 1, {"cash": 200_000})
    corrected, recalculated = report.put_right
    assert (corrected.kind, corrected.coup, corrected.by) == ("OutcomeCorrected", 1, "D1")
    assert (recalculated.kind, recalculated.cents, recalculated.clause) == ("CoupRecalculated", -20_000, "CROWN 11.11")
    (line,) = report.bets
    assert (line.bet, line.wagers, line.turnover, line.win) == ("player", 1, 10_000, 10_000)


def test_a_dealer_has_the_coups_that_the_dealer_opened_and_a_patron_those_of_the_station() -> None:
    pit = LineFloor()
    table = pit.enter(fixture("crown"))
    for line in (
        *({"do": "sign_on", "by": "D1", "at_ms": 3_600_000}, {"do": "open_table", "by": "D1"}),
        *({"do": "check_cards", "by": "GS1", "cards": 416}, {"do": "new_shoe", "by": "D1"}),
        *({"do": "cut", "by": "GS1", "at": 208}, {"do": "burn", "by": "D1"}),
        {"do": "buy_in", "by": "D1", "station": "A1", "cents": 50_000, "patron": "M1", "at_ms": 5_400_000},
        {"do": "buy_in", "by": "D1", "station": "A2", "cents": 50_000},
    ):
        assert table.answer(line).ok
    play_coup(table, [{"banker": 10_000, "tie": 500}, {"player": 4_000}], BANKER_7_TO_3)
    settled = by_sum(sum_of(table), *ALL_TIME)
    for line in (
        {"do": "sign_on", "by": "D2", "at_ms": table.now_ms + 1_800_000},
        {"do": "sign_off", "by": "D1"},
        {"do": "invalidate", "by": "GS1", "coup": 1, "cause": "malfunction", "reason": "a jam", "second": "CS1"},
        {"do": "leave", "by": "A1", "at_ms": table.now_ms + 2_700_000},
    ):
        assert table.answer(line).ok
    one = sum_of(table)
    dealt, newer = by_sum(one, *ALL_TIME).dealers
    assert (dealt.dealer, dealt.coups, dealt.turnover, dealt.corrected) == ("D1", 0, 0, 1)
    assert (newer.dealer, newer.coups, newer.corrected, newer.present_ms) == ("D2", 0, 0, 900_000)
    (patron,) = by_sum(one, *ALL_TIME).patrons
    assert (patron.patron, patron.coups, patron.theoretical_win) == ("M1", 0, None)
    (dealt,), (patron,) = settled.dealers, settled.patrons
    assert (dealt.coups, dealt.turnover, dealt.win, dealt.commission) == (1, 14_500, -5_000, 500)
    assert (dealt.present_ms, dealt.coups_an_hour) == (1_800_000, 2.0)
    assert (patron.coups, patron.turnover, patron.win, patron.commission) == (1, 10_500, -9_000, 500)
    assert patron.theoretical_win == pytest.approx(10_000 * 0.010579 + 500 * 0.1436, abs=1)


def test_the_float_is_reported_with_what_moved_it_and_who_counted() -> None:
    table = LineFloor().enter(fixture("crown"))
    for words in (
        *("D1 sign_on", "D1 open_table", "D1 count_float 5000 opening second=GS1", "D1 buy_in A1 300 chips"),
        *(
            "D1 fill 1000 F1 RUN4 second=GS1",
            "D1 credit 200 C1 RUN5 second=CS1",
            "D1 buy_in A2 100",
            "D1 leave A2",
            "D1 pay A2",
        ),
        *("D1 count_float 5950 shift_change second=GS1", "D1 fill 50 F2 second=GS1", "D1 sign_off"),
    ):
        assert table.answer(read_line(words, 0)).ok
    report = by_sum(sum_of(table), *ALL_TIME)
    figures = report.shift.chip_float
    assert (figures.first, figures.fills, figures.credits, figures.patrons) == (0, 605_000, 20_000, 20_000)
    assert (figures.differences, figures.last, figures.uncounted) == (-5_000, 600_000, 1)
    opening, filled, credit, counted, _, missed = report.float_lines
    assert (opening.kind, opening.when, opening.cents, opening.difference) == ("FloatCounted", "opening", 500_000, 0)
    assert (filled.kind, filled.slip, filled.carried_by, filled.approver) == ("ChipsFilled", "F1", "RUN4", "GS1")
    assert (credit.kind, credit.cents, credit.approver) == ("ChipsCredited", 20_000, "CS1")
    assert (counted.cents, counted.expected, counted.difference, counted.by) == (595_000, 600_000, -5_000, "D1")
    assert (missed.kind, missed.when, missed.expected) == ("FloatUncounted", "shift_change", 600_000)
    codes = {alarm.message.code for alarm in console_view(Watched(table, Scorecard()).look()).alarms}
    assert {"alarm_float_difference", "alarm_float_uncounted"} <= codes
    assert {"alarm_float_difference", "alarm_float_uncounted"} <= {
        message.code for message in floor_view(table.floor.house, {"T1": table.state}).alarms
    }


def test_an_approver_is_named_where_one_was_due() -> None:
    pit = LineFloor()
    table = pit.enter(msgspec.structs.replace(fixture("crown"), two_persons=("waive", "invalidate")))
    for line in (
        *({"do": "sign_on", "by": "D1"}, {"do": "open_table", "by": "D1"}),
        *({"do": "check_cards", "by": "GS1", "cards": 416}, {"do": "new_shoe", "by": "D1"}),
        *({"do": "cut", "by": "GS1", "at": 208}, {"do": "burn", "by": "D1"}),
        {"do": "buy_in", "by": "D1", "station": "A1", "cents": 50_000},
    ):
        assert table.answer(line).ok
    play_coup(table, [{"player": 10_000}], BANKER_7_TO_3)
    line = {"do": "invalidate", "by": "GS1", "coup": 1, "cause": "malfunction", "reason": "the shoe jammed"}
    assert table.answer({**line, "second": "CS1"}).ok
    (told,) = by_sum(sum_of(table), *ALL_TIME).put_right
    assert (told.by, told.approver, told.cents, told.reason) == ("GS1", "CS1", 10_000, "the shoe jammed")
