"""The room of a lesson: the table that it is dealt at, who is there, and the order of its cards."""

from collections import Counter
from functools import lru_cache

import msgspec

from sabot.basics.role import Role
from sabot.rules.cards import CARDS, DECK, card
from sabot.rules.chance import permuted, uniform, words
from sabot.rules.shipped import rule_set
from sabot.school.lesson import Lesson
from sabot.table.acts import Act
from sabot.table.configuration import Configuration, StationPart
from sabot.table.fixtures import fixture
from sabot.table.role import DEALER_OR_ABOVE, GAME_SUPERVISOR_OR_ABOVE
from sabot.table.rules import RULES
from sabot.table.state import TableState

STATIONS = ("A1", "A2", "A3", "A4")
SCHOOL = "SCHOOL"
"""The person in whose name the school prepares a table and deals what a colleague deals."""


class Trainee(msgspec.Struct, frozen=True):
    """The persons that one trainee is: the dealer, and the supervisors whom the rules sometimes want."""

    dealer: str = "D1"
    game_supervisor: str = "GS1"
    casino_supervisor: str = "CS1"

    @classmethod
    def numbered(cls, number: int) -> "Trainee":
        return cls(f"D{number}", f"GS{number}", f"CS{number}")

    @property
    def persons(self) -> tuple[str, str, str]:
        return self.dealer, self.game_supervisor, self.casino_supervisor

    def who_may(self, roles: frozenset[Role], state: TableState) -> str:
        """The least of them who may do what these roles may; a dealer only where signed on, or to sign on."""
        if Role.DEALER in roles and (self.dealer in state.signed_on or state.dealer is None):
            return self.dealer
        return self.game_supervisor if Role.GAME_SUPERVISOR in roles else self.casino_supervisor


def roles_of(act: Act) -> frozenset[Role]:
    return RULES[type(act)].who & DEALER_OR_ABOVE or GAME_SUPERVISOR_OR_ABOVE


def configuration_of(lesson: Lesson, table: str, trainee: Trainee) -> Configuration:
    """The table as the lesson has it; all lessons have the same stations, so that a table can change its lesson."""
    kind = "crown" if rule_set(lesson.rule_set).document == "CROWN" else "singapore"
    roles = (Role.DEALER, Role.GAME_SUPERVISOR, Role.CASINO_SUPERVISOR)
    staff = {person: (role,) for person, role in zip(trainee.persons, roles, strict=True)}
    return msgspec.structs.replace(
        fixture(kind),
        table=table,
        rule_set=lesson.rule_set,
        decks=lesson.decks,
        wagering_period_ms=lesson.wagering_seconds * 1_000,
        stations={name: StationPart(approval=f"school {name}") for name in STATIONS},
        staff={**staff, SCHOOL: (Role.CASINO_SUPERVISOR,)},
        two_persons=(),
        ticket_at_table=False,
    )


@lru_cache(maxsize=64)
def shoe_of(stated: tuple[str, ...], decks: int, seed: int, number: int) -> tuple[str, ...]:
    """The order of the cards behind the burn: in the first shoe those that the lesson states, then by chance."""
    first = [card(one).notation for one in stated] if number == 1 else []
    rest = Counter(one.notation for one in DECK for _ in range(decks)) - Counter(first)
    draw = uniform(words(f"school {seed} {number}".encode()))
    return (*first, *permuted(sorted(rest.elements()), draw))


def symbol(notation: str) -> str:
    """A card as people read it: 5♠, 10♦."""
    known = CARDS[notation]
    return f"{'10' if known.rank == 'T' else known.rank}{known.suit.symbol}"


def symbols(notations: tuple[str, ...]) -> str:
    return " ".join(symbol(one) for one in notations)
