"""The scene of a lesson: what physically lies on the table and has happened there, as far as the records do not say it.

The cards that lie are those of the lesson's shoe, at the places where the table counts its cards; so they follow from
the table's state and from where its shoe began. A scene is a fold over the table's records and holds only what a state
does not keep. That is how many coups were opened, which staged things were staged and answered, and which coups were
settled on other cards than lay.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from sabot.basics.stamp import Stamp
from sabot.rules.cards import CARDS
from sabot.rules.coup import next_card
from sabot.rules.rule_set import IrregularityName
from sabot.school.lesson import (
    WHOLE,
    AnyStaged,
    CashLaid,
    Lesson,
    Misread,
    PatronCalls,
    PatronClaims,
    PatronLeaves,
    StagedFact,
    StationFails,
)
from sabot.school.room import SCHOOL, Trainee, shoe_of
from sabot.table import acts
from sabot.table import events as e
from sabot.table.coup.evolving import with_its_entries
from sabot.table.irregularities.details import DETAILS
from sabot.table.phase import Phase
from sabot.table.refusal import Refused
from sabot.table.state import TableState

MARK = "school lesson "
"""The words by which the record of an incident says that a lesson begins."""


class Given(NamedTuple):
    """One record of the table: what was given, by whom, and what came of it."""

    act: acts.Act
    stamp: Stamp
    events: tuple[e.Event, ...]
    refusal: Refused | None
    before: TableState
    after: TableState


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    lesson: Lesson
    trainee: Trainee
    opened: int = 0
    """How many coups were opened for wagers since the lesson began."""
    newest: int = 0
    """The table's number of the newest of them."""
    burned: int = 0
    """How many cards were burned behind the last one of the coup under way, because they fell to nobody."""
    shoes: Mapping[int, tuple[int, int]] = {}
    """For each shoe of the lesson which one it is, and how many cards were out when its first coup began."""
    come: frozenset[int] = frozenset()
    """The staged things whose moment has come, by their place in the lesson."""
    acted: frozenset[int] = frozenset()
    """The staged things for which the robots have done their part."""
    answered: frozenset[int] = frozenset()
    """The staged things that the trainee has answered rightly, or in a way that leaves nothing to answer."""
    seated: frozenset[str] = frozenset()
    """The stations whose patrons have bought in for what they bring."""
    fact_is_true: bool = False
    """Whether the fact that was stated last is what happened."""
    true_cards: Mapping[int, tuple[str, ...]] = {}
    """The cards that lay in coups that were settled on others, by the table's number."""
    corrected: frozenset[int] = frozenset()
    numbers: tuple[int, ...] = ()
    """The table's number of each coup of the lesson, in order."""
    claims: Mapping[int, bool] = {}
    """Claims by their case, and whether the claimed coup was wrong when the patron said so."""

    @property
    def wrong(self) -> dict[int, tuple[str, ...]]:
        """Coups that stand settled on other cards than lay."""
        return {coup: cards for coup, cards in self.true_cards.items() if coup not in self.corrected}


def is_marker(act: acts.Act) -> str:
    """The id of the lesson that begins with this act, or nothing."""
    return act.text.removeprefix(MARK) if isinstance(act, acts.Incident) and act.text.startswith(MARK) else ""


# What lies on the table


def drawn(scene: Scene, state: TableState, count: int, skip: int = 0) -> tuple[str, ...]:
    """The next cards of the shoe that are not entered yet; `skip` may be negative, for those that were entered."""
    first = state.shoe.out - len(state.shoe.carried) + skip + 1
    return tuple(filter(None, (card_at(scene, state, position) for position in range(first, first + count))))


def card_at(scene: Scene, state: TableState, position: int) -> str:
    """The card at this place of the shoe in use, counted from 1 with the burned ones; nothing behind its last."""
    shoe = state.shoe
    number, burned = scene.shoes.get(shoe.number, (len(scene.shoes) + 1, shoe.out - len(shoe.carried)))
    order = shoe_of(scene.lesson.stated, scene.lesson.decks, scene.lesson.seed, number)
    place = position - burned - 1
    return order[place] if 0 <= place < len(order) else ""


