"""`sabot staff codes`: a sheet of one-time codes, each for one device of a table as the table's file declares it."""

import asyncio
import html
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter
from cyclopts.validators import Number as NumberBounds

from sabot.basics.mistake import Mistake
from sabot.basics.role import Role, in_words
from sabot.cli.arguments import Flag, Json, Number
from sabot.cli.sentences import in_one_sentence
from sabot.cli.staff.pins import check_pins, opened_vault, read_pin
from sabot.cli.terminal import console, print_json
from sabot.cli.terminal import table as columns
from sabot.floor.records.recovery import recover_house
from sabot.house.acts import Enrol
from sabot.house.decide import RULES
from sabot.house.state import DeviceKind, HouseState
from sabot.journal.opening import open_to_read, path_of
from sabot.table.configuration import Configuration
from sabot.web.identity.enrolments import Invitation, keep_invitation
from sabot.web.identity.places import WITH_PAGES, DevicePlace, places_of
from sabot.web.identity.qr import qr_picture
from sabot.web.identity.sessions import MINUTES, digest_of
from sabot.web.serving.floor_file import Floor, address_of, read_floor_file
from sabot.web.serving.process import system_ms

HOUR_MS = 60 * MINUTES


class DeviceCode(msgspec.Struct, frozen=True):
    place: DevicePlace
    code: str
    link: str

    @property
    def in_groups(self) -> str:
        return " ".join(self.code[at : at + 4] for at in range(0, len(self.code), 4))


def codes(
    floor: Path,
    /,
    *,
    by: str = "",
    second: str = "",
    table: Annotated[tuple[str, ...], Parameter(name="--table", negative="", show_default=False)] = (),
    kind: Annotated[tuple[DeviceKind, ...], Parameter(name="--kind", negative="", show_default=False)] = (),
    hours: Annotated[Number, Parameter(validator=NumberBounds(gte=1, lte=72))] = 12,
    output: Annotated[Path | None, Parameter(name=("--output", "-o"))] = None,
    withdraw: Flag = False,
    json: Json = False,
) -> int:
    """Make a code for every device that the tables' files declare and that is not enrolled yet, and print them.

        sabot staff codes floor/sabot.toml --by TE1 --second CS1 -o codes.html

        sabot staff codes floor/sabot.toml --by TE1 --second CS1 --table T1

        sabot staff codes floor/sabot.toml --withdraw

    Two persons type their PINs once. A code says which device it is: open /enrol of the floor there and type it, or
    have a camera read the QR code on the sheet. Name, station and approval are those of the table's file. Each code is
    good for one device and some hours. The enrolment is on record in the names of the two. The floor may run meanwhile.

    Parameters
    ----------
    floor
        The floor's file.
    by
        The Technician or Casino Supervisor who enrols the devices.
    second
        The supervisor who approves them.
    table
        Only the devices of this table; may be given several times.
    kind
        station, console, display, note_acceptor or printer; the first three unless given.
    hours
        How long the codes are good.
    output
        Write a sheet to print, in HTML, to this file, which only you can read. Otherwise the codes are printed here.
    withdraw
        Make no codes, and let those that were not used yet no longer count.
    """
    if withdraw:
        gone = asyncio.run(_withdraw(floor))
        console().print(f"{gone} codes were withdrawn" if gone != 1 else "1 code was withdrawn")
        return 0
    if not by or not second:
        raise Mistake("name the two persons who enrol: --by and --second")
    wanted = read_floor_file(floor)
    tables = _chosen(wanted, table)
    with in_one_sentence():
        house = asyncio.run(_house(wanted))
    _check_persons(by, second, house, tables)
    places = [one for made in tables for one in places_of(made, kind or WITH_PAGES) if not _is_enrolled(house, one)]
    if not places:
        raise Mistake(_why_none(tables, kind))
    _check_output(output)
    pins = {person: read_pin(f"PIN of {person}: ") for person in (by, second)}
    made = asyncio.run(_make(floor, wanted, places, pins, hours * HOUR_MS))
    try:
        return _tell(wanted, made, hours, output, json=json)
    except BaseException:  # Nobody has seen these codes, so none of them shall count.
        asyncio.run(_take_back(floor, made))
        raise


def _why_none(tables: list[Configuration], kinds: tuple[DeviceKind, ...]) -> str:
    if any(True for one in tables for _ in places_of(one, kinds or WITH_PAGES)):
        return "every device of these tables is enrolled; revoke one to enrol it anew"
    named = " or ".join(kind.replace("_", " ") for kind in kinds)
    return f"the tables' files declare no {named}; `sabot staff invite` invites one device by its name"


def _check_output(output: Path | None) -> None:
    """Before anybody types a PIN."""
    try:
        if output is not None and output.exists():
            raise Mistake(f"{output} is there already; name a new file, or delete it")
        if output is not None and not output.parent.is_dir():
            raise Mistake(f"{output} cannot be written: there is no folder {output.parent}")
    except OSError as error:
        raise Mistake(f"{output} cannot be written: {error.strerror}") from None


