"""Reading from a table's shelf what an act names, and deriving the shelf again where something on it is missing."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import ClassVar, NamedTuple

import msgspec

from sabot.floor.records.record_codec import read_answer, read_events
from sabot.floor.records.shelf import (
    NEVER_SETTLED,
    SHELVED_TO,
    Falling,
    ShelvedBuyIn,
    at_station,
    coup_name,
    of_patron,
    read_buy_in_value,
    read_coup_value,
    read_session_value,
    read_sitting_value,
    read_ticket_value,
    session_name,
    shelved_names,
    sitting_name,
    slip_name,
    ticket_name,
    unpacked,
)
from sabot.journal.journal import Damaged, Derived, Journal
from sabot.table.accounts.state import Tendered
from sabot.table.history.kept import MOST_COUPS_WON, MOST_NAMED
from sabot.table.history.shelved import FromShelf, ShelvedCoup, ShelvedSession
from sabot.table.history.wanted import Wanted, WantedKind
from sabot.table.sessions.state import KeptSession
from sabot.table.state import UNCONFIGURED, AnyTable, TableState

KEPT_AT_ONCE = 500
"""Values that are put on a shelf in one transaction."""
COUPS_AT_ONCE = 100
"""Coups that are looked through at a time, from the newest back."""


class Missing(Exception):
    """A value that must be on the shelf is not there."""


class Looking(NamedTuple):
    """What is wanted, in which state, and what fell out of it and may not be on the shelf yet."""

    wanted: Wanted
    state: TableState
    unshelved: Mapping[str, Derived]


async def look_for(journal: Journal, stream: str, version: int, looking: Looking) -> FromShelf:
    """What the shelf has of something; what is deleted or damaged is derived again from the records first."""
    shelf = _Shelf(journal, stream, looking)
    try:
        return await shelf.found()
    except (Missing, Damaged):
        await derive_again(journal, stream, version)
        return await shelf.found()


async def derive_again(
    journal: Journal, stream: str, version: int, since: int = 0, reached: AnyTable = UNCONFIGURED
) -> None:
    """Put on the shelf everything that fell out of a table's state up to this record, since a state that it was in."""
    falling = Falling(stream)
    async for record in journal.read(stream, since, version):
        accepted = read_answer(record).accepted
        if accepted is not msgspec.UNSET:
            reached = falling.evolve(reached, read_events(accepted), record.version)
        if len(falling.values) >= KEPT_AT_ONCE:
            await put_on_shelf(journal, falling.values)
            falling.values.clear()
    await put_on_shelf(journal, {**falling.values, SHELVED_TO: Derived(stream, SHELVED_TO, version, b"")})


async def put_on_shelf(journal: Journal, values: Mapping[str, Derived]) -> None:
    listed = list(values.values())
    for first in range(0, len(listed), KEPT_AT_ONCE):
        await journal.keep(listed[first : first + KEPT_AT_ONCE])


