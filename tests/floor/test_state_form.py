"""The number of the form of states is held against what it stands for: the types of states, and what records come to.

`tests/data/state_form.txt` has both, for the number in its first line. A program of the same number starts from a state
that another build has kept; it must read it as that build meant it, and must come to the same state by the records.
After a change of either, raise `STATE_FORM` and run `SABOT_WRITE_GOLDEN=1 ./test tests/floor/test_state_form.py`.
"""

import asyncio
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec
import pytest

from sabot.basics.growing_list import GrowingList
from sabot.basics.persistent_map import PersistentMap
from sabot.floor.records import openings, recovery
from sabot.floor.records.record_codec import HOUSE, table_of, tournament_of
from sabot.floor.records.state_form import STATE_FORM
from sabot.house import snapshot as house_snapshot
from sabot.house.filed_book import FiledBook
from sabot.house.state import DeviceBook, EnrolledDevice, HouseState
from sabot.journal.journal import ReadableJournal
from sabot.journal.opening import open_to_read
from sabot.table import snapshot as table_snapshot
from sabot.table.state import Unconfigured
from sabot.tournament import snapshot as tournament_snapshot
from sabot.tournament.state import TournamentState
from tests.audit.release_journals import releases, unpack

HELD = Path(__file__).resolve().parent.parent / "data" / "state_form.txt"
SHOWN: dict[Any, Any] = {DeviceBook: dict[str, EnrolledDevice]}
"""Collections of a state's own, as they are written."""
STATES = {
    "a table": table_snapshot.WrittenTable,
    "the house": HouseState,
    "a tournament": TournamentState,
    "what is kept beside a state": openings.StateMark,
}
NO_SNAPSHOT = "no snapshot"


def said(wanted: Any) -> str:
    """A type as it is written down: with its parameters, without its bounds."""
    origin, parts = get_origin(wanted), [said(one) for one in get_args(wanted)]
    if origin is Annotated:
        return parts[0]
    if origin in (Union, UnionType):
        return " | ".join(parts)
    name = "..." if wanted is ... else getattr(origin or wanted, "__name__", str(origin or wanted))
    return f"{name}[{', '.join(parts)}]" if parts else name


def within(wanted: Any) -> Iterator[type[msgspec.Struct]]:
    """The structs that a type is made of, itself included, each as often as it is named."""
    wanted = SHOWN.get(wanted, wanted)
    if isinstance(wanted, type) and issubclass(wanted, msgspec.Struct):
        yield wanted
    for part in get_args(wanted):
        yield from within(part)


def shape(root: Any) -> list[str]:
    """A line for each field of each struct in a state, with what stands where it is left out."""
    seen: dict[type[msgspec.Struct], list[str]] = {}
    waiting = list(within(root))
    while waiting:
        struct = waiting.pop()
        if struct in seen:
            continue
        config = struct.__struct_config__
        fields = msgspec.structs.fields(struct)
        head = f"{struct.__name__} {'list' if config.array_like else 'map'} {config.tag or ''}".rstrip()
        seen[struct] = [head, *(f"    {one.encode_name}: {said(one.type)}{default_of(one)}" for one in fields)]
        waiting += [part for one in fields for part in within(one.type)]
    return [line for struct in sorted(seen, key=lambda one: one.__name__) for line in seen[struct]]


def default_of(field: msgspec.structs.FieldInfo) -> str:
    if field.default is not msgspec.NODEFAULT:
        return f" = {field.default!r}"
    return "" if field.default_factory is msgspec.NODEFAULT else " = " + said(field.default_factory)


async def comes_to(journal: ReadableJournal, stream: str) -> bytes:
    """The state that the records of a stream come to, as bytes."""
    if stream == HOUSE:
        return house_snapshot.write_state((await recovery.recover_house(journal, NO_SNAPSHOT)).state)
    tournament = tournament_of(stream)
    if tournament is not None:
        found = await recovery.recover_tournament(journal, tournament, NO_SNAPSHOT)
        return tournament_snapshot.write_state(found.state)
    state = (await recovery.recover_table(journal, stream, NO_SNAPSHOT)).state
    return b"" if isinstance(state, Unconfigured) else table_snapshot.write_state(state)


async def states_in(place: Path) -> list[bytes]:
    journal = await open_to_read(str(place))
    try:
        streams = [one for one in await journal.streams() if one == HOUSE or tournament_of(one) or table_of(one)]
        return [await comes_to(journal, stream) for stream in sorted(streams)]
    finally:
        await journal.close()


def told(folder: Path) -> str:
    lines = [f"form {STATE_FORM}"]
    for release in releases():
        digest = hashlib.sha256()
        for place in unpack(release, folder / release):
            for written in asyncio.run(states_in(place)):
                digest.update(hashlib.sha256(written).digest())
        lines.append(f"the journals of {release} come to {digest.hexdigest()}")
    for name, root in STATES.items():
        lines += ["", f"# {name}", *shape(root)]
    return "\n".join(lines) + "\n"


def test_the_number_of_the_form_is_raised_when_a_state_changes(tmp_path: Path) -> None:
    now = told(tmp_path)
    held = HELD.read_text() if HELD.exists() else ""
    if os.environ.get("SABOT_WRITE_GOLDEN") and (now.splitlines()[0] != held.partition("\n")[0] or now == held):
        HELD.write_text(now)
        held = now
    assert now == held, "a state has changed: raise STATE_FORM, and write tests/data/state_form.txt anew"


@pytest.mark.parametrize("collection", [PersistentMap, FiledBook, GrowingList, tuple])
def test_what_a_collection_holds_is_part_of_the_form(collection: Any) -> None:
    assert list(within(collection[EnrolledDevice])) == [EnrolledDevice]


def test_another_field_is_another_shape() -> None:
    class One(msgspec.Struct):
        cents: int

    more = msgspec.defstruct("One", [("cents", int), ("held", bool, False)])
    assert shape(One) == ["One map", "    cents: int"]
    assert shape(more) == ["One map", "    cents: int", "    held: bool = False"]
