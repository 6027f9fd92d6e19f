"""Grading: a trainee who does what is due has full marks, and every mistake has its name and its clause."""

import msgspec
import pytest

from sabot.basics.at_once import at_once
from sabot.floor.lines.table import LineFloor
from sabot.floor.records.record_codec import table_stream
from sabot.journal.record import Record
from sabot.rules.shipped import all_rule_sets
from sabot.school.lesson import Lesson, PatronLeaves
from sabot.school.line_class import LineClass
from sabot.school.records import TraineeRecords
from sabot.school.rehearsal import rehearse
from sabot.school.report import in_html, in_text, report_of
from sabot.school.room import Trainee
from sabot.school.shelf import SHIPPED, shipped_lesson
from sabot.school.words import LANGUAGES
from sabot.table import acts
from tests.school.trainees import err_everywhere


@pytest.mark.parametrize("name", SHIPPED)
def test_who_always_does_what_is_due_has_full_marks(name: str) -> None:
    run = rehearse(shipped_lesson(name))
    report = report_of(run.grading, "T1")
    assert report.over
    assert report.faults == ()
    assert report.right == report.total == report.touches == report.needed > 0
    assert run.never_happened == []


@pytest.mark.parametrize("name", SHIPPED)
def test_who_errs_at_every_point_has_each_mistake_named_with_its_clause(name: str) -> None:
    run = err_everywhere(shipped_lesson(name))
    report = report_of(run.grading, "T1")
    assert report.over
    assert report.right == 0
    assert len(report.faults) >= report.total > 0
    assert all(fault.clause and fault.due and fault.said.words.en for fault in report.faults)


def test_a_lesson_of_another_house_cites_that_house_alone() -> None:
    others = [one for one in map(shipped_lesson, SHIPPED) if not one.rule_set.startswith("crown")]
    assert {one.rule_set for one in others} == {one.id for one in all_rule_sets() if one.document != "CROWN"}
    for lesson in others:
        right, wrong = rehearse(lesson).grading, err_everywhere(lesson).grading
        cited = [*(one.clause for one in right.marks.values()), *(one.clause for one in wrong.faults)]
        assert not [clause for clause in cited if clause.startswith("CROWN")]


def test_mistakes_are_told_apart_by_name() -> None:
    named = {fault.kind for name in SHIPPED for fault in err_everywhere(shipped_lesson(name)).grading.faults}
    assert named >= {"refused", "other_card", "other_fact", "other_cards", "other_amount", "other_decision"}
    assert named >= {"other_count", "other_station"}


def test_what_is_staged_after_the_last_coup_is_still_part_of_the_lesson() -> None:
    plain = shipped_lesson("plain-coup")
    leaving = msgspec.structs.replace(plain, coups=1, happens=(PatronLeaves(coup=1, at="settled", station="A2"),))
    run = rehearse(leaving)
    assert run.never_happened == []
    assert [mark.verb for mark in run.grading.marks.values()][-2:] == ["confirm", "pay"]
    assert run.grading.ended_ms is not None


def _dealt(run: LineClass, *given: acts.Act) -> None:
    for act in given:
        assert run.give(act, "D1").ok


@pytest.mark.clause("CROWN 11.11")
def test_a_wrong_result_that_is_confirmed_is_a_mistake_and_its_correction_is_due() -> None:
    run = LineClass(shipped_lesson("plain-coup"))
    cards = [acts.Card(card=one) for one in ("9S", "2H", "KD", "7C")]  # 5♣ lies, so that Player has won.
    _dealt(run, acts.SignOn(), acts.Open(), acts.Close(), *cards, acts.Confirm())
    kinds = [fault.kind for fault in run.grading.faults]
    assert kinds == ["other_card", "other_result"]
    said = run.grading.faults[1].said
    assert said.values == {"cards": "9♠ 2♥ K♦ 5♣", "confirmed_winner": "tie", "lay_winner": "player"}
    assert [due.verb for due in run.due] == ["freeze"]
    true = acts.Correct(coup=1, cards=("9S", "2H", "KD", "5C"))
    _dealt(run, acts.Freeze(), true, acts.Recalculate(), acts.Unfreeze())
    assert len(run.grading.faults) == 2
    assert "open" in [due.verb for due in run.due]


def test_an_entry_that_is_amended_before_the_result_costs_one_mark_and_no_other() -> None:
    run = LineClass(shipped_lesson("plain-coup"))
    _dealt(run, acts.SignOn(), acts.Open(), acts.Close(), acts.Card(card="8S"), acts.Amend(card="9S"))
    assert [fault.kind for fault in run.grading.faults] == ["other_card"]
    assert [mark.right for mark in run.grading.marks.values()] == [True, True, True, False]


def test_a_coup_that_is_opened_while_a_patron_waits_to_be_paid_passes_the_patron_over() -> None:
    run = LineClass(shipped_lesson("chips-and-leaving"))
    while run.due[0].verb != "pay":
        run.give(run.due[0].act, "D1")
    assert run.give(acts.Open(), "D1").ok
    (fault,) = run.grading.faults
    assert (fault.kind, fault.clause) == ("passed_over", "CROWN 6.7.1")


def test_the_first_card_may_close_the_wagering_where_the_rules_say_so() -> None:
    run = LineClass(shipped_lesson("plain-coup"))
    _dealt(run, acts.SignOn(), acts.Open(), acts.Card(card="9S"))
    assert run.grading.faults == []


def test_waiting_is_counted_and_not_graded() -> None:
    run = LineClass(shipped_lesson("plain-coup"))
    run.give(acts.SignOn(), "D1", at_ms=1_000)
    run.give(acts.Open(), "D1", at_ms=900_000)
    report = report_of(run.grading, "T1")
    assert (report.right, report.total, report.took_ms) == (2, 2, 899_000)


def _records(floor: LineFloor, table: str) -> list[Record]:
    async def read() -> list[Record]:
        return [record async for record in floor.backing.journal.read(table_stream(table))]

    return at_once(read())


@pytest.mark.parametrize("name", ["wrong-entry", "bad-night"])
def test_grading_from_the_records_is_what_it_was_while_they_were_made(name: str) -> None:
    lesson, floor = shipped_lesson(name), LineFloor()
    run = err_everywhere(lesson, floor)
    lessons: dict[str, Lesson] = {name: lesson}
    again = TraineeRecords(Trainee(), lessons.get)
    for record in _records(floor, run.table.name):
        again.take(record)
    assert again.grading is not None
    assert report_of(again.grading, "T1") == report_of(run.grading, "T1")
    assert again.grading.scene == run.grading.scene


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_report_names_lesson_mistakes_and_clauses_in_every_language(language: str) -> None:
    report = report_of(err_everywhere(shipped_lesson("bad-night")).grading, "T1")
    text, page = in_text(report, language), in_html(report, language)
    for fault in report.faults:
        assert fault.clause in text
        assert fault.said.words.written_in(language) in text
    assert report.title.written_in(language) in text
    assert report.title.written_in(language) in page
