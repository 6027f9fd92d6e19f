"""Conditions as a document for approval and signature: what CROWN 12.2.1 asks for letter by letter, in one language."""

from sabot.tournament.conditions.document.entry_part import (
    absence_section,
    conduct_section,
    eligibility_section,
    entry_section,
    fee_section,
    leaving_section,
)
from sabot.tournament.conditions.document.form import ConditionsDocument, DocumentSection
from sabot.tournament.conditions.document.play_part import (
    accounts_section,
    buy_back_section,
    credits_section,
    game_section,
    prizes_section,
    structure_section,
    wagers_section,
)
from sabot.tournament.conditions.file import digest_of
from sabot.tournament.conditions.parts import Conditions
from sabot.tournament.conditions.words import ConditionsWords, words_in

_SECTIONS = (
    *(game_section, fee_section, credits_section, wagers_section, structure_section, buy_back_section),
    *(eligibility_section, entry_section, leaving_section, absence_section, prizes_section),
)


def conditions_document(conditions: Conditions, language: str = "en", version: int | None = None) -> ConditionsDocument:
    """The document of a version; of conditions that are not saved yet unless a version is given."""
    words = words_in(language)
    return ConditionsDocument(
        language=language,
        title=words("document_title", title=words.text(conditions.title)),
        facts=_facts(conditions, words, version),
        sections=(
            *(section(conditions, words) for section in _SECTIONS),
            DocumentSection("CROWN 12.2.1(k)", words("section_k"), (words("rules_prevail"),)),
            accounts_section(conditions, words),
            conduct_section(conditions, words),
        ),
        signatures=tuple(words(f"sign_{who}") for who in ("operator", "regulator", "director", "entrant")),
        signatures_title=words("section_signatures"),
        signature_fields=tuple(words(f"sign_{field}") for field in ("name", "date", "signature")),
        page=words.sentences["page"],
    )


def _facts(conditions: Conditions, words: ConditionsWords, version: int | None) -> tuple[tuple[str, str], ...]:
    approval = conditions.approval
    given = approval and words("approval_given", reference=approval.reference, dated=approval.dated, by=approval.by)
    facts = [
        (words("fact_tournament"), conditions.id),
        (words("fact_version"), words("version_unsaved") if version is None else str(version)),
        (words("fact_digest"), digest_of(conditions)),
        (words("fact_approval"), given or words("approval_none")),
        (words("fact_director"), conditions.director.person),
    ]
    if conditions.director.deputies:
        facts.append((words("fact_deputies"), words.listed(list(conditions.director.deputies))))
    return (*facts, (words("fact_units"), words("units")))
