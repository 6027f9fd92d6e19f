"""A house and a table as two streams that know nothing at once: every word between them can be late, twice or lost."""

from collections.abc import Iterable
from functools import lru_cache

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp, Stamped, clock_stamp
from sabot.floor.exchange.house_to_table import following, granted, not_taken_up
from sabot.floor.exchange.table_to_house import NEWS, staff_to_house, tickets_to_house
from sabot.floor.lines.table import LineFloor
from sabot.floor.stamper import Admitted, Fresh, Giver, Place, stamp
from sabot.house.acts import HouseAct
from sabot.house.decide import decide as decide_house
from sabot.house.events import HouseEvent, TicketRedeemed
from sabot.house.evolve import fold as fold_house
from sabot.house.refusal import HouseRefused
from sabot.house.state import HouseState
from sabot.table.acts import Act
from sabot.table.decide import decide as decide_table
from sabot.table.events import Event, TicketCredited, TicketPaidManually
from sabot.table.evolve import fold as fold_table
from sabot.table.fixtures import fixture
from sabot.table.refusal import Refused
from sabot.table.state import TableState
from tests.house.talking import TICKETED, say_all

PAYING = (TicketRedeemed, TicketPaidManually, TicketCredited)
FRESH = Fresh(lambda: "0" * 18)


@lru_cache
def _after(lines: tuple[str, ...], configured: str) -> tuple[str, TableState, HouseState]:
    table = LineFloor().enter(fixture(configured))
    say_all(table, *(TICKETED if configured == "crown" else ()), *lines)
    return table.name, table.state, table.floor.house


class TwoStreams:
    """The streams as they are, a picture of the house that may be old, and the news that is on its way to it."""

    def __init__(self, *lines: str, configured: str = "crown") -> None:
        self.name, self.state, self.house = _after(lines, configured)
        self.picture: HouseState = self.house
        self.news: list[HouseAct] = []
        self.at_ms = 0
        self.happened: list[HouseEvent | Event] = []

    @property
    def paid(self) -> int:
        return sum(isinstance(event, PAYING) for event in self.happened)

    @property
    def ways(self) -> set[type]:
        """How it was paid."""
        return {type(event) for event in self.happened if isinstance(event, PAYING)}

    # Steps of the floor, each of which another may come between

    def stamp(self, act: Act, by: str) -> Admitted | None:
        """By the picture; nothing where the act gets no stamp."""
        made = stamp(act, Giver(by), Place(self.name, self.state, self.picture, self.at_ms), FRESH)
        return None if isinstance(made, Refused) else made

    def request(self, admitted: Admitted) -> Stamp | None:
        """What the house grants; nothing where it refuses."""
        if admitted.request is not None and isinstance(self.ask(admitted.request, clock_stamp()), HouseRefused):
            return None
        return admitted.granted(self.house)

    def ask(self, act: HouseAct, given: Stamp) -> tuple[HouseEvent, ...] | HouseRefused:
        decision = decide_house(self.house, act, given)
        if not isinstance(decision, HouseRefused):
            self.house = fold_house(decision, self.house)
            self.happened += decision
        return decision

    def do(self, act: Act, given: Stamp) -> tuple[Event, ...] | Refused:
        """At the table, whose news waits to be told."""
        decision = decide_table(self.state, act, given)
        if not isinstance(decision, Refused):
            self.state = fold_table(decision, self.state)
            self.happened += decision
            told = [NEWS[type(one)](self.name, one, self.state) for one in decision if type(one) in NEWS]
            self.news += [one for one in told if one is not None]
        return decision

    def tell(self, place: int = 0, *, again: bool = False) -> None:
        """One piece of news reaches the house, and may come once more."""
        if self.news:
            place %= len(self.news)
            act = self.news[place] if again else self.news.pop(place)
            self.ask(act, clock_stamp())

    def look(self) -> None:
        """The picture of the house is read anew."""
        self.picture = self.house

    def crash(self) -> None:
        """All news is lost, and the next owner derives what is missing."""
        self.news = [
            *tickets_to_house(self.picture, self.name, self.state),
            *staff_to_house(self.picture, self.name, self.state),
        ]

    def follow(self, *, waited: bool = False) -> None:
        """With `waited` everything granted so far counts as lost on its way, even what has just set out."""
        self.news += staff_to_house(self.picture, self.name, self.state)
        self._carry(following(self.picture, self.name, self.state, self.at_ms))
        if waited:
            newest = granted(self.picture)
            self._carry(list(not_taken_up(self.picture, self.name, self.state, newest, self.at_ms)))

    def _carry(self, orders: Iterable[Stamped[Act]]) -> None:
        for act, given in orders:
            self.do(act, given)

    def settle(self) -> None:
        """Everything arrives at last, and time passes."""
        for _ in range(3):
            self.at_ms += 10_000
            self.look()
            self.crash()
            self.follow(waited=True)
            while self.news:
                self.tell()
        self.look()


SUPERVISOR = Stamp(by="CS1", role=Role.CASINO_SUPERVISOR, second="GS1", second_role=Role.GAME_SUPERVISOR)
CASHIER = Stamp(by="CA1", role=Role.CASHIER)
