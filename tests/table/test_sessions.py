"""A tournament's session at a table: the acceptance cases of a table that plays in credits (CROWN rule 12)."""

import msgspec
import pytest

from sabot.ledger.account import CASH_BOX, CHIP_RACK, FORFEITED, ISSUED
from sabot.rules.rule_set import Bet
from sabot.table import acts
from sabot.table.events import CreditsForfeited
from sabot.table.refusal import Refused
from sabot.table.sessions.standing import is_bust, is_hidden_coup, wagers_hidden
from sabot.table.sessions.state import SeatStatus, SessionStage
from sabot.table.sessions.terms import SessionSeat
from tests.table.session_play import LIMITS, READY, SITTING, WINNERS, SessionTable, eight_stations, in_session, limits


@pytest.mark.clause("CROWN 13.7")
def test_a_table_is_reserved_when_its_cash_accounts_are_paid() -> None:
    """Case 20: a station with 85.00 keeps the table open to cash play until it is paid."""
    table = SessionTable()
    table.hear(*READY, "D1 buy_in A3 85")
    refused = table.reserve()
    assert isinstance(refused, Refused)
    assert (refused.code, refused.clause, refused.text) == ("accounts_open", "CROWN 13.7", "cash accounts are open: A3")
    table.hear("A3 leave", "D1 pay A3")
    assert table.names(table.reserve()) == ["TableReserved"]  # type: ignore[arg-type]
    assert table.reserve() == (), "told again it changes nothing"


@pytest.mark.clause("CROWN 12.3.2")
def test_a_reserved_table_takes_no_cash() -> None:
    """Case 21, and no wagering without a session."""
    table = SessionTable()
    table.hear(*READY)
    table.reserve()
    for line in ("D1 buy_in A2 100", "A2 note 50", "D1 open", "CS1 close_table", "D1 nominee A2 N-1"):
        refused = table.hear_one(line)
        assert isinstance(refused, Refused), line
        assert (refused.code, refused.clause) == ("reserved", "CROWN 12.3.2"), line
    assert isinstance(table.reserve("AUTUMN"), Refused)
    table.do(acts.ReleaseTable(tournament="SPRING"))
    table.hear("D1 buy_in A2 100")


@pytest.mark.clause("CROWN 5 footnote s66(2)")
def test_a_raised_minimum_has_its_sign_for_20_minutes() -> None:
    """Case 23: Player from 10.00, then from 25.00, reserved at 12:45:00."""
    shown = {**eight_stations().limits, Bet("player"): limits(1_000, 500, 100_000)}
    table = SessionTable(msgspec.structs.replace(eight_stations(), limits=shown))
    table.hear(*READY)
    table.now_ms = quarter_to_one = (12 * 60 + 45) * 60_000
    table.reserve()
    table.now_ms = quarter_to_one + 15 * 60_000
    refused = table.refused(table.opening())
    assert (refused.code, refused.clause) == ("sign_due", "CROWN 5 footnote s66(2)")
    table.now_ms = quarter_to_one + 20 * 60_000
    assert table.names(table.do(table.opening()))[0] == "SessionOpened"


@pytest.mark.clause("CROWN 12.2.1(b)")
def test_each_seat_has_its_credits_and_the_money_is_untouched() -> None:
    """Case 28."""
    table = SessionTable()
    table.hear(*READY, "D1 buy_in A1 100", "A1 leave", "D1 pay A1")
    money = table.state.ledger
    table.reserve()
    table.do(table.opening())
    assert [table.balance(station) for station in table.session.seats] == [100_000] * 8
    assert table.state.ledger.balance(ISSUED) == 800_000
    assert table.state.money_ledger is money
    assert (money.balance(CASH_BOX), money.balance(CHIP_RACK)) == (10_000, -10_000)
    assert table.do(table.opening()) == (), "a sitting opens once"


@pytest.mark.clause("CROWN 12.2.5")
def test_no_wagering_opens_without_the_director_and_what_runs_is_settled() -> None:
    """Case 29."""
    table = in_session()
    for _ in range(3):
        table.coup("player", **table.everybody())
    table.hear("D1 open")
    table.lay(**table.everybody())
    table.hear("D1 close")
    table.director = ""
    table.hear(*(f"D1 card {card}" for card in WINNERS["banker"]), "D1 confirm")
    refused = table.refused(acts.Open(), "D1")
    assert (refused.code, refused.clause) == ("director_away", "CROWN 12.2.5")
    table.director = "TD2"
    table.hear("D1 open")


@pytest.mark.clause("CROWN 12.2.1(c)")
def test_a_compulsory_wager_that_is_missed_is_forfeited() -> None:
    """Cases 30 and 31: all of it, what the purse can lay, and nothing where the station failed."""
    table = in_session()
    wagers = table.everybody()
    del wagers["A2"]
    settled = table.coup("banker", **wagers)
    assert table.names(settled)[-2:] == ["CreditsForfeited", "SessionScored"]
    assert (table.balance("A2"), table.state.ledger.balance(FORFEITED)) == (95_000, 5_000)
    table.hear("D1 open")
    table.lay(**wagers)
    table.hear("D1 fault A2", "D1 close", *(f"D1 card {card}" for card in WINNERS["banker"]), "D1 confirm")
    assert (table.balance("A2"), table.state.ledger.balance(FORFEITED)) == (95_000, 5_000)


