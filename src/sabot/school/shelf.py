"""Lessons from files: those that come with Sabot and a school's own, checked before they count."""

from functools import cache

import msgspec

from sabot.basics.mistake import Mistake, told_of
from sabot.basics.shipped_file import shipped_file
from sabot.rules.cards import check_copies, read_cards
from sabot.rules.rule_set import IrregularityName
from sabot.rules.shipped import rule_set
from sabot.school.lesson import AnyStaged, Lesson, Misread, PatronClaims, StagedFact
from sabot.school.room import Trainee, configuration_of
from sabot.table.configuration import Configuration, check, offered_bets
from sabot.table.irregularities.details import DETAILS, FactCards
from sabot.table.irregularities.ways import FACTS

SHIPPED = (
    *("plain-coup", "third-cards", "opening", "chips-and-leaving", "wrong-entry", "card-too-many"),
    *("wrong-third-card", "foreign-card", "station-and-claim", "bad-night"),
    *("marina-two-at-once", "marina-wrong-number", "marina-shoe-falls", "sentosa-night"),
)
"""Crown's from the easiest on, and then those of other houses."""


@cache
def shipped_lesson(name: str) -> Lesson:
    if name not in SHIPPED:
        raise Mistake(f"there is no lesson {name!r}; there are {', '.join(SHIPPED)}, or name a .toml file")
    return read_lesson(shipped_file(__package__, f"lessons/{name}.toml"), f"{name}.toml")


def read_lesson(written: bytes, called: str) -> Lesson:
    """The lesson in a file; a mistake says where it stands."""
    try:
        lesson = msgspec.toml.decode(written, type=Lesson)
    except msgspec.ValidationError as error:
        raise Mistake(f"{called}: {told_of(error, Lesson, msgspec.toml.decode(written))}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Mistake(f"{called}: it is not TOML: {error}") from None
    try:
        _check(lesson)
    except Mistake as mistake:
        raise Mistake(f"{called}: {mistake}") from None
    return lesson


def _check(lesson: Lesson) -> None:
    rules = rule_set(lesson.rule_set)
    rules.check_decks(lesson.decks)
    configuration = configuration_of(lesson, "T1", Trainee())
    check(configuration)
    try:
        check_copies(read_cards(lesson.stated), lesson.decks)
    except Mistake as mistake:
        raise Mistake(f"cards: {mistake}") from None
    if lesson.dealt_before > lesson.coups:
        raise Mistake(f"dealt_before: {lesson.dealt_before} are more than the {lesson.coups} coups of the lesson")
    _check_patrons(lesson, configuration)
    for place, staged in enumerate(lesson.happens):
        try:
            _check_staged(lesson, staged)
        except Mistake as mistake:
            raise Mistake(f"happens[{place}].{mistake}") from None


def _check_patrons(lesson: Lesson, configuration: Configuration) -> None:
    offered = offered_bets(configuration)
    for station, patron in lesson.patrons.items():
        for coup, wagers in enumerate(patron.wagers):
            for bet, cents in wagers.items():
                place = f"patrons.{station}.wagers[{coup}].{bet}"
                if bet not in offered:
                    raise Mistake(f"{place}: {lesson.rule_set} offers no such bet; it offers {', '.join(offered)}")
                limits = configuration.limits[bet]
                if cents and limits.permitted(cents) != cents:
                    raise Mistake(f"{place}: the table's limits do not allow {cents} cents")


def _check_staged(lesson: Lesson, staged: AnyStaged) -> None:
    if staged.coup > lesson.coups:
        raise Mistake(f"coup: the lesson has {lesson.coups} coups, and this is to happen in coup {staged.coup}")
    station = getattr(staged, "station", None)
    if station is not None and station not in lesson.patrons:
        raise Mistake(f"station: nobody sits at {station}; patrons are at {', '.join(lesson.patrons)}")
    if isinstance(staged, StagedFact):
        _check_fact(lesson, staged)
    if isinstance(staged, Misread):
        read_cards((staged.card,))
        if staged.at not in ("closed", "card 1", "card 2", "card 3", "card 4", "card 5"):
            raise Mistake("at: a card is misread after the close or after an earlier card of the coup")
    if isinstance(staged, PatronClaims) and staged.about > staged.coup:
        raise Mistake(f"about: coup {staged.about} has not been dealt then")


def _check_fact(lesson: Lesson, staged: StagedFact) -> None:
    known = [kind for kind in FACTS if kind in rule_set(lesson.rule_set).irregularities]
    if staged.kind not in known:
        raise Mistake(f"kind: {lesson.rule_set} knows no fact {staged.kind!r}; it knows {', '.join(known)}")
    asked = DETAILS[IrregularityName(staged.kind)]
    if asked.cards is FactCards.NONE and staged.cards:
        raise Mistake(f"cards: {staged.kind} names no cards")
    if asked.cards in (FactCards.ONE, FactCards.SOME) and not staged.cards:
        raise Mistake(f"cards: {staged.kind} names the cards that are out; say how many")
    if asked.hand and staged.hand is None:
        raise Mistake(f"hand: {staged.kind} says on which hand the card was laid")