def _chosen(wanted: Floor, names: Iterable[str]) -> list[Configuration]:
    tables = {one.configuration.table: one.configuration for one in wanted.tables}
    for name in names:
        if name not in tables:
            raise Mistake(f"there is no table {name!r} on this floor; its tables: {', '.join(tables)}")
    return [tables[name] for name in names] or list(tables.values())


async def _house(wanted: Floor) -> HouseState:
    """As its records give it; nobody is on a list of a floor that was never served."""
    part = wanted.file.journal
    path = path_of(part.place)
    if path is not None and not path.exists():
        return HouseState()
    journal = await open_to_read(address_of(part))
    try:
        return (await recover_house(journal)).state
    finally:
        await journal.close()


def _check_persons(by: str, second: str, house: HouseState, tables: Iterable[Configuration]) -> None:
    """The same is checked when a code is used; here it saves a sheet of codes that nobody could use."""
    rule = RULES[Enrol]
    if by == second:
        raise Mistake(f"{by} cannot approve what {by} does")
    for person, may in ((by, rule.who), (second, rule.second)):
        listed = house.staff.get(person)
        roles: set[Role] = set(listed or ())
        if listed is None:
            roles = {role for one in tables for role in one.staff.get(person, ())}
        if not may & roles:
            raise Mistake(f"{person} is no {in_words(may)} on the house's staff list")


def _is_enrolled(house: HouseState, place: DevicePlace) -> bool:
    known = house.devices.get(place.device)
    at = house.devices.at_station(place.kind, place.table, place.station) if place.station else None
    return at is not None or (known is not None and not known.revoked)


async def _make(
    floor: Path, wanted: Floor, places: list[DevicePlace], pins: dict[str, str], lasts_ms: int
) -> list[DeviceCode]:
    by, second = pins
    file = wanted.file
    address = file.address or file.listen.origins(tls=bool(file.listen.certificate or file.listen.trial_folder))[0]
    made = []
    async with await opened_vault(str(floor), must_exist=True) as vault:
        await check_pins(vault, pins)
        for place in places:
            said = {**msgspec.structs.asdict(place), "station": place.station or None}
            words = Invitation(by=by, second=second, **said)
            code = await keep_invitation(vault, words, system_ms() + lasts_ms)
            made.append(DeviceCode(place, code, f"{address}/enrol#code={code}"))
    return made


async def _withdraw(floor: Path) -> int:
    async with await opened_vault(str(floor), must_exist=True) as vault:
        return await vault.withdraw_invitations()


async def _take_back(floor: Path, made: list[DeviceCode]) -> None:
    async with await opened_vault(str(floor)) as vault:
        for one in made:
            await vault.take_invitation(digest_of(one.code), system_ms())


def _tell(wanted: Floor, made: list[DeviceCode], hours: int, output: Path | None, *, json: bool) -> int:
    if output is not None:
        _write(output, sheet(wanted.file.floor, made, hours))
    if json:
        print_json([{**msgspec.structs.asdict(one.place), "code": one.code, "link": one.link} for one in made])
    elif output is not None:
        console().print(
            f"{len(made)} codes are in {output}, good for {hours} hours; print it and destroy it afterwards"
        )
    else:
        shown = columns("table", "device", "kind", "code")
        for one in made:
            shown.add_row(one.place.table, one.place.device, one.place.kind.replace("_", " "), one.in_groups)
        console().print(shown)
    return 0


def _write(output: Path, text: str) -> None:
    try:
        with os.fdopen(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        if not isinstance(error, FileExistsError):
            output.unlink(missing_ok=True)
        raise Mistake(f"{output} cannot be written: {error.strerror}") from None


def sheet(floor: str, made: list[DeviceCode], hours: int) -> str:
    """A page to print, a card for each device; it loads nothing from anywhere."""
    cards = "".join(map(_card, made))
    title = html.escape(f"{floor}: enrolment codes")
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
        f"<h1>{title}</h1><p>Each code enrols one device, once, within {hours} hours. On the device open"
        f" <b>{html.escape(made[0].link.partition('#')[0])}</b> and type the code, or let its camera read the picture."
        f" Destroy this sheet afterwards.</p><main>{cards}</main></html>\n"
    )


def _card(one: DeviceCode) -> str:
    picture, place = qr_picture(one.link), one.place
    where = f"{place.table} · {place.station or place.kind.value}"
    what = place.kind.replace("_", " ") + (", remote" if place.remote else "")
    return (
        f'<section><svg viewBox="0 0 {picture.size} {picture.size}"><path d="{picture.path}"/></svg>'
        f"<div><h2>{html.escape(where)}</h2><code>{one.in_groups}</code>"
        f"<p>{html.escape(f'{place.device}, {what}')}<br>approval {html.escape(place.approval)}</p></div></section>"
    )


_STYLE = (
    "body{font:11pt sans-serif;margin:12mm}main{margin-top:5mm;display:grid;grid-template-columns:1fr 1fr;gap:4mm}"
    "section{display:flex;gap:4mm;border:1px solid #999;padding:3mm;break-inside:avoid}"
    "svg{width:30mm;height:30mm;flex:none;shape-rendering:crispEdges}h1{font-size:16pt}h2{margin:0 0 2mm}"
    "code{font-size:12pt;font-weight:bold;white-space:nowrap}p{margin:2mm 0 0}"
)