@pytest.mark.clause("CROWN 12.2.1(c)")
def test_a_purse_below_the_compulsory_wager_forfeits_what_it_can_lay_and_is_bust() -> None:
    table = in_session(credit=8_000, penalty_credits=0)
    table.coup("player", **{**table.everybody(), "A5": 5_000})
    assert table.balance("A5") == 3_000
    wagers = {name: amount for name, amount in table.everybody(2_500).items() if name != "A5"}
    table.coup("banker", **wagers)
    assert table.balance("A5") == 0
    assert is_bust(table.state, "A5")
    assert table.session.scores.last is not None
    assert table.session.scores.last.scores[5] == 0
    before = table.state.ledger.balance(FORFEITED)
    settled = table.coup("banker", A1=4_500)
    lost = {event.station: event.credits for event in settled if isinstance(event, CreditsForfeited)}
    assert lost == dict.fromkeys(("A2", "A3", "A4", "A6", "A7", "A8"), 4_500), "48.75 can lay 45.00, and 0.00 nothing"
    assert table.state.ledger.balance(FORFEITED) == before + 6 * 4_500


@pytest.mark.clause("CROWN 12.2.1(i)")
def test_a_late_arrival_pays_for_each_missed_coup_and_comes_too_late_after_the_latest() -> None:
    """Case 32."""
    table = in_session("A7", "A8")
    for _ in range(3):
        table.coup("tie", **table.everybody())
    seat = SessionSeat(entrant=7, patron="P-7", credit=100_000)
    admit = acts.AdmitSeat(sitting=SITTING, order=table.order(), station="A7", seat=seat, penalty=True)
    assert table.names(table.do(admit)) == ["SeatOpened", "CreditsForfeited"]
    assert table.balance("A7") == 85_000
    assert table.do(admit) == (), "an order is done once"
    for _ in range(2):
        table.coup("tie", **table.everybody())
    late = SessionSeat(entrant=8, patron="P-8", credit=100_000)
    refused = table.refused(acts.AdmitSeat(sitting=SITTING, order=table.order(), station="A8", seat=late, penalty=True))
    assert (refused.code, refused.clause) == ("too_late", "CROWN 12.2.1(i)")


@pytest.mark.clause("CROWN 11.15(a)")
@pytest.mark.parametrize(("void_coups", "counted"), [("replayed", 6), ("counted", 7)])
def test_a_coup_that_a_failure_voids_counts_as_the_conditions_say(void_coups: str, counted: int) -> None:
    """Case 33: the server is killed with eight seconds left in the seventh coup."""
    table = in_session(void_coups=void_coups)
    for _ in range(6):
        table.coup("tie", **table.everybody())
    table.hear("D1 open")
    table.lay(A1=5_000)
    table.now_ms += 22_000
    events = table.do(acts.Restart(last_sign_ms=table.now_ms))
    assert "CoupVoided" in table.names(events)
    assert table.balance("A1") == 100_000
    assert (table.session.counted, table.session.left) == (counted, 20 - counted)


@pytest.mark.clause("CROWN 11.4")
def test_a_dummy_coup_never_counts_and_a_coup_nobody_wagered_on_does() -> None:
    """Case 34."""
    table = in_session(each_coup="none", credits=0, missed=None)
    table.hear("D1 open", "D1 fact face_up_first_card cards=9S", "D1 resolve dummy")
    table.hear(*(f"D1 card {card}" for card in ("2S", "KD", "5C")))
    while isinstance(table.hear_one("D1 confirm"), Refused):
        table.hear("D1 card KC")
    assert table.session.counted == 0
    table.hear("D1 open", "D1 close")
    assert table.names(table.hear("D1 void"))[-1] == "SessionScored"
    assert table.session.counted == 1


@pytest.mark.clause("CROWN 11.11")
def test_a_correction_in_an_open_session_changes_the_scores_from_its_coup_on() -> None:
    """Case 35: Banker 100.00 won 95.00, and should have lost."""
    table = in_session(each_coup="none", credits=0, missed=None)
    for _ in range(6):
        table.coup("tie", A2=2_500)
    table.coup("banker", A1=10_000)
    assert table.balance("A1") == 109_500
    table.coup("tie", A2=2_500)
    revision, before = table.session.revision, [score.revision for score in table.session.scores]
    number = table.state.coups - 1
    table.correct(number, "player")
    assert table.balance("A1") == 90_000
    assert table.session.revision == revision + 1
    assert [score.scores[1] for score in table.session.scores][-3:] == [100_000, 90_000, 90_000]
    assert [score.revision for score in table.session.scores] == [*before[:-2], revision + 1, revision + 1]


