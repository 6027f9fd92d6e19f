"""Checks a virtual shoe: its order against the commitment, every card against the order, and that the commitment was
published before the first wager.

`ShoeEvidence` is everything on record of one shoe and all that the check needs, so that anybody can check it. The check
relies on the published digest alone, neither on the journal nor on the program that dealt.
"""

import enum
import hashlib
from array import array
from collections.abc import Iterable, Iterator

import msgspec

from sabot.basics.mistake import Mistake, told_of
from sabot.table import events as e
from sabot.table.shoe.commitment import is_commitment, place_of, proves, split_order, wrong_with_opening

FORM = 1


class SeenCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A card that was seen, with the position at which it left the shoe, from 1, and its record."""

    position: int
    card: str
    record: int
    coup: int = 0
    proof: str = ""


class DecidedBy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The cards that decided a coup, or that a later correction says decided it."""

    coup: int
    cards: tuple[str, ...]
    record: int


class ShoeEvidence(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A virtual shoe from its commitment to its opening."""

    sabot_fair: int = FORM
    table: str
    shoe: int
    decks: int
    commitment: str
    committed_in: int
    """The record that published it."""
    wagered_in: int | None = None
    """The first record that opened wagering on this shoe."""
    cut_at: int = 0
    burned: tuple[int, ...] = ()
    """The positions of cards that were burned unseen."""
    cards: tuple[SeenCard, ...] = ()
    results: tuple[DecidedBy, ...] = ()
    ended: str = ""
    """Why it ended, once it has."""
    order: str = ""
    salt: str = ""


class ShoeStanding(enum.StrEnum):
    PROVED = "proved"
    IN_PLAY = "in play"
    """The order is not published yet; the cards seen so far are proved."""
    WRONG = "wrong"


class Fairness(msgspec.Struct, frozen=True):
    table: str
    shoe: int
    commitment: str
    cards: int
    """How many were seen."""
    standing: ShoeStanding
    sentence: str

    @property
    def ok(self) -> bool:
        return self.standing is not ShoeStanding.WRONG


def collect_evidence(records: Iterable[tuple[int, Iterable[object]]]) -> list[ShoeEvidence]:
    """The virtual shoes in a table's records, oldest first: each record with its version and its events."""
    teller = EvidenceCollector()
    for version, events in records:
        teller.take(version, events)
    return teller.told


class EvidenceCollector:
    """Collects the evidence of virtual shoes from a table's records, in their order."""

    def __init__(self) -> None:
        self._told: dict[int, ShoeEvidence] = {}
        """By the number of the evidence, from 1."""
        self._begun = 0
        self.late: dict[int, str] = {}
        """What is wrong with shoes whose evidence was released before a record changed it."""
        self._table, self._decks = "", 0
        self._shoe = 0
        """The virtual shoe on the table, or 0 for a shoe of real cards, which has no commitment."""
        self._places: dict[int, int] = {}
        """The number of the newest evidence of each shoe."""
        self._opened: dict[int, int] = {}
        self._dealt_from: dict[int, int] = {}
        """The shoe that each coup was dealt from; a later correction belongs to the same shoe."""
        self._released = array("Q"), array("Q")
        """By coup, for those of released shoes: the shoe, and a digest of the cards that it dealt."""

    @property
    def told(self) -> list[ShoeEvidence]:
        return list(self._told.values())

    def release(self, keep: int) -> Iterator[ShoeEvidence]:
        """Give all evidence but the newest out of hand, the oldest first. Of its coups only digests are remembered."""
        while len(self._told) > keep:
            evidence = self._told.pop(next(iter(self._told)))
            for coup, cards in _dealt(evidence).items():
                self._dealt_from.pop(coup, None)
                self._remember(coup, evidence.shoe, _digest(cards))
            yield evidence

    def _remember(self, coup: int, shoe: int, digest: int) -> None:
        for known, value in zip(self._released, (shoe, digest), strict=True):
            if len(known) <= coup:
                known.extend([0] * (coup + 1 - len(known)))
            known[coup] = value

    def take(self, version: int, events: Iterable[object]) -> None:
        for event in events:
            match event:
                case e.Configured():
                    self._table, self._decks = event.configuration.table, event.configuration.decks
                case e.CardsShuffled():
                    self._begin(version, event)
                case e.WageringOpened():
                    self._wagered(version, event.shoe)
                case e.ShoeOpened():
                    self._change(event.shoe, order=event.order, salt=event.salt)
                case e.ShoeEnded() | e.CardsReplaced():
                    self._change(event.shoe, ended=event.reason)
                case e.CoupDecided() | e.OutcomeCorrected():
                    self._result(DecidedBy(event.coup, tuple(event.cards), version))
                case _:
                    self._cards(version, event)

    def _begin(self, version: int, event: e.CardsShuffled) -> None:
        self._shoe = event.shoe if event.method == "virtual" else 0
        if self._shoe:
            self._begun += 1
            self._places[event.shoe] = self._begun
            evidence = ShoeEvidence(
                table=self._table,
                shoe=event.shoe,
                decks=self._decks,
                commitment=event.commitment or "",
                committed_in=version,
                wagered_in=self._opened.get(event.shoe),
            )
            self._told[self._begun] = evidence

    def _wagered(self, version: int, shoe: int) -> None:
        """Counted by the shoe's number, so that wagers before the commitment are not taken for another shoe's."""
        if shoe not in self._opened:
            self._opened[shoe] = version
            self._change(shoe, wagered_in=version)

    def _cards(self, version: int, event: object) -> None:
        if not self._shoe:
            return
        match event:
            case e.CardsCut():
                self._change(self._shoe, cut_at=event.at)
            case e.CardsBurned():
                self._burned(version, event)
            case e.BurnShown():
                burned = self._newest.burned
                self._change(self._shoe, burned=tuple(position for position in burned if position != 1))
                self._shown(SeenCard(1, event.card, version, proof=event.proof))
            case e.CardDealt():
                self._dealt_from[event.coup] = self._shoe
                self._shown(SeenCard(event.position, event.card, version, event.coup, event.proof))
            case e.CardAmended():
                self._shown(SeenCard(event.position, event.card, version))

    def _burned(self, version: int, event: e.CardsBurned) -> None:
        evidence = self._newest
        out = 52 * evidence.decks - event.left
        hidden = range(out - event.hidden + 1, out + 1)
        self._change(evidence.shoe, burned=(*evidence.burned, *hidden))
        if event.shown is not None:
            self._shown(SeenCard(out - event.hidden, event.shown, version, proof=event.proof))

    def _shown(self, shown: SeenCard) -> None:
        self._change(self._shoe, cards=(*self._newest.cards, shown))

    @property
    def _newest(self) -> ShoeEvidence:
        return self._told[self._places[self._shoe]]

    def _result(self, result: DecidedBy) -> None:
        shoe = self._dealt_from.get(result.coup, 0)
        if shoe in self._places and self._places[shoe] in self._told:
            self._change(shoe, results=(*self._told[self._places[shoe]].results, result))
            return
        shoes, digests = self._released
        shoe = shoes[result.coup] if result.coup < len(shoes) else 0
        if shoe and digests[result.coup] != _digest(result.cards):
            self.late.setdefault(shoe, _other_cards(result))

    def _change(self, shoe: int, **parts: object) -> None:
        place = self._places.get(shoe)
        if place in self._told:
            self._told[place] = msgspec.structs.replace(self._told[place], **parts)
        elif place is not None:
            what = " and ".join(parts)
            self.late.setdefault(shoe, f"{KEPT_SHOES} shoes later a record says its {what} again")


KEPT_SHOES = 60
"""Shoes of a table whose evidence is kept whole while its records are read: more than are dealt in a gaming day, within
which a coup may be corrected (CROWN 11.11)."""


class FairnessJudge:
    """Judges a table's virtual shoes while its records are read, in memory that holds only the newest of them whole."""

    def __init__(self) -> None:
        self._collector = EvidenceCollector()
        self._judged: list[Fairness] = []

    def take(self, version: int, events: Iterable[object]) -> None:
        self._collector.take(version, events)
        self._judged += map(fairness, self._collector.release(KEPT_SHOES))

    def verdicts(self) -> list[Fairness]:
        """The verdicts on all shoes, the oldest first."""
        late, told = self._collector.late, [*self._judged, *map(fairness, self._collector.told)]
        return [_not_proved(one, late[one.shoe]) if one.ok and one.shoe in late else one for one in told]


def _not_proved(one: Fairness, wrong: str) -> Fairness:
    sentence = f"Shoe {one.shoe} of table {one.table} is not proved: {wrong}."
    return msgspec.structs.replace(one, standing=ShoeStanding.WRONG, sentence=sentence)


def fairness(evidence: ShoeEvidence) -> Fairness:
    """The verdict on one shoe, in one sentence."""
    wrong = next(_wrong(evidence), None)
    if wrong is not None:
        return _verdict(
            evidence, ShoeStanding.WRONG, f"Shoe {evidence.shoe} of table {evidence.table} is not proved: {wrong}."
        )
    seen = f"all {len(evidence.cards)} cards that were seen"
    if evidence.order:
        return _verdict(
            evidence,
            ShoeStanding.PROVED,
            f"Shoe {evidence.shoe} of table {evidence.table} is proved: order, salt and {seen}.",
        )
    sentence = f"Shoe {evidence.shoe} of table {evidence.table} is still in play; {seen} are proved."
    return _verdict(evidence, ShoeStanding.IN_PLAY, sentence)


def read_evidence(written: bytes) -> ShoeEvidence:
    try:
        evidence = msgspec.json.decode(written, type=ShoeEvidence)
    except msgspec.ValidationError as error:
        raise Mistake(f"it is not the tale of a shoe: {told_of(error, ShoeEvidence)}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Mistake(f"it is not the tale of a shoe: {error}") from None
    if evidence.sabot_fair != FORM:
        raise Mistake(f"it has form {evidence.sabot_fair}, and this program knows form {FORM}")
    if not 1 <= evidence.decks <= 8:
        raise Mistake(f"no shoe holds {evidence.decks} decks")
    return evidence


def _verdict(evidence: ShoeEvidence, standing: ShoeStanding, sentence: str) -> Fairness:
    return Fairness(evidence.table, evidence.shoe, evidence.commitment, len(evidence.cards), standing, sentence)


def _wrong(evidence: ShoeEvidence) -> Iterator[str]:
    """Everything that is wrong with the shoe, the gravest first."""
    if not is_commitment(evidence.commitment):
        yield "its commitment is not a digest of 64 hexadecimal digits"
    if evidence.wagered_in is not None and evidence.wagered_in <= evidence.committed_in:
        yield (
            f"wagering was opened in record {evidence.wagered_in}, "
            f"but the commitment was published only in record {evidence.committed_in}"
        )
    if evidence.order:
        opening = wrong_with_opening(evidence.commitment, evidence.decks, evidence.order, evidence.salt)
        if opening is not None:
            yield f"the order that was opened is not the one committed to: {opening}"
    elif evidence.ended:
        yield f"it has ended ({evidence.ended}) and was never opened"
    yield from _wrong_cards(evidence)
    yield from _wrong_places(evidence)
    yield from _wrong_results(evidence)


def _wrong_cards(evidence: ShoeEvidence) -> Iterator[str]:
    order, cards = split_order(evidence.order), 52 * evidence.decks
    for shown in evidence.cards:
        place = place_of(shown.position, evidence.cut_at, cards)
        if order and order[place] != shown.card:
            yield (
                f"record {shown.record} shows {shown.card} as card {shown.position}, "
                f"but {order[place]} lies there in the order"
            )
        if not proves(evidence.commitment, place, cards, shown.card, shown.proof):
            yield f"record {shown.record} does not prove that {shown.card} is card {shown.position}"


def _wrong_places(evidence: ShoeEvidence) -> Iterator[str]:
    """Positions leave the shoe in order, each exactly once."""
    out = sorted([*evidence.burned, *(shown.position for shown in evidence.cards)])
    for expected, position in enumerate(out, 1):
        if position != expected:
            missing = position > expected
            yield f"card {expected} was passed over" if missing else f"card {position} came out twice"


def _wrong_results(evidence: ShoeEvidence) -> Iterator[str]:
    dealt = _dealt(evidence)
    for result in evidence.results:
        if list(result.cards) != dealt.get(result.coup):
            yield _other_cards(result)


def _other_cards(result: DecidedBy) -> str:
    return f"record {result.record} decides coup {result.coup} by cards that the shoe did not deal to it"


def _dealt(evidence: ShoeEvidence) -> dict[int, list[str]]:
    """The cards that the shoe dealt to each coup, in their order."""
    dealt: dict[int, list[str]] = {}
    for shown in sorted(evidence.cards, key=lambda shown: shown.position):
        if shown.coup:
            dealt.setdefault(shown.coup, []).append(shown.card)
    return dealt


def _digest(cards: Iterable[str]) -> int:
    return int.from_bytes(hashlib.blake2b(" ".join(cards).encode(), digest_size=8).digest())
