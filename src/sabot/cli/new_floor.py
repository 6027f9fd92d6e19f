"""A new floor in an empty folder, for `sabot serve --init`: its file, tables, keys, anchor and the first two PINs.

The files are the examples of `deploy/` with the values of this floor put in, so that every key stands there with what
it means. Nothing is asked: what has a default gets it, and the floor's file says where to change it.
"""

import asyncio
import os
import re
import secrets
import shlex
import shutil
from collections.abc import Mapping
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import msgspec

from sabot.basics.mistake import Mistake
from sabot.cli.checkout import command_name, deploy_folder
from sabot.cli.ports import USUAL
from sabot.cli.sentences import in_one_sentence
from sabot.cli.terminal import console, print_json
from sabot.cli.terminal import table as columns
from sabot.runtime.draw_key import DrawKey
from sabot.runtime.shoe_files import ShoeKey
from sabot.web.identity.pin import PinHasher, new_pin
from sabot.web.identity.sessions import set_pin
from sabot.web.serving.findings import FIRST_PINS, TRIAL
from sabot.web.serving.floor_file import Floor, read_floor_file
from sabot.web.serving.logs import set_up_logs
from sabot.web.serving.process import open_vault, system_ms
from sabot.web.serving.server import bound
from sabot.web.serving.signed_journal import open_signed
from sabot.web.serving.toml_text import toml_text

FILE, TOKEN, TLS = "sabot.toml", "monitoring.token", "tls"
FIRST_PERSONS = ("CS1", "TE1")
"""A Casino Supervisor and a Technician: the two who enrol devices. Others get a PIN by `sabot staff set-pin`."""
OWNER_ONLY = 0o600


class NewFloor(msgspec.Struct, frozen=True, kw_only=True):
    """What can be said about a new floor; everything has a default."""

    floor: str
    casino: str
    name: str
    """By which devices reach this machine; empty for this machine alone."""
    port: int
    tables: int
    stations: int


def init_floor(folder: Path, wanted: NewFloor, *, json: bool) -> int:
    made = _made_in(folder, wanted)
    next_command = f"{command_name()} serve --config {shlex.quote(str(made))}"
    if json:
        print_json({"config": str(made), "pins": str(made.parent / FIRST_PINS), "next": next_command})
        return 0
    out = console()
    out.print(f"{wanted.floor} is made in {folder}", style="bold", soft_wrap=True)
    shown = columns("file", "what it is")
    for name, what in _contents(wanted):
        shown.add_row(name, what)
    out.print(shown)
    if wanted.port != USUAL:
        out.print(f"\nIt listens on port {wanted.port}; {FILE} says so.", soft_wrap=True)
    out.print(
        "\nServe it with this command; the handbook for operators (`sabot docs`) goes on from there:", soft_wrap=True
    )
    out.print(next_command, style="bold", soft_wrap=True)
    return 0


def _contents(wanted: NewFloor) -> list[tuple[str, str]]:
    tables = "tables/T1.toml" if wanted.tables == 1 else f"tables/T1.toml to T{wanted.tables}.toml"
    return [
        (FILE, "the floor's file, with every key and what it means"),
        (
            tables,
            f"{wanted.stations} stations{' each' * (wanted.tables > 1)}; "
            f"the approvals say {TRIAL!r} until you write yours",
        ),
        (FIRST_PINS, f"the PINs of {' and '.join(FIRST_PERSONS)}: give each their own, then delete the file"),
        ("signing.key", "signs every record: keep a copy on another machine"),
        ("signing.key.ring", "for the auditors"),
        ("floor.anchor", "shows when the last records are lost: better on another disk"),
        ("floor.key, draws.key", "of virtual shoes and of tournaments' draws"),
        ("floor.journal, floor.vault", "the records, and the secrets; both are empty but for the PINs"),
        (TOKEN, "for the monitoring system"),
    ]


def _made_in(folder: Path, wanted: NewFloor) -> Path:
    """The floor's file, once everything is there. Where something fails the folder is left as it was."""
    was_there = _check_empty(folder)
    mode = folder.stat().st_mode & 0o7777 if was_there else 0
    before = os.umask(0o077)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
        path = _write_files(folder.resolve(), wanted)
        floor = read_floor_file(path)
        set_up_logs("error", "auto")
        bound(floor.file.listen)[1].close()
        floor.file.listen.tls()
        with in_one_sentence():
            asyncio.run(_make_secrets(floor, folder))
    except BaseException as failed:
        _empty(folder, keep=was_there)
        if was_there:
            with suppress(OSError):
                folder.chmod(mode)
        if isinstance(failed, OSError):
            raise Mistake(f"the floor cannot be made in {folder}: {failed.strerror or failed}") from None
        raise
    finally:
        os.umask(before)
    return path