@pytest.mark.clause("CROWN 11.11")
def test_what_cannot_be_taken_is_owed_and_makes_the_score_negative() -> None:
    """Case 36: 40.00 is free, 195.00 goes, 155.00 is owed."""
    table = in_session(each_coup="none", credits=0, missed=None, credit=10_000)
    table.coup("banker", A4=10_000)
    coup = table.state.coups
    table.coup("player", A4=15_500)
    assert table.balance("A4") == 4_000
    table.correct(coup, "player")
    assert (table.balance("A4"), table.state.owed("A4")) == (0, 15_500)
    assert table.session.scores.last is not None
    assert table.session.scores.last.scores[4] == -15_500


@pytest.mark.clause("CROWN 12.3.5")
def test_a_conclusion_rests_on_the_count_it_was_ordered_at() -> None:
    """Case 40."""
    table = in_session(coups=4)
    for _ in range(2):
        table.coup("tie", **table.everybody())
    ordered = acts.ConcludeSession(sitting=SITTING, order=table.order(), counted=2)
    table.hear("D1 open")
    assert table.refused(ordered).code == "coup_in_progress"
    table.lay(**table.everybody())
    table.hear("D1 close", *(f"D1 card {card}" for card in WINNERS["tie"]), "D1 confirm")
    refused = table.refused(ordered)
    assert (refused.code, refused.clause) == ("count_moved", "CROWN 12.3.5")
    assert table.session.stage is SessionStage.OPEN
    table.do(acts.ConcludeSession(sitting=SITTING, order=table.order(), counted=3))
    assert table.refused(acts.Open(), "D1").code == "sitting_over"


@pytest.mark.clause("CROWN 12.3.5(b)")
def test_a_cash_session_ends_when_every_seated_entrant_agrees_between_coups() -> None:
    """The table's side of case 39."""
    table = in_session("A8", balances="cash", each_coup="none", credits=0, missed=None, penalty_credits=0)
    conclude = acts.ConcludeSession(sitting=SITTING, order=table.order(), counted=0, by_agreement=True)
    for station in list(table.session.open_seats)[:-1]:
        table.do(acts.AgreeToConclude(), station)
    refused = table.refused(conclude)
    assert (refused.code, refused.text) == ("not_agreed", "not agreed by A7")
    table.hear("D1 open")
    assert table.session.agreed == (), "it lapses when wagering opens"
    assert table.refused(acts.AgreeToConclude(), "A1").code == "coup_in_progress"
    table.hear("D1 close", "D1 void")
    for station in table.session.open_seats:
        table.do(acts.AgreeToConclude(), station)
    events = table.do(acts.ConcludeSession(sitting=SITTING, order=table.order(), counted=1, by_agreement=True))
    assert table.names(events) == ["SessionPlayed"]


@pytest.mark.clause("CROWN 12.1.1")
def test_with_minutes_alone_every_coup_may_be_the_last_and_is_hidden() -> None:
    table = in_session(coups=None, minutes=30)
    table.hear("D1 open")
    table.lay(**table.everybody())
    table.hear("D1 close")
    assert is_hidden_coup(table.state)


@pytest.mark.clause("CROWN 12.1.1")
def test_the_wagers_of_a_hidden_coup_are_shown_after_its_result() -> None:
    """Case 53."""
    table = in_session(coups=2)
    table.hear("D1 open")
    assert wagers_hidden(table.state)
    table.lay(**table.everybody())
    table.hear("D1 close")
    assert not wagers_hidden(table.state)
    table.hear(*(f"D1 card {card}" for card in WINNERS["tie"]), "D1 confirm", "D1 open")
    table.lay(**table.everybody())
    table.hear("D1 close")
    assert wagers_hidden(table.state)
    assert is_hidden_coup(table.state)
    table.hear(*(f"D1 card {card}" for card in WINNERS["tie"]), "D1 confirm")
    assert not wagers_hidden(table.state)


@pytest.mark.clause("CROWN 12.2.1(d)")
def test_the_last_counted_coup_ends_the_play_and_the_close_brings_the_money_back() -> None:
    table = in_session(coups=2)
    money, meters, signs = table.session.money.ledger, table.session.money.meters, table.session.money.limits
    table.coup("banker", **table.everybody())
    last = table.coup("player", **table.everybody())
    assert table.names(last)[-2:] == ["SessionScored", "SessionPlayed"]
    assert table.refused(acts.Open(), "D1").code == "sitting_over"
    end = acts.EndSession(sitting=SITTING, order=table.order())
    table.hear("A1 claim A1 2 wrong")
    assert table.refused(end).code == "claims_open"
    table.hear("D1 decide_claim 1 false reason=right")
    events = table.do(end)
    assert table.names(events)[-2:] == ["SessionClosed", "ShoeEnded"]
    assert table.do(end) == ()
    assert table.state.ledger is money
    assert table.state.meters is meters
    assert table.state.limits is signs
    kept = table.state.kept_sessions[SITTING]
    assert (kept.counted, len(kept.scores), kept.seats["A1"].status) == (2, 2, SeatStatus.PLAYING)
    assert dict(LIMITS) != table.state.limits
