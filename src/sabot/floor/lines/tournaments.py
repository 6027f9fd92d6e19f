"""The tournaments of a conversation, each a shared stream.

The seed of a draw is made from its label and number, so that the same script always gets the same seats.
"""

import hashlib
from collections.abc import Awaitable, Callable

from sabot.basics.stamp import Stamp
from sabot.floor.exchange.table_to_tournament import TournamentStamped
from sabot.floor.exchange.tournament_clock import committing, draws_due, tournament_by_clock
from sabot.floor.lines.stream import LineStream
from sabot.floor.records.record_codec import tournament_of
from sabot.floor.shared_owner.kinds import TournamentDecision, tournament_kind
from sabot.floor.table_owner.errands import Backing
from sabot.tournament.acts import TournamentAct
from sabot.tournament.decide import decide
from sabot.tournament.events import TournamentEvent
from sabot.tournament.refusal import TournamentRefused
from sabot.tournament.seats.draw import commitment_of
from sabot.tournament.state import TournamentState

TournamentStream = LineStream[TournamentState, TournamentEvent, TournamentRefused]


class LineTournaments:
    def __init__(
        self,
        backing: Backing,
        now_ms: Callable[[], int],
        heard: Callable[[tuple[TournamentEvent, ...]], Awaitable[None]],
    ) -> None:
        self._backing, self._now_ms, self._heard = backing, now_ms, heard
        self._streams: dict[str, TournamentStream] = {}

    @property
    def states(self) -> dict[str, TournamentState]:
        """Every tournament by its id."""
        return {name: stream.state for name, stream in self._streams.items()}

    async def begin(self) -> int:
        """Read every tournament of the journal; gives the time of the last record."""
        names = [name for stream in await self._backing.journal.streams() if (name := tournament_of(stream))]
        return max([await self._stream(name).begin() for name in names], default=0)

    async def ask(self, act: TournamentAct, stamp: Stamp) -> TournamentDecision:
        """Have an act decided. A tournament that is not there is not made by an act that it refuses."""
        if act.tournament not in self._streams:
            tried = decide(TournamentState(), act, stamp)
            if isinstance(tried, TournamentRefused):
                return tried
        return await self._stream(act.tournament).ask(act, stamp)

    async def by_clock(self, name: str) -> None:
        """Do what time does: entry at its times, and the commitments of draws that are due."""
        now_ms, state = self._now_ms(), self._streams[name].state
        due = [(label, state.committed.get(label, 0) + 1) for label in draws_due(state, now_ms)]
        drawing = [committing(state, label, _commitment(label, nth), now_ms) for label, nth in due]
        await self.tell(name, [*tournament_by_clock(state, now_ms), *drawing])

    async def tell(self, name: str, news: list[TournamentStamped]) -> None:
        for act, stamp in news:
            await self._streams[name].ask(act, stamp)

    async def vouch(self) -> None:
        for stream in self._streams.values():
            await stream.vouch()

    def _stream(self, name: str) -> TournamentStream:
        if name not in self._streams:
            self._streams[name] = LineStream(tournament_kind(name), self._backing, self._now_ms, self._heard)
        return self._streams[name]


def seed_for(label: str, nth: int) -> str:
    """The 32 bytes behind the nth commitment of a draw, in hexadecimal."""
    return hashlib.sha256(f"the draw {label}, {nth}".encode()).hexdigest()


def _commitment(label: str, nth: int) -> str:
    return commitment_of(bytes.fromhex(seed_for(label, nth)), label)
