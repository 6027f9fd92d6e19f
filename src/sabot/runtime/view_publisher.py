"""What devices that follow views are shown: at most ten times a second, the newest, and only what changed.

A view is never a history, so whatever happened between two looks is one look. The sections that several viewers share
are written out once for all of them.

A touch changes nothing but its own station's sections. They follow its answer at once, in the same write to the socket,
unless the station was shown something just before; then the next look shows them.

A view that cannot be made takes no other along, nor the connection. Its viewer keeps the last sound picture, which is
marked as such until a view can be made again (G-196).
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec

from sabot.floor.table_owner.effects import Happening
from sabot.floor.table_owner.messages import Connected
from sabot.floor.table_owner.term import Term
from sabot.runtime.job_queue import JobQueue
from sabot.runtime.link import Link
from sabot.runtime.news import folded, is_touch
from sabot.runtime.view_failures import EVERYBODY, ViewFailures
from sabot.runtime.viewer import Viewer
from sabot.table.events import WagersChanged
from sabot.table.state import TableState
from sabot.views.audience import Audience
from sabot.views.changed import changed
from sabot.views.console import CachedConsoleView, ConsoleView, StationConnection, console
from sabot.views.display import DisplayView, display_view
from sabot.views.public import Public, differ, public_view, runs_on
from sabot.views.recall import Recall, recall
from sabot.views.scorecard import Scorecard
from sabot.views.station import (
    OWN,
    SHARED,
    TOUCHED,
    StationView,
    concerned,
    seen_again,
    station_view,
    stations_stay,
    touched_again,
)
from sabot.views.tournament_board import TournamentBoard
from sabot.wire.frames import Answer, StalePicture, ViewFrame, Vouched, Welcome

PAUSE_S = 0.1
MOST_WRITTEN = 500
"""Sections that are kept as they were written out. Where nothing happens nobody looks, but devices come and go."""
MOST_UNSEEN = 32
"""Touches that wait to be told in the scorecard; each of them holds a state."""
_encode = msgspec.json.Encoder(enc_hook=str).encode
_Made = TypeVar("_Made")


class ViewPublisher:
    """The views of one table. It begins anew with every term, for what was shown then may not have lasted."""

    def __init__(
        self,
        links: Mapping[str, Link],
        now: Callable[[], int],
        jobs: JobQueue,
        failures: ViewFailures,
        board: Callable[[str], TournamentBoard | None] = lambda _: None,
    ) -> None:
        """`board` is the leader board of a tournament, by its id."""
        self._links, self._now, self._jobs, self._board = links, now, jobs, board
        self._failures = failures
        self.stale: set[str] = set()
        """The devices whose picture is not current, or that have none."""
        self._term: Term | None = None
        self._viewers: dict[str, Viewer] = {}
        self._at_station: dict[str, list[Viewer]] = {}
        """The same by station; under no name those who belong to none."""
        self._card = Scorecard()
        self._public: Public | None = None
        self._looked: Public | None = None
        """What all viewers were shown at the last look; those welcomed since may have seen more."""
        self._seen: TableState | None = None
        """The state of that look, with the touches since whose stations were shown them or are behind."""
        self._console: CachedConsoleView | None = None
        self._looks = 0
        self._unseen: list[Happening] = []
        self._has_news = False
        """Whether something other than touches happened since the last look."""
        self._behind: set[str] = set()
        """Stations whose touches the next look shows."""
        self._next_look: asyncio.TimerHandle | None = None
        self._vouched: Vouched | None = None
        """A signed head that goes out with the next look."""
        self._last_look = 0.0
        self._news: tuple[Public, Public, dict[str, msgspec.Raw]] | None = None
        """The shared sections that are new from one public view to another, as they were last asked for."""
        self._written: dict[int, tuple[object, msgspec.Raw]] = {}
        """Sections as they were written out since the last look, by the identity of the section."""

    def begin(self, term: Term) -> None:
        self._loop = asyncio.get_running_loop()  # To ask for it is a system call, which a touch need not make.
        self._term, self._public, self._looked, self._console = term, None, None, None
        self._seen, self._news = None, None
        self._unseen.clear()
        self._behind.clear()
        self._has_news = True
        self._card = self._made("the scorecard", lambda: Scorecard.of(term.state)) or Scorecard()

    def end(self) -> None:
        self._term = None
        if self._next_look is not None:
            self._next_look.cancel()
            self._next_look = None
        self._tell_vouched()

    @property
    def card(self) -> Scorecard:
        """The scorecard as of now. What it cannot take in is left out of it, and not tried again."""
        unseen, self._unseen = self._unseen, []
        if unseen:
            then = self._made("the scorecard", lambda: folded(self._card, unseen))
            self._card = then or self._made("the scorecard", lambda: Scorecard.of(unseen[-1].state)) or self._card
        return self._card

    def console(self) -> ConsoleView | None:
        """What a console would be shown now; nothing while the table is not served here. Nobody is told anything."""
        term = self._term
        return None if term is None else self._made("an overseer", lambda: self._console_of(self._public_now(term)))

    def recalled(self, station: str, *, whole: bool) -> Recall | None:
        """The last coups of a station; nothing where they cannot be told."""
        return self._made(f"who asks for the coups of {station}", lambda: recall(self.card, station, whole=whole))

    def answered(self, device: str, answer: Answer) -> None:
        """A console waits for the view that has what was done there: it gets one even where nothing is new to it."""
        viewer = self._viewers.get(device)
        if viewer is not None and viewer.audience is Audience.CONSOLE:
            viewer.answered = answer.version

    def publish(self, happenings: tuple[Happening, ...]) -> None:
        if self._term is None:
            return
        self._unseen += happenings
        if not self._has_news and all(map(is_touch, happenings)) and self._show_touches(self._term, happenings):
            return
        self._has_news = True
        self.look_soon()

    def look_soon(self, not_before: float = 0.0) -> None:
        if self._next_look is None:
            at = max(self._last_look + PAUSE_S, not_before, self._loop.time())
            self._next_look = self._loop.call_at(at, self._jobs.add, self._look)

    def will_tell(self, vouched: Vouched) -> bool:
        """Whether a look is to come, with which a signed head goes out to everybody by the same writes."""
        if self._next_look is None or self._term is None:
            return False
        self._vouched = vouched
        return True

    def _show_touches(self, term: Term, happenings: tuple[Happening, ...]) -> bool:
        """Show each touched station its own sections; False where more than those may be others than before.

        The scorecard tells of touches only to those who recall them, so it is folded when it is asked for, unless a
        station is told what could not be laid.
        """
        before, at_ms = self._looked, term.clock.table_ms(self._now())
        if before is None or self.stale or term.state.session is not None or not runs_on(before.clock, at_ms):
            return False
        touches: list[WagersChanged] = [happening.events[0] for happening in happenings]  # type: ignore[misc]  # All are.
        if len(self._unseen) > MOST_UNSEEN or before.card.is_told_by(touches):
            before = self._looked = msgspec.structs.replace(before, card=self.card)
        self._seen, now = term.state, self._loop.time()
        wait_until = 0.0 if self._has_console else None
        for station in {one.station for one in touches}:
            for viewer in self._at_station.get(station, ()):
                link = self._links.get(viewer.device)
                if link is None or link.feed != "views" or viewer.view is None:
                    continue
                if now - viewer.shown_s >= PAUSE_S and station not in self._behind:
                    self._show_touched(viewer, link, term, before.card, at_ms)
                else:
                    wait_until = max(wait_until or 0.0, viewer.shown_s + PAUSE_S)
                    self._behind.add(station)
        if wait_until is not None:
            self.look_soon(wait_until)
        return True

    def _show_touched(self, viewer: Viewer, link: Link, term: Term, card: Scorecard, at_ms: int) -> None:
        """Tell a station what its own touches changed."""
        was = viewer.view
        assert isinstance(was, StationView)
        try:
            view = touched_again(was, term.state, card, viewer.station, at_ms)
        except Exception as error:
            self._failures.note(viewer.name, error)
            self._mark(viewer, link, term)
            return
        viewer.view, viewer.made_ms, viewer.look = view, at_ms, self._looks
        sections = changed(was, view, TOUCHED)
        if sections:
            viewer.told = term.head.version
            self._tell(viewer, link, ViewFrame(epoch=term.epoch, version=term.head.version, changed=sections))

    def welcome(self, connected: Connected, welcome: Welcome) -> Welcome:
        """Up to date, what changed since, or the whole view, whichever the device needs.

        Where no view can be made it is shown the last sound one as such, or told that there is none.
        """
        term, hello = self._term, connected.hello
        assert term is not None, "only a table that is served welcomes"
        viewer = self._viewer(connected)
        whole = viewer.view is None or viewer.as_of != (hello.epoch, hello.version)
        sections = self._show(viewer, term, whole=whole)
        if sections is None:
            sections = self._last_sound(viewer) if whole else {}
            whole, viewer.is_told_stale = bool(sections), True
        viewer.as_of = (term.epoch, term.head.version)
        return msgspec.structs.replace(
            welcome, version=term.head.version, view=sections or None, whole=whole, stale=viewer.stale
        )

    def _viewer(self, connected: Connected) -> Viewer:
        viewer = self._viewers.get(connected.device)
        if viewer is None:
            viewer = self._viewers[connected.device] = Viewer(connected)
            self._at_station.setdefault(viewer.station, []).append(viewer)
        return viewer

    @property
    def _has_console(self) -> bool:
        for one in self._at_station.get("", ()):
            if one.audience is Audience.CONSOLE and one.device in self._links:
                return True
        return False

    def forget(self, device: str) -> None:
        """Its enrolment was revoked: nobody takes up what it was shown."""
        viewer = self._viewers.pop(device, None)
        if viewer is not None:
            self._at_station[viewer.station].remove(viewer)
        self.stale.discard(device)

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
        sections = self._show(viewer, term, whole=True)
        if sections is not None:
            link.tell(ViewFrame(epoch=term.epoch, version=term.head.version, changed=sections))
        return f"{device} shows {_in_words(result)} where {_in_words(expected)} is on record (CROWN 11.13)"

    def _look(self) -> None:
        self._next_look, term = None, self._term
        if term is not None:
            self._look_at(term)
        self._tell_vouched()

    def _tell_vouched(self) -> None:
        vouched, self._vouched = self._vouched, None
        if vouched is not None:
            for link in list(self._links.values()):
                link.tell(vouched)

    def _look_at(self, term: Term) -> None:
        self._last_look = self._loop.time()
        before, public = self._looked_with_touches, self._made(EVERYBODY, lambda: self._public_now(term))
        self._written.clear()
        behind, self._behind = self._behind, set()
        touched: frozenset[str] | None = None
        shared: ViewFrame | None = None
        if public is not None:
            self._looked, self._seen, self._has_news = public, public.state, False
            touched, shared = self._made("the stations", lambda: self._alike(before, public, term)) or (None, None)
        last, self._looks = self._looks, self._looks + 1
        for device, link in self._links.items():
            viewer = self._viewers.get(device)
            if viewer is None or link.feed != "views" or (viewer.view is None and viewer.stale is None):
                continue
            is_as_before, viewer.look = viewer.look == last, self._looks
            if public is None:
                self._mark(viewer, link, term)
            elif viewer.stale is not None:
                self._show_to(viewer, link, term, public)
            elif touched is not None and viewer.audience is Audience.STATION and viewer.station not in touched:
                viewer.public = public
                if is_as_before and viewer.station in behind:
                    self._show_touched(viewer, link, term, public.card, public.clock.at_ms)
            elif shared is not None and is_as_before and viewer.station and viewer.station not in behind:
                self._show_alike(viewer, link, public, shared)
            else:
                self._show_to(viewer, link, term, public)

    @property
    def _looked_with_touches(self) -> Public | None:
        """What was looked at last, with the touches since."""
        looked = self._looked
        return None if looked is None or self._seen is None else msgspec.structs.replace(looked, state=self._seen)

    def _show_alike(self, viewer: Viewer, link: Link, public: Public, shared: ViewFrame) -> None:
        """Tell a station what all stations are shown alike."""
        assert isinstance(viewer.view, StationView)
        viewer.view, viewer.public, viewer.told = seen_again(viewer.view, public), public, shared.version
        viewer.made_ms = public.clock.at_ms
        self._tell(viewer, link, shared)

    def _tell(self, viewer: Viewer, link: Link, frame: ViewFrame) -> None:
        viewer.as_of, viewer.shown_s = (frame.epoch, frame.version), self._loop.time()
        link.tell(frame)

    def _alike(
        self, before: Public | None, public: Public, term: Term
    ) -> tuple[frozenset[str] | None, ViewFrame | None]:
        """The stations that alone may see something new, and what all stations are shown alike; None where more may."""
        touched = None if before is None or differ(before, public) else concerned(before, public)
        return touched, self._shared(before, public, term)

    def _show_to(self, viewer: Viewer, link: Link, term: Term, public: Public) -> None:
        """Tell a viewer what is new, or that its picture is not current any more, or is so again."""
        was_stale = viewer.stale is not None
        sections = self._show(viewer, term, public)
        if sections is None:
            self._mark(viewer, link, term)
        elif sections or was_stale or viewer.answered > viewer.told:
            viewer.told = term.head.version
            self._tell(viewer, link, ViewFrame(epoch=term.epoch, version=term.head.version, changed=sections))

    def _mark(self, viewer: Viewer, link: Link, term: Term) -> None:
        """Tell a viewer once that its picture is not current."""
        if not viewer.is_told_stale:
            viewer.stale, viewer.is_told_stale = StalePicture(since_ms=viewer.made_ms), True
            self.stale.add(viewer.device)
            stale = ViewFrame(epoch=term.epoch, version=term.head.version, changed={}, stale=viewer.stale)
            self._tell(viewer, link, stale)
            self.look_soon()  # A console shows which pictures are not current.

    def _shared(self, before: Public | None, public: Public, term: Term) -> ViewFrame | None:
        """What every station is shown alike when only what everybody sees has changed."""
        if before is None or not stations_stay(before, public):
            return None
        return ViewFrame(epoch=term.epoch, version=term.head.version, changed=self._new_to_all(before, public))

    def _new_to_all(self, seen: Public, public: Public) -> dict[str, msgspec.Raw]:
        """The shared sections that are new since a public view. Nearly all viewers have seen the same one."""
        known = self._news
        if known is None or known[0] is not seen or known[1] is not public:
            sections = {name: getattr(public, name) for name in SHARED if getattr(seen, name) != getattr(public, name)}
            written = {name: self._written_out(section) for name, section in sections.items()}
            known = self._news = (seen, public, written)
        return known[2]

    def _public_now(self, term: Term) -> Public:
        at_ms = term.clock.table_ms(self._now())
        reserved = term.state.reserved
        board = None if reserved is None else self._made("a leader board", lambda: self._board(reserved.tournament))
        self._public = public_view(term.state, self.card, at_ms, self._public, board)
        return self._public

    def _show(
        self, viewer: Viewer, term: Term, public: Public | None = None, *, whole: bool = False
    ) -> dict[str, Any] | None:
        """The sections that are new to a viewer, who knows them from now on; None where no view can be made."""
        made = public or self._made(EVERYBODY, lambda: self._public_now(term))
        sections = None if made is None else self._made(viewer.name, lambda: self._sections(viewer, made, whole=whole))
        if made is None or sections is None:
            viewer.stale = viewer.stale or StalePicture(since_ms=viewer.made_ms)
            self.stale.add(viewer.device)
            return None
        view, written = sections
        viewer.view, viewer.public, viewer.made_ms = view, made, made.clock.at_ms
        viewer.look = -1 if self._has_news else self._looks
        viewer.stale, viewer.is_told_stale = None, False
        self.stale.discard(viewer.device)
        if written:
            viewer.as_of, viewer.told = (term.epoch, term.head.version), term.head.version
        return written

    def _sections(self, viewer: Viewer, public: Public, *, whole: bool) -> tuple[msgspec.Struct, dict[str, Any]]:
        view: msgspec.Struct
        if viewer.audience is Audience.STATION:
            was, seen = viewer.view, viewer.public
            assert was is None or isinstance(was, StationView)
            view = station_view(public, viewer.station, was, seen)
            if was is not None and seen is not None and not whole:
                own = {name: msgspec.Raw(_encode(section)) for name, section in changed(was, view, OWN).items()}
                return view, {**self._new_to_all(seen, public), **own}
        elif viewer.audience is Audience.CONSOLE:
            view = self._console_of(public)
        else:
            view = display_view(public)
        new = changed(None if whole else viewer.view, view)
        return view, {name: self._written_out(section) for name, section in new.items()}

    def _last_sound(self, viewer: Viewer) -> dict[str, Any]:
        """The whole of the last sound picture, which the viewer has from now on; nothing where there is none."""
        if viewer.view is None:
            return {}
        return {name: self._written_out(section) for name, section in changed(None, viewer.view).items()}

    def _made(self, whose: str, make: Callable[[], _Made]) -> _Made | None:
        """What is made, or nothing where it fails: one view never takes others along."""
        try:
            made = make()
        except Exception as error:
            self._failures.note(whose, error)
            return None
        self._failures.over(whose)
        return made

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
                is_stale = is_here and viewer.stale is not None
                found[viewer.station or "display"] = StationConnection(is_here, viewer.lost_ms, sign, is_stale)
        return found


def _in_words(result: tuple[int, str]) -> str:
    coup, winner = result
    return f"{winner} in coup {coup}" if winner else "no result"
