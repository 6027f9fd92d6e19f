"""The shelf of the house: tickets and slips that were put away, by number, beside the records of the house.

Every value follows from the records, so it can be written again at will. A process puts on the shelf what was put away
before it keeps a snapshot. What is not on it yet is in the memory of every process that has read the records since.
"""

from collections.abc import Iterator, Mapping
from urllib.parse import quote

import msgspec

from sabot.floor.records.record_codec import HOUSE, read_answer, read_house_events
from sabot.floor.records.shelf import packed, unpacked
from sabot.floor.records.shelf_reading import KEPT_AT_ONCE, put_on_shelf
from sabot.house.acts import RecallPapers
from sabot.house.events import HouseEvent, PapersPutAway, PapersRecalled
from sabot.house.evolve import evolve
from sabot.house.filed_book import Sought
from sabot.house.state import HouseSlip, HouseState, RegisteredTicket
from sabot.journal.journal import Damaged, Derived, Journal

PAPERS = "papers1/"
"""How the names of these values begin: with the number of their form."""
PAPERS_TO = f"{PAPERS}to"
"""The name of an empty value whose version says up to which record everything that was put away is on the shelf."""


def paper_name(kind: str, number: str) -> str:
    return f"{PAPERS}{kind}/{quote(number, safe='')}"


def papers_put_away(state: HouseState, event: HouseEvent) -> Iterator[tuple[str, bytes]]:
    """What an event puts away, by name, in the form of the shelf; `state` is the one before it."""
    if isinstance(event, PapersPutAway):
        for number, ticket in state.tickets.ended_by(event.until_day).items():
            yield paper_name("ticket", number), _write(ticket)
        for number, slip in state.slips.ended_by(event.until_day).items():
            yield paper_name("slip", number), _write(slip)


def evolve_and_put_away(
    state: HouseState, events: tuple[HouseEvent, ...], version: int, away: dict[str, Derived]
) -> HouseState:
    """The state after the events of a record; what they put away is added to `away`."""
    for event in events:
        for name, value in papers_put_away(state, event):
            away[name] = Derived(HOUSE, name, version, packed(value))
        state = evolve(state, event)
    return state


async def look_for_paper(
    journal: Journal, version: int, sought: Sought, unshelved: Mapping[str, Derived]
) -> RecallPapers | None:
    """What brings back a paper that was put away up to this record, or nothing where there is none."""
    name = paper_name(sought.kind, sought.number)
    try:
        found = await _value(journal, name, unshelved)
        missing = found is None and sought.is_sure
    except Damaged:
        missing = True
    if missing:
        await derive_papers_again(journal, version)
        found = await _value(journal, name, unshelved)
    return None if found is None else recalling(sought, found)


def recalling(sought: Sought, found: Derived) -> RecallPapers:
    if sought.kind == "ticket":
        return RecallPapers(tickets={sought.number: _read_ticket(unpacked(found.value))})
    return RecallPapers(slips={sought.number: _read_slip(unpacked(found.value))})


async def _value(journal: Journal, name: str, unshelved: Mapping[str, Derived]) -> Derived | None:
    if name in unshelved:
        return unshelved[name]
    async for page in journal.derived_between(HOUSE, name, name):
        return page[0]
    return None


async def derive_papers_again(journal: Journal, version: int) -> None:
    """Put on the shelf everything that was put away up to this record."""
    state, away = HouseState(), dict[str, Derived]()
    async for record in journal.read(HOUSE, 0, version):
        state = evolve_and_put_away(state, read_house_events(read_answer(record)), record.version, away)
        if len(away) >= KEPT_AT_ONCE:
            await put_on_shelf(journal, away)
            away.clear()
    await keep_papers(journal, version, away)


async def keep_papers(journal: Journal, version: int, away: Mapping[str, Derived]) -> None:
    await put_on_shelf(journal, {**away, PAPERS_TO: Derived(HOUSE, PAPERS_TO, version, b"")})


def papers_recalled(event: PapersRecalled) -> Iterator[tuple[str, bytes]]:
    """What was recalled, by name, as it must have been on the shelf."""
    yield from ((paper_name("ticket", number), _write(one)) for number, one in event.tickets.items())
    yield from ((paper_name("slip", number), _write(one)) for number, one in event.slips.items())


_write = msgspec.json.Encoder().encode
_read_ticket = msgspec.json.Decoder(RegisteredTicket).decode
_read_slip = msgspec.json.Decoder(HouseSlip).decode