def _check_empty(folder: Path) -> bool:
    """Whether the folder is there already. One that holds anything is refused."""
    try:
        if any(folder.iterdir()):
            raise Mistake(f"{folder} is not empty: a new floor is made in a new or empty folder")
    except FileNotFoundError:
        return False
    except OSError as error:
        raise Mistake(f"{folder} cannot be used: {error.strerror}") from None
    return True


def _empty(folder: Path, *, keep: bool) -> None:
    for one in folder.iterdir() if folder.is_dir() else ():
        shutil.rmtree(one) if one.is_dir() else one.unlink()
    if not keep:
        shutil.rmtree(folder, ignore_errors=True)


def _write_files(folder: Path, wanted: NewFloor) -> Path:
    examples = deploy_folder()
    values: dict[str, Any] = {
        "floor": wanted.floor,
        "casino": wanted.casino,
        "listen.port": wanted.port,
        "monitoring.token_file": TOKEN,
    }
    if wanted.name:
        values |= {"listen.host": "0.0.0.0", "listen.names": [wanted.name], "listen.trial_folder": TLS}  # noqa: S104
    names = [f"T{number}" for number in range(1, wanted.tables + 1)]
    text = put_in((examples / FILE).read_text(encoding="utf-8"), values)
    first, *others = [f'file = "tables/{name}.toml"' for name in names]
    text = text.replace('file = "tables/T1.toml"', first, 1) + "".join(f"\n[[tables]]\n{one}\n" for one in others)
    _write(folder / FILE, text)
    (folder / "tables").mkdir(mode=0o700)
    example = (examples / "tables" / "T1.toml").read_text(encoding="utf-8")
    for name in names:
        _write(folder / "tables" / f"{name}.toml", _table(example, name, wanted))
    _write(folder / TOKEN, secrets.token_urlsafe(32) + "\n")
    return folder / FILE


def _table(example: str, name: str, wanted: NewFloor) -> str:
    stations = "".join(f'A{n} = {{ approval = "{TRIAL}" }}\n' for n in range(1, wanted.stations + 1))
    values = {"table": name, "operator": wanted.casino or wanted.floor}
    values |= {"console.approval": TRIAL, "display.approval": TRIAL}
    return re.sub(r"(?<=\[stations\]\n)(?:.+\n)+", lambda _: stations, put_in(example, values))


def put_in(example: str, values: Mapping[str, Any]) -> str:
    """An example with other values at some keys, named with their part: `listen.port`. Comments stay where they are."""
    part, lines, left = "", [], dict(values)
    for line in example.splitlines(keepends=True):
        if found := re.match(r"\[+([\w.]+)\]+", line):
            part = found[1] + "."
        key = re.match(r"(\w+) = ", line)
        if key and (name := part + key[1]) in left:
            comment = re.search(r"\s+# .*$", line)
            written = toml_text({key[1]: left.pop(name)}).replace('"', "", 2).rstrip("\n")
            line = written + (comment[0] if comment else "") + "\n"  # noqa: PLW2901
        lines.append(line)
    assert not left, f"the example has no key {', '.join(left)}"
    return "".join(lines)


def _write(path: Path, text: str) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY), "w", encoding="utf-8") as file:
        file.write(text)


async def _make_secrets(floor: Floor, folder: Path) -> None:
    """Keys, an empty journal with its anchor, and a vault with the PINs of the first two."""
    ShoeKey(Path(floor.file.shoes.key)).make()
    DrawKey(Path(floor.file.tournaments.draws_key))
    async with AsyncExitStack() as closing:
        await open_signed(floor, floor.file.floor, system_ms, closing)
    pins = {person: new_pin() for person in FIRST_PERSONS}
    async with await open_vault(floor, alone=True) as vault:
        for person, pin in pins.items():
            await set_pin(vault, PinHasher(), person, pin)
    _write(folder / FIRST_PINS, "".join(f"{person} {pin}\n" for person, pin in pins.items()))
