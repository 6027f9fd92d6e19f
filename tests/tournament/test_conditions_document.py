"""Conditions as a document: complete in every language, and the same bytes each time."""

import re
import string
from pathlib import Path
from typing import Any

import matplotlib as mpl
import msgspec
import pytest

from sabot.basics.mistake import Mistake
from sabot.cli.tournament.document_pdf import document_pdf
from sabot.tournament.conditions.document import conditions_document
from sabot.tournament.conditions.document.form import markdown
from sabot.tournament.conditions.file import digest_of, read_conditions
from sabot.tournament.conditions.fixtures import NAMES, fixture
from sabot.tournament.conditions.parts import Conditions
from sabot.tournament.conditions.words import LANGUAGES, words_in
from tests.tables import rows
from tests.tournament.changing import changed

ACCEPTED = [row for row in rows("tournament_conditions.tsv") if row["key"] == "-"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_sentences_with_the_same_gaps(language: str) -> None:
    def gaps(sentence: str) -> set[str]:
        return {gap for _, gap, _, _ in string.Formatter().parse(sentence) if gap}

    english, other = words_in("en").sentences, words_in(language).sentences
    assert list(other) == list(english)
    assert {name: gaps(one) for name, one in other.items()} == {name: gaps(one) for name, one in english.items()}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("file", NAMES)
@pytest.mark.clause("CROWN 12.2.1(f)(i)", "CROWN 12.2.1(k)", "CROWN 12.1.3", "CROWN 12.2.4")
def test_the_document_states_every_letter_with_digest_and_signatures(file: str, language: str) -> None:
    words, conditions = words_in(language), fixture(file)
    text = markdown(conditions_document(conditions, language, version=3))
    for letter in "abcdefghijk":
        assert f"(CROWN 12.2.1({letter}))" in text
    for statement in ("entitled_only", "rules_prevail", "briefing", "presence"):
        assert words(statement) in text
    assert (words("may_refuse") in text) is conditions.eligibility.may_refuse
    assert digest_of(conditions) in text
    assert f"{words('fact_version')}: 3" in text
    for who in ("operator", "regulator", "director", "entrant"):
        assert words(f"sign_{who}") in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("row", ACCEPTED, ids=lambda row: row["change"][:60])
def test_all_conditions_that_are_accepted_can_be_printed(row: dict[str, str], language: str) -> None:
    document = conditions_document(read_conditions(changed(row["file"], row["change"])), language)
    assert "{" not in markdown(document)


_FIGURES = (
    *("60.00", "50.00", "2026-05-01 10:00", "2026-06-05 18:00", "2026-06-01 12:00", "16", "64", "1,000.00", "2,000.00"),
    *("3,000.00", "2 × 4 × 8", "2026-06-06 14:30", "300.00", "30.00", "32", "15%", "100%", "6.2.1", "TD1", "TD2"),
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_figures_of_the_conditions_stand_in_the_document(language: str) -> None:
    text = markdown(conditions_document(fixture("spring"), language))
    assert [figure for figure in _FIGURES if figure not in text] == []


@pytest.mark.parametrize("file", NAMES)
def test_a_chinese_document_has_no_english_sentence(file: str) -> None:
    """Only names, rule sets and citations are in Latin letters."""
    for language in ("zh", "zh-Hant"):
        text = markdown(conditions_document(fixture(file), language))
        assert re.findall(r"\b(?:the|of|and|is|are|for)\b", text) == []


def test_a_text_that_lacks_a_language_is_printed_in_the_nearest() -> None:
    conditions = read_conditions(changed("autumn", 'title = {"en": "Autumn", "zh": "秋季"}'))
    assert "秋季" in conditions_document(conditions, "zh-Hant").title
    assert "秋季" in conditions_document(conditions, "zh").title
    assert "Autumn" in conditions_document(conditions, "en").title


def test_words_of_the_conditions_are_no_marks_of_the_document() -> None:
    title: dict[str, Any] = {"en": "# <b>Autumn</b> | *Cup*\n## Prizes: none", "zh": "秋"}
    conditions = read_conditions(msgspec.to_builtins(fixture("autumn")) | {"title": title})
    text = markdown(conditions_document(conditions, "en"))
    assert "\n## Prizes: none" not in text
    assert r"\<b\>Autumn\</b\>" in text
    assert document_pdf(conditions_document(conditions, "en")).startswith(b"%PDF")


def _approved() -> Conditions:
    approval = 'approval = {"reference": "R-77", "dated": "2026-02-01", "by": "the Commission"}'
    return read_conditions(changed("autumn", approval))


@pytest.mark.clause("CROWN 12.1.3")
def test_an_approval_is_printed_and_leaves_the_digest() -> None:
    text = markdown(conditions_document(_approved()))
    assert "R-77, 2026-02-01, the Commission" in text
    assert digest_of(fixture("autumn")) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pdf_is_the_same_each_time(language: str) -> None:
    document = conditions_document(fixture("spring"), language)
    written = document_pdf(document)
    assert written.startswith(b"%PDF")
    assert written == document_pdf(document)
    assert written != document_pdf(conditions_document(_approved(), language))


def test_a_font_is_embedded_if_it_has_every_letter() -> None:
    font = Path(mpl.get_data_path()) / "fonts" / "ttf" / "DejaVuSerif.ttf"
    english = conditions_document(fixture("spring"), "en")
    assert b"DejaVuSerif" in document_pdf(english, font)
    assert b"DejaVuSerif" not in document_pdf(english)
    with pytest.raises(Mistake, match=r"lacks [0-9]+ letters of the document"):
        document_pdf(conditions_document(fixture("spring"), "zh"), font)
    with pytest.raises(Mistake, match="no TrueType font"):
        document_pdf(english, Path(__file__))
