"""A shoe that was dealt as committed is proved; whatever is changed about it is found and told in one sentence."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sabot.audit.fairness import (
    KEPT_SHOES,
    DecidedBy,
    EvidenceCollector,
    FairnessJudge,
    SeenCard,
    ShoeEvidence,
    collect_evidence,
    fairness,
    read_evidence,
)
from sabot.basics.mistake import Mistake
from sabot.table import events as e
from tests.floor.virtual_play import one_shoe, shoe_of, table_with_robots

replace = msgspec.structs.replace
DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "fairness.md"


@pytest.fixture(scope="module")
def records() -> list[tuple[int, tuple[e.Event, ...]]]:
    table, robots = table_with_robots("crown-traditional")
    one_shoe(table, robots)
    return [(version, record.events) for version, record in enumerate(table.records, 1)]


@pytest.fixture(scope="module")
def tale(records: list[tuple[int, tuple[e.Event, ...]]]) -> ShoeEvidence:
    (told,) = collect_evidence(records)
    return told


def _other_card(tale: ShoeEvidence) -> ShoeEvidence:
    """Another card in place of the tenth, with the proof of the true one."""
    shown = tale.cards[9]
    return _with_card(tale, replace(shown, card="AS" if shown.card != "AS" else "2S"))


def _with_card(tale: ShoeEvidence, shown: SeenCard) -> ShoeEvidence:
    return replace(tale, cards=(*tale.cards[:9], shown, *tale.cards[10:]))


def _exchanged(tale: ShoeEvidence) -> ShoeEvidence:
    first, second = next(
        (one, two) for one in range(416) for two in range(one) if tale.order[2 * one :][:2] != tale.order[2 * two :][:2]
    )
    cards = [tale.order[at : at + 2] for at in range(0, 832, 2)]
    cards[first], cards[second] = cards[second], cards[first]
    return replace(tale, order="".join(cards))


def _another_shoe(tale: ShoeEvidence) -> ShoeEvidence:
    """Order and salt of a shoe that was not committed to, sound in itself."""
    other = shoe_of(99)
    return replace(tale, order="".join(other.order), salt=other.salt.hex())


def _recommitted(tale: ShoeEvidence) -> ShoeEvidence:
    """Order, salt and commitment exchanged together: the cards that were seen give it away."""
    return replace(_another_shoe(tale), commitment=shoe_of(99).commitment)


def _passed_over(tale: ShoeEvidence) -> ShoeEvidence:
    return replace(tale, cards=tale.cards[:9] + tale.cards[10:], results=())


TAMPERED: dict[str, tuple[Callable[[ShoeEvidence], ShoeEvidence], str]] = {
    "a card": (_other_card, "but .. lies there in the order"),
    "a proof": (lambda tale: _with_card(tale, replace(tale.cards[9], proof=tale.cards[8].proof)), "does not prove"),
    "a missing proof": (lambda tale: _with_card(tale, replace(tale.cards[9], proof="")), "does not prove"),
    "two cards of the order": (_exchanged, "do not come to the commitment"),
    "a card of the order": (lambda tale: replace(tale, order="AS" * 416), "does not hold the cards of 8 decks"),
    "the order's form": (lambda tale: replace(tale, order=tale.order[:-1]), "not written as cards"),
    "the whole shoe": (_another_shoe, "do not come to the commitment"),
    "the shoe and its commitment": (_recommitted, "but .. lies there in the order|does not prove"),
    "the salt": (lambda tale: replace(tale, salt="0" * 64), "do not come to the commitment"),
    "the salt's form": (lambda tale: replace(tale, salt="salt"), "64 hexadecimal digits"),
    "the commitment": (lambda tale: replace(tale, commitment="0" * 64), "do not come to the commitment"),
    "the commitment's form": (lambda tale: replace(tale, commitment="later"), "not a digest"),
    "the commitment's place": (
        lambda tale: replace(tale, committed_in=(tale.wagered_in or 0) + 1),
        "wagering was opened in record .* published only in record",
    ),
    "the cut": (lambda tale: replace(tale, cut_at=100), "but .. lies there in the order"),
    "a card passed over": (_passed_over, "card 11 was passed over"),
    "a card dealt twice": (lambda tale: replace(tale, cards=(*tale.cards, tale.cards[0])), "card 2 came out twice"),
    "a result": (
        lambda tale: replace(tale, results=(*tale.results, DecidedBy(1, ("5S", "KH", "4D", "QC"), 9_999))),
        "record 9999 decides coup 1 by cards that the shoe did not deal",
    ),
    "an opening withheld": (lambda tale: replace(tale, order="", salt=""), "has ended .* never opened"),
}  # fmt: skip


def test_a_shoe_that_was_dealt_as_committed_is_proved(tale: ShoeEvidence) -> None:
    assert fairness(tale).standing == "proved"
    assert tale.wagered_in is not None
    assert tale.committed_in < tale.wagered_in
    assert len(tale.cards) > 380
    assert len(tale.results) > 60


@pytest.mark.parametrize("what", TAMPERED)
def test_whatever_is_changed_is_found(tale: ShoeEvidence, what: str) -> None:
    change, sentence = TAMPERED[what]
    verdict = fairness(change(tale))
    assert verdict.standing == "wrong"
    assert verdict.sentence.startswith("Shoe 1 of table T1 is not proved: ")
    assert re.search(sentence, verdict.sentence), verdict.sentence


def test_a_shoe_in_play_is_proved_card_by_card(records: list[tuple[int, tuple[e.Event, ...]]]) -> None:
    half = records[: len(records) // 2]
    (told,) = collect_evidence(half)
    assert told.order == ""
    assert fairness(told).standing == "in play"
    assert fairness(_other_card(told)).standing == "wrong"


def test_wagers_before_the_commitment_are_found_wherever_they_stand(
    records: list[tuple[int, tuple[e.Event, ...]]],
) -> None:
    """A forger who moves the commitment behind the first opening cannot make it another shoe's."""
    committed = next(
        at for at, (_, events) in enumerate(records) if any(isinstance(x, e.CardsShuffled) for x in events)
    )
    opened = next(at for at, (_, events) in enumerate(records) if any(isinstance(x, e.WageringOpened) for x in events))
    moved = [records[at][1] for at in range(len(records)) if at != committed]
    moved.insert(opened, records[committed][1])
    teller = EvidenceCollector()
    for version, events in enumerate(moved, 1):
        teller.take(version, events)
    assert "published only in record" in fairness(teller.told[0]).sentence