def lying(scene: Scene, state: TableState) -> tuple[str, ...]:
    """The true cards of the coup under way, as far as they are entered."""
    whole = with_its_entries(state)
    entries = len(whole.coup.cards) if whole.coup is not None else 0
    return drawn(scene, whole, entries, -entries - scene.burned)


def entered(state: TableState) -> tuple[str, ...]:
    whole = with_its_entries(state)
    return tuple(one.notation for one in whole.coup.cards) if whole.coup is not None else ()


def wrong_entries(scene: Scene, state: TableState) -> Iterator[tuple[int, str]]:
    """The places of entries that differ from what lies, counted from 1, with the card that lies there."""
    for place, (true, said) in enumerate(zip(lying(scene, state), entered(state), strict=False), 1):
        if true != said:
            yield place, true


# Moments


def moment_of(scene: Scene, state: TableState) -> int:
    """Where the lesson stands, in the order of moments that `Staged.moment` has."""
    coup = state.coup
    if coup is None or coup.number != scene.newest:
        return scene.opened * WHOLE + WHOLE - 1
    if state.phase is Phase.WAGERING:
        return scene.opened * WHOLE
    return scene.opened * WHOLE + 1 + len(coup.cards)


def reached(scene: Scene, state: TableState) -> Iterator[tuple[int, AnyStaged]]:
    """The staged things whose moment has come, answered or not, by their place in the lesson.

    A card that was never dealt leaves what was to happen after it unstaged.
    """
    now = moment_of(scene, state)
    for place, staged in enumerate(scene.lesson.happens):
        too_late = staged.at.startswith("card") and now >= staged.coup * WHOLE + WHOLE - 1
        if place in scene.come or (staged.moment <= now and not too_late):
            yield place, staged


def waiting(scene: Scene, state: TableState) -> Iterator[tuple[int, AnyStaged]]:
    """Those of them that wait for the trainee's answer."""
    return ((place, one) for place, one in reached(scene, state) if place not in scene.answered)


def fact_of(scene: Scene, state: TableState, staged: StagedFact) -> acts.Fact:
    """What happened, in the words of the table."""
    return acts.Fact(
        kind=staged.kind,
        cards=drawn(scene, state, staged.cards),
        hand=staged.hand,
        reconstructible=staged.reconstructible,
        order_known=staged.order_known,
        count=staged.count,
    )


def is_over(scene: Scene, state: TableState) -> bool:
    """Whether all coups of the lesson are played."""
    return scene.opened >= scene.lesson.coups and state.coup is None


def misread_now(scene: Scene, state: TableState) -> Misread | None:
    """The misreading that comes next: the scanner reads the card that follows, and the trainee enters the others."""
    for place, staged in reached(scene, state):
        if isinstance(staged, Misread) and place not in scene.acted and _is_at(scene, staged, state):
            return staged
    return None


def _is_at(scene: Scene, staged: Misread, state: TableState) -> bool:
    coup = state.coup
    entries = int(staged.at.split()[1]) if staged.at.startswith("card") else 0
    return coup is not None and coup.number == scene.newest and len(entered(state)) == entries


# Going on


def after(scene: Scene, given: Given) -> Scene:
    """The scene after a record of the table."""
    for event in given.events:
        scene = _AFTER[type(event)](scene, given, event) if type(event) in _AFTER else scene
    scene = _answered(_acted(scene, given), given)
    return replace(scene, come=frozenset(place for place, _ in reached(scene, given.after)))


def _wagering_opened(scene: Scene, given: Given, event: e.WageringOpened) -> Scene:
    shoe, shoes = given.before.shoe, scene.shoes
    if shoe.number not in shoes:
        shoes = {**shoes, shoe.number: (len(shoes) + 1, shoe.out - len(shoe.carried))}
    numbers = (*scene.numbers, event.coup)
    return replace(scene, opened=scene.opened + 1, newest=event.coup, burned=0, shoes=shoes, numbers=numbers)


def _cards_burned(scene: Scene, given: Given, event: e.CardsBurned) -> Scene:
    if given.before.coup is None or not given.before.coup.cards:
        return scene
    return replace(scene, burned=scene.burned + event.hidden + (event.shown is not None and not event.carried))


