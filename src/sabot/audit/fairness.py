"""Whether a virtual shoe was fair: the order held against its commitment, every card against the order, and the
commitment's place before the first wager.

A tale is what is on record of one shoe, and all that checking it needs; it can be handed to anybody. Checking trusts
nothing but the digest that was published: neither the journal, nor the program that dealt.
"""

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from sabot.basics.mistake import Mistake
from sabot.table import events as e
from sabot.table.shoe.commitment import is_commitment, place_of, proves, split_order, wrong_with_opening

FORM = 1


class Shown(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A card that was seen: the position at which it left the shoe, from 1, and the record that says so."""

    position: int
    card: str
    record: int
    coup: int = 0
    proof: str = ""


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The cards by which a coup was decided, or corrected later."""

    coup: int
    cards: tuple[str, ...]
    record: int


class Tale(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
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
    cards: tuple[Shown, ...] = ()
    results: tuple[Result, ...] = ()
    ended: str = ""
    """Why it ended, once it has."""
    order: str = ""
    salt: str = ""


class Fairness(msgspec.Struct, frozen=True):
    table: str
    shoe: int
    commitment: str
    cards: int
    """How many were seen."""
    standing: Literal["proved", "in play", "wrong"]
    sentence: str

    @property
    def ok(self) -> bool:
        return self.standing != "wrong"


def tales(records: Iterable[tuple[int, Iterable[object]]]) -> list[Tale]:
    """The virtual shoes in a table's records, oldest first: each record with its version and its events."""
    teller = Teller()
    for version, events in records:
        teller.take(version, events)
    return teller.told


class Teller:
    """Listens to a table's records and writes down what they say of virtual shoes."""

    def __init__(self) -> None:
        self.told: list[Tale] = []
        self._table, self._decks = "", 0
        self._shoe = 0
        """The virtual shoe on the table, or 0 for one of another kind, whose cards are nobody's to prove."""
        self._places: dict[int, int] = {}
        """Where the newest tale of each shoe stands."""
        self._opened: dict[int, int] = {}
        self._dealt_from: dict[int, int] = {}
        """The shoe of each coup: a result belongs to it, however late it is corrected."""

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
                    self._result(Result(event.coup, tuple(event.cards), version))
                case _:
                    self._cards(version, event)

    def _begin(self, version: int, event: e.CardsShuffled) -> None:
        self._shoe = event.shoe if event.method == "virtual" else 0
        if self._shoe:
            self._places[event.shoe] = len(self.told)
            tale = Tale(
                table=self._table,
                shoe=event.shoe,
                decks=self._decks,
                commitment=event.commitment or "",
                committed_in=version,
                wagered_in=self._opened.get(event.shoe),
            )
            self.told.append(tale)

    def _wagered(self, version: int, shoe: int) -> None:
        """By the shoe's number and not by its place, or wagers before the commitment would be another shoe's."""
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
                burned = self.told[self._places[self._shoe]].burned
                self._change(self._shoe, burned=tuple(position for position in burned if position != 1))
                self._shown(Shown(1, event.card, version, proof=event.proof))
            case e.CardDealt():
                self._dealt_from[event.coup] = self._shoe
                self._shown(Shown(event.position, event.card, version, event.coup, event.proof))
            case e.CardAmended():
                self._shown(Shown(event.position, event.card, version))

    def _burned(self, version: int, event: e.CardsBurned) -> None:
        tale = self.told[self._places[self._shoe]]
        out = 52 * tale.decks - event.left
        hidden = range(out - event.hidden + 1, out + 1)
        self._change(tale.shoe, burned=(*tale.burned, *hidden))
        if event.shown is not None:
            self._shown(Shown(out - event.hidden, event.shown, version, proof=event.proof))

    def _shown(self, shown: Shown) -> None:
        self._change(self._shoe, cards=(*self.told[self._places[self._shoe]].cards, shown))

    def _result(self, result: Result) -> None:
        shoe = self._dealt_from.get(result.coup, 0)
        if shoe:
            self._change(shoe, results=(*self.told[self._places[shoe]].results, result))

    def _change(self, shoe: int, **parts: object) -> None:
        place = self._places.get(shoe)
        if place is not None:
            self.told[place] = msgspec.structs.replace(self.told[place], **parts)


def fairness(tale: Tale) -> Fairness:
    """The verdict on one shoe, in one sentence."""
    wrong = next(_wrong(tale), None)
    if wrong is not None:
        return _verdict(tale, "wrong", f"Shoe {tale.shoe} of table {tale.table} is not proved: {wrong}.")
    seen = f"all {len(tale.cards)} cards that were seen"
    if tale.order:
        return _verdict(tale, "proved", f"Shoe {tale.shoe} of table {tale.table} is proved: order, salt and {seen}.")
    return _verdict(tale, "in play", f"Shoe {tale.shoe} of table {tale.table} is still in play; {seen} are proved.")


def read_tale(written: bytes) -> Tale:
    try:
        tale = msgspec.json.decode(written, type=Tale)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Mistake(f"it is not the tale of a shoe: {error}") from None
    if tale.sabot_fair != FORM:
        raise Mistake(f"it has form {tale.sabot_fair}, and this program knows form {FORM}")
    if not 1 <= tale.decks <= 8:
        raise Mistake(f"no shoe holds {tale.decks} decks")
    return tale


def _verdict(tale: Tale, standing: Literal["proved", "in play", "wrong"], sentence: str) -> Fairness:
    return Fairness(tale.table, tale.shoe, tale.commitment, len(tale.cards), standing, sentence)


def _wrong(tale: Tale) -> Iterator[str]:
    """Everything that speaks against the shoe, the gravest first."""
    if not is_commitment(tale.commitment):
        yield "its commitment is not a digest of 64 hexadecimal digits"
    if tale.wagered_in is not None and tale.wagered_in <= tale.committed_in:
        yield (
            f"wagering was opened in record {tale.wagered_in}, "
            f"but the commitment was published only in record {tale.committed_in}"
        )
    if tale.order:
        opening = wrong_with_opening(tale.commitment, tale.decks, tale.order, tale.salt)
        if opening is not None:
            yield f"the order that was opened is not the one committed to: {opening}"
    elif tale.ended:
        yield f"it has ended ({tale.ended}) and was never opened"
    yield from _wrong_cards(tale)
    yield from _wrong_places(tale)
    yield from _wrong_results(tale)


def _wrong_cards(tale: Tale) -> Iterator[str]:
    order, cards = split_order(tale.order), 52 * tale.decks
    for shown in tale.cards:
        place = place_of(shown.position, tale.cut_at, cards)
        if order and order[place] != shown.card:
            yield (
                f"record {shown.record} shows {shown.card} as card {shown.position}, "
                f"but {order[place]} lies there in the order"
            )
        if not proves(tale.commitment, place, cards, shown.card, shown.proof):
            yield f"record {shown.record} does not prove that {shown.card} is card {shown.position}"


def _wrong_places(tale: Tale) -> Iterator[str]:
    """Cards leave the shoe one after another: none is passed over, and none comes twice."""
    out = sorted([*tale.burned, *(shown.position for shown in tale.cards)])
    for expected, position in enumerate(out, 1):
        if position != expected:
            missing = position > expected
            yield f"card {expected} was passed over" if missing else f"card {position} came out twice"


def _wrong_results(tale: Tale) -> Iterator[str]:
    dealt: dict[int, list[str]] = {}
    for shown in sorted(tale.cards, key=lambda shown: shown.position):
        if shown.coup:
            dealt.setdefault(shown.coup, []).append(shown.card)
    for result in tale.results:
        if list(result.cards) != dealt.get(result.coup):
            yield f"record {result.record} decides coup {result.coup} by cards that the shoe did not deal to it"
