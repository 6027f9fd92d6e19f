"""A house and its tables, played by lines: one line in, one answer out.

The owners, the stamper and the records are those of a served floor. Only three things differ. Time passes from line to
line. Every effect is carried out before the next line is read. What a floor draws from the operating system (salts,
ticket numbers) is made from the count of lines, so that the same script always gets the same answers.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from sabot.basics.at_once import at_once
from sabot.basics.mistake import Mistake
from sabot.basics.role import Role
from sabot.basics.stamp import Stamp, clock_stamp
from sabot.floor.exchange.house_to_table import TAKEN_UP_WITHIN_MS, following, granted_before, not_taken_up
from sabot.floor.exchange.house_to_tournament import house_to_tournament
from sabot.floor.exchange.table_to_house import staff_to_house, tickets_to_house
from sabot.floor.exchange.table_to_tournament import table_to_tournament
from sabot.floor.exchange.tournament_clock import waits_for_time
from sabot.floor.exchange.tournament_to_house import tournament_to_house
from sabot.floor.exchange.tournament_to_table import tournament_to_table
from sabot.floor.lines.answer import LineAnswer, answer_of
from sabot.floor.lines.owned_table import OwnedTable
from sabot.floor.lines.reader import (
    HOUSE_VERBS,
    TOURNAMENT_VERBS,
    LineAct,
    read_house_act,
    read_table_act,
    read_tournament_act,
)
from sabot.floor.lines.stream import LineStream
from sabot.floor.lines.times import local_ms
from sabot.floor.lines.tournament_figures import shown_of
from sabot.floor.lines.tournaments import LineTournaments, seed_for
from sabot.floor.lines.words import SHOW, SHOWN, SHOWN_OF_TOURNAMENT
from sabot.floor.records.record_codec import LINES, table_stream
from sabot.floor.records.recovery import recover_table
from sabot.floor.shared_owner.kinds import HOUSE_KIND, HouseDecision, TournamentDecision
from sabot.floor.stamper import Admitted, Fresh, Giver, Place, as_refused, stamp, stamp_for_house
from sabot.floor.table_owner.errands import Backing, vouch_for
from sabot.floor.table_owner.messages import Asked, Carried
from sabot.floor.tournament_stamper import TournamentPlace, stamp_for_tournament
from sabot.house.acts import HouseAct
from sabot.house.decide import RULES as HOUSE_RULES
from sabot.house.events import HouseEvent
from sabot.house.refusal import HouseRefused
from sabot.house.state import HouseState
from sabot.journal.memory import MemoryJournal
from sabot.table.acts import Act
from sabot.table.configuration import Configuration, Unacceptable, check
from sabot.table.events import CardDealt, WageringClosed, WageringOpened, WagersChanged
from sabot.table.refusal import Refused
from sabot.table.state import TableState, Unconfigured
from sabot.tournament.acts import TournamentAct
from sabot.tournament.events import TournamentEvent
from sabot.tournament.refusal import TournamentRefused
from sabot.tournament.state import TournamentState
from sabot.wire.frames import Ask

T = TypeVar("T")
_STATION = Role.STATION
_QUIET = frozenset({WagersChanged, WageringOpened, WageringClosed, CardDealt})
"""What happens within a coup and concerns no other stream."""
MOST_CARRIED = 100_000
"""Events that one line may cause between the streams."""


class LineFloor:
    """The house, and its tables by name."""

    def __init__(self, backing: Backing | None = None, own_ms: Callable[[], int] = lambda: 0) -> None:
        """`own_ms` is a clock that only counts on, by which leases are renewed."""
        self.backing = backing or Backing(
            journal=MemoryJournal(own_ms), owner="a conversation", build="", wall_ms=own_ms
        )
        self.own_ms = own_ms
        self.tables: dict[str, LineTable] = {}
        self.history: list[HouseEvent] = []
        self.alarms: list[str] = []
        self.log: list[object] = []
        """Every event of every stream since the line began, in the order in which they happened."""
        self._house = LineStream(HOUSE_KIND, self.backing, lambda: self.now_ms, self._house_changed)
        self._tournaments = LineTournaments(self.backing, lambda: self.now_ms, self._tournament_changed)
        self._opened = False
        self.now_ms = 0

    @property
    def house(self) -> HouseState:
        return self._house.state

    @property
    def tournaments(self) -> dict[str, TournamentState]:
        return self._tournaments.states

    def enter(self, configuration: Configuration) -> "LineTable":
        """`take` for a journal in memory, which never waits."""
        return at_once(self.take(configuration))

    async def take(self, configuration: Configuration) -> "LineTable":
        """Take a table of this house, as its records leave it; a name that is taken here gets the next free number."""
        if not self._opened:
            self._opened = True
            self.now_ms = max(await self._house.begin(), await self._tournaments.begin())
        name, number = configuration.table, 1
        while name in self.tables:
            number += 1
            name = f"{configuration.table}-{number}"
        played = await recover_table(self.backing.journal, table_stream(name))
        if isinstance(played.state, Unconfigured):
            _check(configuration)
        self.now_ms = max(self.now_ms, played.now_ms)
        table = LineTable(self, replace(configuration, table=name), played.n, played.now_ms)
        self.tables[name] = table
        await table.begin()
        for news in [*tickets_to_house(self.house, name, table.state)]:
            await self._house.ask(news, clock_stamp())
        await self.follow(table)
        await self.carry()
        return table

    async def close(self) -> None:
        """Leave everything in order: snapshots, checkpoints, and the leases free for the next owner."""
        for table in self.tables.values():
            await table.leave()
        if self._opened:
            await self._house.vouch()
            await self._tournaments.vouch()
        if self.backing.signer is not None:
            await vouch_for(self.backing.signer.ring.head, self.backing)

    # The house

    async def ask_house(self, act: HouseAct, stamp: Stamp, at_ms: int) -> HouseDecision:
        self.now_ms = max(self.now_ms, at_ms)
        return await self._house.ask(act, stamp)

    async def _house_changed(self, events: tuple[HouseEvent, ...]) -> None:
        self.history += events
        self.log += events
        for table in list(self.tables.values()):
            await self.follow(table)

    async def follow(self, table: "LineTable") -> None:
        """Have a table do what follows for it from the house's decisions."""
        if table.is_served:
            for news in [*staff_to_house(self.house, table.name, table.state)]:
                await self._house.ask(news, clock_stamp())
            newest = granted_before(self.house, table.name, self.now_ms - TAKEN_UP_WITHIN_MS)
            for act, given in (
                *following(self.house, table.name, table.state, self.now_ms),
                *not_taken_up(self.house, table.name, table.state, newest, self.now_ms),
            ):
                await table.receive(Carried(act, given))

    # Tournaments

    async def ask_tournament(self, act: TournamentAct, stamp: Stamp, at_ms: int) -> TournamentDecision:
        self.now_ms = max(self.now_ms, at_ms)
        return await self._tournaments.ask(act, stamp)

    async def _tournament_changed(self, events: tuple[TournamentEvent, ...]) -> None:
        self.log += events

    def director_at(self, state: TableState) -> str:
        """Who is present of those who direct the tournament that a table plays (CROWN 12.2.5)."""
        known = self.tournaments.get(state.session.terms.tournament) if state.session else None
        return known.present if known else ""

    async def pass_time(self, at_ms: int) -> tuple[object, ...]:
        """Have done what time does before an act at this time; gives what happened."""
        if not self.tournaments or at_ms <= self.now_ms:
            return ()
        self.now_ms = at_ms
        return await self.carry() if any(map(waits_for_time, self.tournaments.values())) else ()

    async def carry(self) -> tuple[object, ...]:
        """Carry between tournaments, house and tables until nothing moves; gives what happened on the way."""
        if not self.tournaments:
            return ()
        start, before = len(self.log), -1
        self.now_ms = max(self.now_ms, *(table.now_ms for table in self.tables.values()))
        for table in self.tables.values():
            table.catch_up(self.now_ms)
        while before != len(self.log):
            before = len(self.log)
            assert before - start < MOST_CARRIED, "what is carried between the streams finds no end"
            for name in self.tournaments:
                await self._carry_for(name)
        return tuple(self.log[start:])

    async def _carry_for(self, name: str) -> None:
        await self._tournaments.by_clock(name)
        for act, given in tournament_to_house(self.tournaments[name], self.house, self.now_ms):
            await self._house.ask(act, given)
        await self._tournaments.tell(name, house_to_tournament(self.house, self.tournaments[name], self.now_ms))
        for table in self.tables.values():
            if table.is_served:
                for order, stamped in tournament_to_table(self.tournaments[name], table.state, self.now_ms):
                    await table.receive(Carried(order, stamped))
                news = table_to_tournament(self.tournaments[name], table.state, self.now_ms)
                await self._tournaments.tell(name, news)