def _coup_decided(scene: Scene, given: Given, event: e.CoupDecided) -> Scene:
    """Notice a coup that was settled on other cards than lay; a card that the true hands want is drawn then."""
    true = lying(scene, given.before)[: len(event.cards)]
    if event.dummy or true == event.cards:
        return scene
    more = drawn(scene, given.before, 2)
    while more and next_card([CARDS[one] for one in true]) is not None:
        true, more = (*true, more[0]), more[1:]
    return replace(scene, true_cards={**scene.true_cards, event.coup: true})


def _fact_stated(scene: Scene, given: Given, event: e.FactStated) -> Scene:
    if event.entered or not isinstance(given.act, acts.Fact):
        return replace(scene, fact_is_true=True)
    place = matching_fact(scene, given.before, given.act)
    if place is None:
        return replace(scene, fact_is_true=False)
    return replace(scene, fact_is_true=True, answered=scene.answered | {place})


def _outcome_corrected(scene: Scene, _: Given, event: e.OutcomeCorrected) -> Scene:
    said = (*event.cards, *event.left_over)
    if scene.true_cards.get(event.coup) != said:
        return scene
    return replace(scene, corrected=scene.corrected | {event.coup})


def _claim_made(scene: Scene, _: Given, event: e.ClaimMade) -> Scene:
    return replace(scene, claims={**scene.claims, event.case: event.coup in scene.wrong})


_AFTER: dict[type[e.Event], Callable[[Scene, Given, Any], Scene]] = {
    e.WageringOpened: _wagering_opened,
    e.CardsBurned: _cards_burned,
    e.CoupDecided: _coup_decided,
    e.FactStated: _fact_stated,
    e.OutcomeCorrected: _outcome_corrected,
    e.ClaimMade: _claim_made,
}


def matching_fact(scene: Scene, state: TableState, said: acts.Fact) -> int | None:
    """The staged fact that these words state, if one waits for it."""
    for place, staged in waiting(scene, state):
        if isinstance(staged, StagedFact) and states(said, fact_of(scene, state, staged)):
            return place
    return None


def states(said: acts.Fact, true: acts.Fact) -> bool:
    """Whether these words state the fact, as far as its kind has anything to state."""
    if said.kind != true.kind:
        return False
    asked = DETAILS[IrregularityName(said.kind)]
    names = [name for name in ("hand", "reconstructible", "order_known", "count") if getattr(asked, name)]
    cards = tuple(CARDS[one].notation for one in said.cards if one in CARDS)
    return cards == true.cards and all(getattr(true, name) in (None, getattr(said, name)) for name in names)


def part_of(scene: Scene, staged: AnyStaged) -> tuple[str, acts.Act] | None:
    """What a robot does so that the staged thing happens; nothing where the trainee only sees it."""
    match staged:
        case Misread():
            return SCHOOL, acts.Card(card=staged.card)
        case PatronLeaves():
            return staged.station, acts.Leave()
        case PatronCalls():
            return staged.station, acts.CallAttendant()
        case PatronClaims() if staged.about <= len(scene.numbers):
            return staged.station, acts.Claim(coup=scene.numbers[staged.about - 1], reason=staged.reason)
        case _:
            return None


def _acted(scene: Scene, given: Given) -> Scene:
    """Note what the school's robots have done: each thing once, whatever came of it."""
    if given.stamp.by in scene.trainee.persons:
        return scene
    if isinstance(given.act, acts.BuyIn):
        scene = replace(scene, seated=scene.seated | {given.act.station})
    for place, staged in reached(scene, given.before):
        if place not in scene.acted and part_of(scene, staged) == (given.stamp.by, given.act):
            return replace(scene, acted=scene.acted | {place})
    return scene


def _answered(scene: Scene, given: Given) -> Scene:
    """Note which staged things an accepted act of the trainee answers."""
    if given.refusal is not None or given.stamp.by not in scene.trainee.persons:
        return scene
    answered = _ANSWERED.get(type(given.act))
    for place, staged in waiting(scene, given.before):
        if type(staged) is answered and _station(given.act) == _station(staged):
            return replace(scene, answered=scene.answered | {place})
    return scene


_ANSWERED: dict[type[acts.Act], type[AnyStaged]] = {acts.BuyIn: CashLaid, acts.Fault: StationFails}


def _station(of: object) -> object:
    return getattr(of, "station", None)
