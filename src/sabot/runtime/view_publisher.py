"""What devices that follow views are shown: at most ten times a second, the newest, and only what changed.

A view is never a history, so whatever happened between two looks is one look. The sections that several viewers share
are written out once for all of them.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from sabot.floor.table_owner.effects import Happening
from sabot.floor.table_owner.messages import Connected
from sabot.floor.table_owner.term import Term
from sabot.runtime.job_queue import JobQueue
from sabot.runtime.link import Link
from sabot.table.events import WagersChanged
from sabot.views.audience import Audience
from sabot.views.changed import changed
from sabot.views.console import CachedConsoleView, ConsoleView, StationConnection, console
from sabot.views.display import DisplayView, display_view
from sabot.views.public import Public, public_view
from sabot.views.scorecard import Scorecard, Touch
from sabot.views.station import SHARED, StationView, concerned, seen_again, station_view, stations_stay
from sabot.views.tournament_board import TournamentBoard
from sabot.wire.frames import ViewFrame, Welcome

PAUSE_S = 0.1
MOST_WRITTEN = 500
"""Sections that are kept as they were written out. Where nothing happens nobody looks, but devices come and go."""
_encode = msgspec.json.Encoder(enc_hook=str).encode


class _Viewer:
    def __init__(self, audience: Audience, station: str) -> None:
        self.audience, self.station = audience, station
        self.view: msgspec.Struct | None = None
        """What it was shown last, and as of which epoch and version."""
        self.as_of = (0, 0)
        self.public: Public | None = None
        """What that was made from."""
        self.lost_ms = 0
        """When the device was found to be gone; 0 while it is connected."""
        self.told = 0
        """The version with which it was last sent anything."""


class ViewPublisher:
    """The views of one table. It begins anew with every term, for what was shown then may not have lasted."""

    def __init__(
        self,
        links: Mapping[str, Link],
        now: Callable[[], int],
        jobs: JobQueue,
        board: Callable[[str], TournamentBoard | None] = lambda _: None,
    ) -> None:
        """`board` is the leader board of a tournament, by its id."""
        self._links, self._now, self._jobs, self._board = links, now, jobs, board
        self._term: Term | None = None
        self._viewers: dict[str, _Viewer] = {}
        self._card = Scorecard()
        self._public: Public | None = None
        self._looked: Public | None = None
        """What all viewers were shown at the last look; those welcomed since may have seen more."""
        self._console: CachedConsoleView | None = None
        self._unseen: list[Happening] = []
        self._next_look: asyncio.TimerHandle | None = None
        self._last_look = 0.0
        self._written: dict[int, tuple[object, msgspec.Raw]] = {}
        """Sections as they were written out since the last look, by the identity of the section."""

    def begin(self, term: Term) -> None:
        self._term, self._public, self._looked, self._console = term, None, None, None
        self._unseen.clear()
        self._card = Scorecard.of(term.state)

    def end(self) -> None:
        self._term = None
        if self._next_look is not None:
            self._next_look.cancel()
            self._next_look = None

    @property
    def card(self) -> Scorecard:
        """The scorecard as of now."""
        card, touches = self._card, list[Touch]()
        for happening in self._unseen:
            stamp, events, state = happening.stamp, happening.events, happening.state
            if happening.act is None:
                continue
            if len(events) == 1 and type(events[0]) is WagersChanged:
                touches.append(Touch(state, stamp.at_ms, events[0]))
                continue
            if touches:
                card, touches = card.touched(touches), []
            card = card.then(state, stamp, happening.decision)
        self._unseen.clear()
        self._card = card.touched(touches) if touches else card
        return self._card

    def console(self) -> ConsoleView | None:
        """What a console would be shown now; nothing while the table is not served here. Nobody is told anything."""
        term = self._term
        return None if term is None else self._console_of(self._public_now(term))

    def publish(self, happenings: tuple[Happening, ...]) -> None:
        if self._term is not None:
            self._unseen += happenings
            self.look_soon()

    def look_soon(self) -> None:
        if self._next_look is None:
            loop = asyncio.get_running_loop()
            at = max(self._last_look + PAUSE_S, loop.time())
            self._next_look = loop.call_at(at, self._jobs.add, self._look)

    def welcome(self, connected: Connected, welcome: Welcome) -> Welcome:
        """Up to date, what changed since, or the whole view, whichever the device needs."""
        term, hello = self._term, connected.hello
        assert term is not None, "only a table that is served welcomes"
        viewer = self._viewers.setdefault(connected.device, _Viewer(connected.audience, connected.station))
        if viewer.as_of != (hello.epoch, hello.version):
            viewer.view = None
        whole = viewer.view is None
        sections = self._show(viewer, term)
        return msgspec.structs.replace(welcome, version=term.head.version, view=sections or None, whole=whole)

    def put_right(self, device: str, version: int, result: tuple[int, str]) -> str | None:
        """What a display shows that it was not told, in one sentence; it is then shown everything anew.

        A display that has not got the newest yet is only late.
        """
        viewer, link, term = self._viewers.get(device), self._links.get(device), self._term
        if viewer is None or link is None or term is None or not isinstance(viewer.view, DisplayView):
            return None
        told = viewer.view.result
        expected = (told.coup, told.winner) if told is not None else (0, "")
        if version < viewer.told or result == expected:
            return None
        viewer.view = None
        link.tell(ViewFrame(epoch=term.epoch, version=term.head.version, changed=self._show(viewer, term)))
        return f"{device} shows {_in_words(result)} where {_in_words(expected)} is on record (CROWN 11.13)"

    def _look(self) -> None:
        self._next_look = None
        term = self._term
        if term is None:
            return
        self._last_look = asyncio.get_running_loop().time()
        before, self._looked = self._looked, self._public_now(term)
        public = self._looked
        self._written.clear()
        touched = None if before is None or _differ(before, public) else concerned(before.state, public.state)
        shared = self._shared(before, public, term)
        for device, link in self._links.items():
            viewer = self._viewers.get(device)
            if viewer is None or link.feed != "views" or viewer.view is None:
                continue
            if touched is not None and viewer.audience is Audience.STATION and viewer.station not in touched:
                viewer.as_of, viewer.public = (term.epoch, term.head.version), public
            elif shared is not None and viewer.public is before and isinstance(viewer.view, StationView):
                viewer.as_of, viewer.public = (term.epoch, term.head.version), public
                viewer.view, viewer.told = seen_again(viewer.view, public), term.head.version
                link.tell(shared)
            elif sections := self._show(viewer, term):
                link.tell(ViewFrame(epoch=term.epoch, version=term.head.version, changed=sections))

    def _shared(self, before: Public | None, public: Public, term: Term) -> ViewFrame | None:
        """What every station is shown alike when only what everybody sees has changed."""
        if before is None or not stations_stay(before, public):
            return None
        sections = {name: getattr(public, name) for name in SHARED if getattr(before, name) != getattr(public, name)}
        written = {name: self._written_out(section) for name, section in sections.items()}
        return ViewFrame(epoch=term.epoch, version=term.head.version, changed=written)

    def _public_now(self, term: Term) -> Public:
        at_ms = term.clock.table_ms(self._now())
        reserved = term.state.reserved
        board = None if reserved is None else self._board(reserved.tournament)
        self._public = public_view(term.state, self.card, at_ms, self._public, board)
        return self._public

    def _show(self, viewer: _Viewer, term: Term) -> dict[str, Any]:
        """The sections that are new to a viewer, who knows them from now on."""
        public = self._public
        if public is None or public.state is not term.state:
            public = self._public_now(term)
        view: msgspec.Struct
        if viewer.audience is Audience.STATION:
            view = station_view(public, viewer.station)
        elif viewer.audience is Audience.CONSOLE:
            view = self._console_of(public)
        else:
            view = display_view(public)
        sections = changed(viewer.view, view)
        viewer.view, viewer.as_of, viewer.public = view, (term.epoch, term.head.version), public
        if sections:
            viewer.told = term.head.version
        return {name: self._written_out(section) for name, section in sections.items()}

    def _console_of(self, public: Public) -> ConsoleView:
        self._console = console(public, self._connections(public), self._console)
        return self._console.view

    def _written_out(self, section: object) -> msgspec.Raw:
        known = self._written.get(id(section))
        if known is None or known[0] is not section:
            if len(self._written) >= MOST_WRITTEN:
                self._written.clear()
            known = self._written[id(section)] = (section, msgspec.Raw(_encode(section)))
        return known[1]

    def _connections(self, public: Public) -> dict[str, StationConnection]:
        """Which stations and displays are there, and the sign of limits that each was shown last."""
        found = {}
        for device, viewer in self._viewers.items():
            if viewer.audience is not Audience.CONSOLE:
                known = viewer.view
                sign = known.table.sign if isinstance(known, StationView | DisplayView) else public.table.sign
                is_here = device in self._links
                viewer.lost_ms = 0 if is_here else viewer.lost_ms or public.clock.at_ms
                found[viewer.station or "display"] = StationConnection(is_here, viewer.lost_ms, sign)
        return found


def _differ(before: Public, after: Public) -> bool:
    """Whether what everybody sees is another than before; sections that stayed are the same objects."""
    return before.clock != after.clock or any(
        getattr(before, name) is not getattr(after, name) for name in after.made_from
    )


def _in_words(result: tuple[int, str]) -> str:
    coup, winner = result
    return f"{winner} in coup {coup}" if winner else "no result"
