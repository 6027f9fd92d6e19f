"""Lessons are files: those that come with Sabot hold, and nonsense is refused in one sentence with its place."""

import pytest

from sabot.basics.act import verb
from sabot.basics.mistake import Mistake
from sabot.basics.shipped_file import shipped_file
from sabot.rules.rule_set import IrregularityName
from sabot.school.lesson import StagedFact
from sabot.school.rehearsal import rehearse
from sabot.school.shelf import SHIPPED, read_lesson, shipped_lesson
from sabot.school.words import LANGUAGES, phrases
from sabot.table.irregularities.ways import FACTS
from sabot.table.rules import RULES

PLAIN = shipped_file("sabot.school", "lessons/plain-coup.toml").decode()


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_lesson_is_called_what_its_file_is_called_and_speaks_every_language(name: str) -> None:
    lesson = shipped_lesson(name)
    assert lesson.id == name
    for words in (lesson.title, lesson.intro):
        assert all(words.written_in(language).strip() for language in LANGUAGES)
        assert len({words.written_in(language) for language in LANGUAGES}) > 1


def test_the_shipped_lessons_stage_all_that_a_dealer_meets() -> None:
    staged = [one for name in SHIPPED for one in shipped_lesson(name).happens]
    assert len(SHIPPED) == 14
    kinds = {one.__struct_config__.tag for one in staged}
    assert kinds == {"fact", "misread", "cash", "leaves", "claims", "calls", "fails"}
    facts = {one.kind for one in staged if isinstance(one, StagedFact)}
    assert facts >= {"wrong_third_card", "foreign_card", "excess_card_unseen", "wrong_number_of_cards"}


@pytest.mark.parametrize(
    ("was", "becomes", "told"),
    [
        ("coups = 3", "coups = 0", "plain.toml: coups: a whole number of at least 1 is wanted"),
        ("coups = 3", 'coups = "three"', "plain.toml: coups: a whole number is wanted, not text"),
        ("coups = 3", "coups = 3\nanswer = 42", "plain.toml: there is no key answer"),
        ('"9S 2H KD 5C"', '"9S 2H KD 5X"', "plain.toml: cards: card 4 of 14, '5X', is not a card"),
        (
            "banker = 5000",
            "dragon = 5000",
            "plain.toml: patrons.A1.wagers[0].dragon: crown-traditional offers no such bet",
        ),
        (
            "banker = 5000",
            "banker = 5001",
            "plain.toml: patrons.A1.wagers[0].banker: the table's limits do not allow 5001",
        ),
        ("[patrons.A1]", "[patrons.B7]", "plain.toml: patrons"),
        ("coups = 3", 'coups = 3\nrule_set = "poker"', "plain.toml: "),
        ("coups = 3", "coups = [", "plain.toml: it is not TOML"),
        ("coups = 3", "coups = 3\ndealt_before = 4", "plain.toml: dealt_before: 4 are more than the 3 coups"),
    ],
)
def test_a_lesson_with_nonsense_is_refused_in_one_sentence_with_its_place(was: str, becomes: str, told: str) -> None:
    assert PLAIN.count(was) == 1
    with pytest.raises(Mistake) as refused:
        read_lesson(PLAIN.replace(was, becomes).encode(), "plain.toml")
    assert str(refused.value).startswith(told)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("staged", "told"),
    [
        ('what = "fact"\ncoup = 9\nat = "card 4"\nkind = "foreign_card"', "happens[0].coup: the lesson has 3 coups"),
        (
            'what = "fact"\ncoup = 1\nat = "card 4"\nkind = "joker"',
            "happens[0].kind: crown-traditional knows no fact 'joker'",
        ),
        (
            'what = "fact"\ncoup = 1\nat = "card 4"\nkind = "wrong_third_card"',
            "happens[0].cards: wrong_third_card names",
        ),
        ('what = "fact"\ncoup = 1\nat = "noon"\nkind = "foreign_card"', "happens[0].at: it is before, wagering"),
        ('what = "storm"\ncoup = 1\nat = "before"', "happens[0].what: Invalid value 'storm'"),
        ('what = "leaves"\ncoup = 1\nat = "settled"\nstation = "A4"', "happens[0].station: nobody sits at A4"),
        (
            'what = "claims"\ncoup = 1\nat = "settled"\nstation = "A1"\nabout = 3',
            "happens[0].about: coup 3 has not been",
        ),
        ('what = "misread"\ncoup = 1\nat = "settled"\ncard = "9S"', "happens[0].at: a card is misread after the close"),
    ],
)
def test_what_cannot_be_staged_is_refused_with_its_place(staged: str, told: str) -> None:
    with pytest.raises(Mistake) as refused:
        read_lesson(f"{PLAIN}\n[[happens]]\n{staged}\n".encode(), "own.toml")
    assert str(refused.value).startswith(f"own.toml: {told}")


@pytest.mark.parametrize("rules", ["mbs-baccarat", "mbs-no-commission", "rws-non-commission", "crown-baccarat"])
def test_a_lesson_is_graded_by_the_rule_set_that_it_names(rules: str) -> None:
    written = PLAIN.replace("coups = 3", f'coups = 3\nrule_set = "{rules}"').replace(", tie = 500", "")
    extra = '[[happens]]\nwhat = "fact"\ncoup = 2\nat = "card 2"\nkind = "foreign_card"\ncards = 1\n'
    run = rehearse(read_lesson(f"{written}\n{extra}".encode(), "own.toml"))
    assert run.grading.ended_ms is not None
    assert run.grading.faults == []
    own = run.table.state.terms.rule_set
    (stated,) = [mark for mark in run.grading.marks.values() if mark.verb == "fact"]
    assert stated.clause == own.irregularities[IrregularityName.FOREIGN_CARD].clause


def test_every_phrase_has_the_same_gaps_in_every_language() -> None:
    for code, words in phrases().items():
        gaps = [set(_gaps(words.written_in(one))) for one in LANGUAGES]
        assert gaps[0] == gaps[1] == gaps[2], code


def test_every_fact_that_can_be_staged_can_be_told() -> None:
    assert {f"fact_{kind}" for kind in FACTS} <= phrases().keys()
    assert {f"see_{kind}" for kind in FACTS} <= phrases().keys()
    assert {code.removeprefix("verb_") for code in phrases() if code.startswith("verb_")} <= {
        verb(one) for one in RULES
    }


def _gaps(text: str) -> list[str]:
    return [part.split("}")[0] for part in text.split("{")[1:]]