def _shifted(events: Iterable[Any], shoes: int, coups: int) -> list[Any]:
    """The same shoe again, under a later number and with later coups."""
    shifted = []
    for event in events:
        by = {"shoe": shoes, "coup": coups}
        later = {name: getattr(event, name) + more for name, more in by.items() if getattr(event, name, 0)}
        shifted.append(replace(event, **later))
    return shifted


def test_shoes_are_judged_in_memory_that_holds_the_newest_alone(
    records: list[tuple[int, tuple[e.Event, ...]]], tale: ShoeEvidence
) -> None:
    judge, version, shoes = FairnessJudge(), 0, KEPT_SHOES + 3
    coups = max(result.coup for result in tale.results)
    for shoe in range(shoes):
        for _, events in records:
            version += 1
            judge.take(version, _shifted(events, shoe, shoe * coups))
    assert len(judge._collector.told) == KEPT_SHOES  # noqa: SLF001  What takes the memory.
    assert [one.standing for one in judge.verdicts()] == ["proved"] * shoes
    first = tale.results[0]
    same = e.OutcomeCorrected(
        coup=first.coup,
        was=first.cards,
        cards=first.cards,
        left_over=(),
        carried=False,
        announcement="",
        by="GS1",
        clause="CROWN 11.11",
    )
    judge.take(version + 1, [same])
    assert [one.standing for one in judge.verdicts()] == ["proved"] * shoes
    judge.take(version + 2, [replace(same, cards=first.cards[::-1])])
    wrong, *others = judge.verdicts()
    assert f"record {version + 2} decides coup {first.coup} by cards that the shoe did not deal" in wrong.sentence
    assert all(one.ok for one in others)


def test_a_tale_reads_back_as_it_was_written_and_nothing_else_is_read(tale: ShoeEvidence) -> None:
    written = msgspec.json.encode(tale)
    assert read_evidence(written) == tale
    for spoilt in (b"", b"[]", b"\xff", written[:-1], written.replace(b'"decks":8', b'"decks":800')):
        with pytest.raises(Mistake):
            read_evidence(spoilt)


def test_the_program_in_the_document_finds_the_same_with_nothing_of_sabot(tale: ShoeEvidence, tmp_path: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    for told, fair in (
        (tale, True),
        (_exchanged(tale), False),
        (_recommitted(tale), False),
        (_other_card(tale), False),
    ):
        file = tmp_path / "shoe.json"
        file.write_bytes(msgspec.json.encode(told))
        ran = subprocess.run([sys.executable, "-I", "-c", program, file], capture_output=True, check=False)  # noqa: S603
        assert (ran.returncode == 0, ran.stdout == b"fair\n") == (fair, fair)
