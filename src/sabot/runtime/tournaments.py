"""The tournaments of a running floor, and what goes between them, the tables and the house.

Nothing is transactional across the streams. What one side must do is derived from the states of both, again whenever
one of them moves and at every look, and a repetition changes nothing.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

import structlog

from sabot.floor.exchange.house_to_tournament import house_to_tournament
from sabot.floor.exchange.table_to_tournament import TournamentStamped, table_to_tournament
from sabot.floor.exchange.tournament_clock import committing, draws_due, tournament_by_clock
from sabot.floor.exchange.tournament_to_house import tournament_to_house
from sabot.floor.exchange.tournament_to_table import tournament_to_table
from sabot.floor.records.record_codec import table_stream, tournament_of, tournament_stream
from sabot.floor.records.recovery import recover_table
from sabot.floor.shared_owner.kinds import TournamentDecision, tournament_kind
from sabot.floor.stamper import Giver
from sabot.floor.tournament_stamper import TournamentPlace, stamp_for_tournament
from sabot.runtime.draw_key import DrawKey
from sabot.runtime.shared_runner import HouseRunner, TournamentRunner
from sabot.runtime.table_runner import RunningTable, TableBacking
from sabot.table.state import TableState
from sabot.tournament.acts import CreateTournament, DesignateTables, TournamentAct
from sabot.tournament.phase import TournamentPhase
from sabot.tournament.refusal import TournamentCause, TournamentNo, TournamentRefused
from sabot.tournament.seats.draw import commitment_of
from sabot.tournament.state import TournamentState
from sabot.views.tournament_board import TournamentBoard, board_of

log = structlog.get_logger(__name__)

LOOK_S = 0.5
"""How often a process looks for what others have written, and for what time has made due."""
REST_S = 0.05
"""The pause after everything that moved was carried: scores of many tables go together."""


class TournamentSurroundings(Protocol):
    """The floor around the tournaments."""

    backing: TableBacking
    house: HouseRunner
    tables: Mapping[str, RunningTable]

    def raise_alarm(self, table: str, text: str) -> None: ...


class RunningTournaments:
    def __init__(self, floor: TournamentSurroundings, key: DrawKey | None, *, alone: bool = True) -> None:
        """Without a key of draws no commitment is published from here, and no draw is opened.

        `alone` says that no other process writes to this journal.
        """
        self._floor, self._key, self._alone = floor, key, alone
        self._runners: dict[str, TournamentRunner] = {}
        self._boards: dict[str, tuple[TournamentState, TournamentBoard]] = {}
        self._moved = asyncio.Event()
        self._worker: asyncio.Task[None] | None = None
        self._hear: list[Callable[[str], None]] = []

    async def start(self) -> None:
        """Read every tournament of the journal, and carry from then on what is due between the streams."""
        await self._find()
        self._worker = asyncio.create_task(self._carry_for_ever())
        self._moved.set()

    async def stop(self) -> None:
        if self._worker is not None:
            self._worker.cancel()
            await asyncio.gather(self._worker, return_exceptions=True)
        for runner in self._runners.values():
            await runner.stop()

    def runners(self) -> list[TournamentRunner]:
        return list(self._runners.values())

    def states(self) -> dict[str, TournamentState]:
        return {name: runner.state for name, runner in self._runners.items() if runner.state.tournament}

    @property
    def time_zone(self) -> str:
        """The house's own, in which conditions write their times."""
        return self._floor.house.state.time_zone

    def board_of(self, name: str) -> TournamentBoard | None:
        """The leader board without names; worked out once for each state."""
        runner = self._runners.get(name)
        if runner is None or not runner.state.versions:
            return None
        known = self._boards.get(name)
        if known is None or known[0] is not runner.state:
            made = board_of(runner.state, {}, self._floor.backing.wall_ms())
            if known is not None and made == known[1]:
                made = known[1]
            known = self._boards[name] = (runner.state, made)
        return known[1]

    def listen(self, hear: Callable[[str], None]) -> None:
        """Hear of every tournament that has moved."""
        self._hear.append(hear)

    def wake(self) -> None:
        """Something moved that a tournament may have to know."""
        self._moved.set()

    def director_at(self, table: RunningTable) -> str:
        """The director who is present at the session of a table, or nobody (CROWN 12.2.5)."""
        known = self._played_at(table)
        return "" if known is None else known.state.present

    async def read_director_at(self, table: RunningTable) -> str:
        """The same, after what other processes have written is read."""
        known = self._played_at(table)
        if known is not None and not self._alone:
            await known.catch_up()
        return self.director_at(table)

    def _played_at(self, table: RunningTable) -> TournamentRunner | None:
        session = None if table.term is None else table.term.state.session
        return None if session is None else self._runners.get(session.terms.tournament)

    async def ask(self, act: TournamentAct, giver: Giver) -> TournamentDecision:
        """Have a person's act decided; what is answered is durable."""
        runner = self._runners.get(act.tournament)
        if runner is None:
            if not isinstance(act, CreateTournament):
                return TournamentNo(TournamentCause.NO_TOURNAMENT, tournament=act.tournament).refused
            runner = await self._open(act.tournament)
        backing, house = self._floor.backing, self._floor.house
        if not self._alone:
            await house.catch_up()
        place = TournamentPlace(runner.state, house.state, await self._states(act), backing.wall_ms(), self._seed)
        stamp = stamp_for_tournament(act, giver, place)
        if isinstance(stamp, TournamentRefused):
            return stamp
        decision = await runner.ask(act, stamp)
        self.wake()
        return decision

    async def _states(self, act: TournamentAct) -> dict[str, TableState]:
        """The tables that are served here; where tables are named, also those that another process serves."""
        states = {name: table.term.state for name, table in self._floor.tables.items() if table.term is not None}
        backing = self._floor.backing
        for name in act.tables if isinstance(act, DesignateTables) else ():
            if name in self._floor.tables and name not in states:
                known = (await recover_table(backing.journal, table_stream(name))).state
                if isinstance(known, TableState):
                    states[name] = known
        return states

    async def _open(self, name: str) -> TournamentRunner:
        backing = self._floor.backing
        kind = tournament_kind(name)
        runner = TournamentRunner(kind, backing.journal, backing.wall_ms, lambda: backing.why_not)
        await runner.open()
        runner.listen(lambda _: self._has_moved(name))
        self._runners.setdefault(name, runner)
        return self._runners[name]

    def _has_moved(self, name: str) -> None:
        self._moved.set()
        for table in self._floor.tables.values():
            reserved = None if table.term is None else table.term.state.reserved
            if reserved is not None and reserved.tournament == name:
                table.views.look_soon()
        for hear in self._hear:
            hear(name)

    async def _find(self) -> None:
        """Find the tournaments that other processes have made."""
        for stream in await self._floor.backing.journal.streams(tournament_stream("")):
            name = tournament_of(stream)
            if name and name not in self._runners:
                await self._open(name)

    # Carrying

    async def _carry_for_ever(self) -> None:
        """Carry what is due whenever something moved, and at every look."""
        while True:
            try:
                async with asyncio.timeout(LOOK_S):  # `wait_for` may swallow a stop that comes with the news.
                    await self._moved.wait()
            except TimeoutError:
                if not self._alone:
                    await self._look()
            self._moved.clear()
            try:
                for name in list(self._runners) if self._floor.backing.why_not is None else ():
                    await self._carry(name)
            except Exception:  # What was not carried is derived again at the next look.
                log.exception("what is due between tournaments, tables and house could not be carried")
            await asyncio.sleep(REST_S)

    async def _look(self) -> None:
        try:
            await self._find()
        except Exception:
            log.exception("the journal could not be asked for tournaments")
        for runner in self._runners.values():
            runner.look()

    async def _carry(self, name: str) -> None:
        runner, house = self._runners[name], self._floor.house
        if runner.state.phase is TournamentPhase.CLOSED and not self._is_any_reserved(name):
            return
        at_ms = self._floor.backing.wall_ms()
        await self._tell(runner, [*tournament_by_clock(runner.state, at_ms), *self._commitments(runner.state, at_ms)])
        await self._tell(runner, house_to_tournament(house.state, runner.state, at_ms))
        for table in self._floor.tables.values():
            if table.term is not None:
                await self._tell(runner, table_to_tournament(runner.state, table.term.state, at_ms))
                for act, stamp in tournament_to_table(runner.state, table.term.state, table.table_ms):
                    table.carry(act, stamp)
        for act, stamp in tournament_to_house(runner.state, house.state, at_ms):
            await house.ask(act, stamp)

    def _is_any_reserved(self, name: str) -> bool:
        states = (table.term.state for table in self._floor.tables.values() if table.term is not None)
        return any(state.reserved is not None and state.reserved.tournament == name for state in states)

    async def _tell(self, runner: TournamentRunner, news: Iterable[TournamentStamped]) -> None:
        for act, stamp in news:
            await runner.ask(act, stamp)

    # Draws

    def _commitments(self, state: TournamentState, at_ms: int) -> list[TournamentStamped]:
        if self._key is None:
            return []
        due = [(label, state.committed.get(label, 0) + 1) for label in draws_due(state, at_ms)]
        seeds = [(label, self._key.seed(label, nth)) for label, nth in due]
        return [committing(state, label, commitment_of(seed, label), at_ms) for label, seed in seeds]

    def _seed(self, label: str, nth: int) -> str:
        return "" if self._key is None else self._key.seed(label, nth).hex()