class LineTable(OwnedTable):
    """A table of the house, at the end of a conversation."""

    def __init__(self, floor: LineFloor, configuration: Configuration, n: int, now_ms: int) -> None:
        super().__init__(floor, configuration, n, now_ms)
        self.floor: LineFloor = floor

    # Lines

    def answer(self, line: dict[str, Any]) -> LineAnswer:
        """`ask` for a journal in memory, which never waits."""
        return at_once(self.ask(line))

    def give(self, act: Act, by: str, *, at_ms: int = 0, second: str = "") -> LineAnswer:
        """The same for an act that needs no reading, to the table, the house or a tournament."""
        self.n += 1
        self.floor.log.clear()
        said = LineAct(act, Giver(by, second), max(at_ms, self.now_ms))
        if isinstance(act, TournamentAct):
            return at_once(self._ask_the_tournament(said))
        return at_once(self._ask_the_house(said) if type(act) in HOUSE_RULES else self._ask_the_table(said))

    async def ask(self, line: dict[str, Any]) -> LineAnswer:
        """Carry out one line; a line that is no act at all is refused as malformed."""
        self.n += 1
        self.floor.log.clear()
        word = line.get("do")
        try:
            line = self._timed(line)
            if word == SHOW:
                return self._show(line)
            if isinstance(word, str) and word in TOURNAMENT_VERBS:
                return await self._ask_the_tournament(self._read_tournament_act(line))
            if isinstance(word, str) and word in HOUSE_VERBS:
                return await self._ask_the_house(read_house_act(line, self.name, self.now_ms))
            return await self._ask_the_table(read_table_act(line, self.state, self.now_ms))
        except Mistake as mistake:
            return self._malformed(mistake)

    def _timed(self, line: dict[str, Any]) -> dict[str, Any]:
        """A line may say when in the house's own time, as `2026-06-06T13:00`."""
        if "local_time" not in line:
            return line
        rest = {name: said for name, said in line.items() if name != "local_time"}
        return {**rest, "at_ms": local_ms(str(line["local_time"]), self.zone)}

    def refuse(self, why: Mistake) -> LineAnswer:
        """Answer a line that could not even be read."""
        self.n += 1
        return self._malformed(why)

    def _malformed(self, why: Mistake) -> LineAnswer:
        return self._shown((), Refused("malformed", "", str(why)))

    def _shown(self, events: Iterable[object], refusal: Refused | None = None, show: Sequence[str] = ()) -> LineAnswer:
        return answer_of(self.state, self.n, tuple(events), refusal, show)

    def _show(self, line: dict[str, Any]) -> LineAnswer:
        """Figures of the table, or of the tournament that the line names."""
        what = line.get("what")
        wanted = [what] if isinstance(what, str) else what
        known = (*SHOWN, *SHOWN_OF_TOURNAMENT)
        if not isinstance(wanted, list) or not wanted or not all(one in known for one in wanted):
            raise Mistake(f"show: one or more of {', '.join((*SHOWN, *SHOWN_OF_TOURNAMENT))}")
        answer = self._shown((), show=wanted)
        if set(wanted) <= set(SHOWN):
            return answer
        return replace(answer, **shown_of(self._tournament_named(line.get("tournament")), self.floor.house, wanted))

    def _tournament_named(self, name: object) -> TournamentState:
        known = self.floor.tournaments
        if name is None and len(known) == 1:
            return next(iter(known.values()))
        if not isinstance(name, str) or name not in known:
            raise Mistake(f"show: there is no tournament {name!r}; there are {', '.join(known) or 'none'}")
        return known[name]

    async def _ask_the_table(self, said: LineAct) -> LineAnswer:
        floor = self.floor
        passed = await floor.pass_time(said.at_ms)
        place = Place(self.name, self.state, floor.house, said.at_ms, floor.director_at(self.state))
        fresh = Fresh(lambda: said.ticket or self._ticket_number(), said.build or floor.backing.build)
        admitted = stamp(said.act, said.giver, place, fresh)
        if isinstance(admitted, Refused):
            return self._shown(passed, admitted)
        self._clock.at_ms = said.at_ms
        granted, left = await self._granted(admitted, said.at_ms)
        if isinstance(granted, Refused):
            return self._shown((*passed, *left), granted)
        given = replace(granted, salts=said.salts) if said.salts else granted
        before = len(self.records)
        ask = Ask(epoch=self._epoch, n=self.n, coup=self.state.coups, act=said.act)  # type: ignore[arg-type]  # A line may say what no device may.
        await self.receive(Asked(LINES, ask, given))
        await floor.follow(self)
        happened = [event for record in self.records[before:] for event in record.events]
        carried = () if all(type(event) in _QUIET for event in happened) else await floor.carry()
        return self._shown((*passed, *left, *happened, *carried), self._refusal)

    async def _granted(self, admitted: Admitted, at_ms: int) -> tuple[Stamp | Refused, tuple[object, ...]]:
        """The stamp with what the house grants, or its refusal; and what a refusal leaves on record there."""
        if admitted.request is not None:
            kept = await self.floor.ask_house(admitted.request, clock_stamp(), at_ms)
            if isinstance(kept, HouseRefused):
                return admitted.withheld(as_refused(kept)), kept.leaves
        return admitted.granted(self.floor.house), ()

    async def _ask_the_house(self, said: LineAct) -> LineAnswer:
        floor = self.floor
        passed = await floor.pass_time(said.at_ms)
        if said.giver.by in self.state.stations:
            given = Stamp(by=said.giver.by, role=_STATION, second=said.giver.second)
        else:
            given = stamp_for_house(type(said.act), said.giver, floor.house)
        self._clock.at_ms = said.at_ms
        before = len(self.records)
        decision = await floor.ask_house(said.act, given, said.at_ms)  # type: ignore[arg-type]  # Its verb is the house's.
        if isinstance(decision, HouseRefused):
            return self._said_no(decision)
        followed = [event for record in self.records[before:] for event in record.events]
        return self._shown((*passed, *decision, *followed, *await floor.carry()))

    def _read_tournament_act(self, line: dict[str, Any]) -> LineAct:
        named = line.get("tournament")
        state = self.floor.tournaments.get(named) if isinstance(named, str) else None
        return read_tournament_act(line, state, self.zone, self.now_ms)

    async def _ask_the_tournament(self, said: LineAct) -> LineAnswer:
        floor, act = self.floor, said.act
        assert isinstance(act, TournamentAct)
        passed = await floor.pass_time(said.at_ms)
        tables = {name: table.state for name, table in floor.tables.items()}
        state = floor.tournaments.get(act.tournament, TournamentState())
        seed = seed_for if not said.seed else lambda *_: said.seed
        place = TournamentPlace(state, floor.house, tables, said.at_ms, seed)
        given = stamp_for_tournament(act, said.giver, place)
        if isinstance(given, TournamentRefused):
            return self._tournament_said_no(given, passed)
        self._clock.at_ms = said.at_ms
        decision = await floor.ask_tournament(act, given, said.at_ms)
        if isinstance(decision, TournamentRefused):
            answer = self._tournament_said_no(decision, passed)
        else:
            answer = self._shown((*passed, *decision, *await floor.carry()))
        known = floor.tournaments.get(act.tournament)
        return answer if known is None else replace(answer, tournament_phase=known.phase)

    def _tournament_said_no(self, no: TournamentRefused, passed: tuple[object, ...]) -> LineAnswer:
        return self._shown(passed, Refused(no.code, self.floor.house.cites(no.clause), no.text, values=no.values))

    @property
    def zone(self) -> str:
        """The zone of the house, which local times of lines are in."""
        return self.floor.house.time_zone or self.state.configuration.time_zone

    def _said_no(self, no: HouseRefused) -> LineAnswer:
        return self._shown(no.leaves, as_refused(no))

    def _ticket_number(self) -> str:
        """Of the house's numbers, one that no other table makes."""
        return f"{list(self.floor.house.tables).index(self.name):06}{self.n:012}"


def _check(configuration: Configuration) -> None:
    """A configuration that no table may have is found before anything is written."""
    try:
        check(configuration)
    except Unacceptable as problem:
        raise Mistake(f"configuration: {problem} ({problem.clause})") from None