class _Shelf:
    """Reads a shelf together with what may not be on it yet."""

    def __init__(self, journal: Journal, stream: str, looking: Looking) -> None:
        self._journal, self._stream = journal, stream
        self._wanted, self._state, self._unshelved = looking

    async def found(self) -> FromShelf:
        return await self._FIND[self._wanted.kind](self)

    async def _find_coup(self) -> FromShelf:
        value = await self._must(coup_name(self._wanted.number))
        return FromShelf() if value == NEVER_SETTLED else await self._with_sessions((read_coup_value(value),))

    async def _find_session(self) -> FromShelf:
        control = self._wanted.number
        return FromShelf(sessions={control: read_session_value(await self._must(session_name(control)))})

    async def _find_patron(self) -> FromShelf:
        """The newest control session under this reference at each station."""
        newest: dict[str, tuple[int, ShelvedSession]] = {}
        async for name, value in self._values(*of_patron(self._wanted.name)):
            session = read_session_value(value)
            newest[session.station] = (int(name.rpartition("/")[2]), session)
        return FromShelf(sessions=dict(sorted(newest.values(), key=lambda one: one[0])))

    async def _find_won(self) -> FromShelf:
        return await self._with_sessions(tuple(await self._coups_of_patron()))

    async def _find_ticket(self) -> FromShelf:
        ticket = self._wanted.name
        value = await self._value(ticket_name(ticket))
        return FromShelf(tickets={} if value is None else {ticket: read_ticket_value(value)})

    async def _find_slip(self) -> FromShelf:
        slip = self._wanted.name
        return FromShelf(slips=() if await self._value(slip_name(slip)) is None else (slip,))

    async def _find_sitting(self) -> FromShelf:
        return FromShelf(sittings=await self._sittings({self._wanted.name}))

    async def _find_buy_ins(self) -> FromShelf:
        """The buy-ins of an amount, those of the newest sessions that come into question (G-190)."""
        wanted, found = self._wanted, list[ShelvedBuyIn]()
        async for _, value in self._values(*at_station(wanted.name)):
            one = read_buy_in_value(value)
            if _is_meant(wanted, one.tendered):
                found.append(one)
        controls = list(dict.fromkeys(one.tendered.control for one in reversed(found)))[:MOST_NAMED]
        sessions = {control: await self._session(control) for control in controls}
        return FromShelf(
            buy_ins={one.number: one.tendered for one in found if one.tendered.control in controls},
            sessions={control: one for control, one in sessions.items() if one is not None},
        )

    _FIND: ClassVar[dict[WantedKind, Callable[["_Shelf"], Awaitable[FromShelf]]]] = {
        "coup": _find_coup,
        "session": _find_session,
        "patron": _find_patron,
        "won": _find_won,
        "ticket": _find_ticket,
        "buy_ins": _find_buy_ins,
        "slip": _find_slip,
        "sitting": _find_sitting,
    }

    async def _value(self, name: str) -> bytes | None:
        kept = self._unshelved.get(name) or await self._journal.derived(self._stream, name)
        return None if kept is None else unpacked(kept.value)

    async def _must(self, name: str) -> bytes:
        value = await self._value(name)
        if value is None:
            raise Missing(name)
        return value

    async def _values(self, first: str, last: str) -> AsyncIterator[tuple[str, bytes]]:
        """By name, in order; what is not on the shelf yet comes instead of what is."""
        waiting = shelved_names(self._unshelved, first, last)
        async for page in self._journal.derived_between(self._stream, first, last):
            for kept in page:
                while waiting and waiting[0] < kept.name:
                    yield waiting[0], unpacked(self._unshelved[waiting.pop(0)].value)
                if waiting and waiting[0] == kept.name:
                    waiting.pop(0)
                newer = self._unshelved.get(kept.name)
                yield kept.name, unpacked(kept.value if newer is None else newer.value)
        for name in waiting:
            yield name, unpacked(self._unshelved[name].value)

    async def _session(self, control: int) -> ShelvedSession | None:
        value = None if control in self._state.sessions else await self._value(session_name(control))
        return None if value is None else read_session_value(value)

    async def _with_sessions(self, coups: tuple[ShelvedCoup, ...]) -> FromShelf:
        """The coups, the control sessions that they name and the sessions of tournaments that they belong to."""
        controls = dict.fromkeys(control for coup in coups for control in coup.controls.values())
        sessions = {control: await self._session(control) for control in controls}
        return FromShelf(
            coups=coups,
            sessions={control: one for control, one in sessions.items() if one is not None},
            sittings=await self._sittings({coup.session for coup in coups}),
        )

    async def _sittings(self, names: set[str]) -> dict[str, KeptSession]:
        found = {}
        for name in sorted(names - {""} - self._state.kept_sessions.keys()):
            value = await self._value(sitting_name(name))
            if value is not None:
                found[name] = read_sitting_value(value)
        return found

    async def _coups_of_patron(self) -> list[ShelvedCoup]:
        """The coups since a time in which the patron had wagers, in order."""
        wanted, found, until = self._wanted, list[ShelvedCoup](), self._state.fallen.coup
        known: dict[int, bool] = {wanted.number: bool(wanted.number)}
        while until > 0 and len(found) < MOST_COUPS_WON:
            first = max(1, until - COUPS_AT_ONCE + 1)
            values = [value async for _, value in self._values(coup_name(first), coup_name(until)) if value]
            coups = [read_coup_value(value) for value in values]
            for coup in reversed(coups):
                if coup.at_ms >= wanted.since_ms and await self._had_wagers(coup, known):
                    found.append(coup)
            if coups and coups[0].at_ms < wanted.since_ms:
                break
            until = first - 1
        return found[:MOST_COUPS_WON][::-1]

    async def _had_wagers(self, coup: ShelvedCoup, known: dict[int, bool]) -> bool:
        for control in coup.controls.values():
            if control not in known:
                session = self._state.sessions.get(control) or await self._session(control)
                patron = self._wanted.name
                known[control] = session is not None and bool(patron) and session.patron == patron
        return any(known[control] for control in coup.controls.values())


def _is_meant(wanted: Wanted, one: Tendered) -> bool:
    same = one.cents == wanted.cents and wanted.tender in ("", one.tender)
    return same and wanted.number in (0, one.control)
