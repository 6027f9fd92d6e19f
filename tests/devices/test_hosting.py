"""`sabot device`: drivers are found, also those of others, run as a process of their own, and end when told to."""

import asyncio
import os
import signal
import zipfile
from asyncio.subprocess import PIPE, Process
from pathlib import Path

import msgspec

from sabot.client.key import DeviceKey
from sabot.devices.cctalk.simulated import SimulatedValidator
from sabot.devices.hosting import Installed
from sabot.devices.pseudo_terminal import PseudoTerminal
from sabot.devices.serial_port import PortUnusable, SerialPort
from tests.cli.sabot import SABOT, sabot
from tests.runtime.floors import table_for, until
from tests.served.floor_file import staffed_floor
from tests.served.open_table import OpenTable, open_table
from tests.served.process import free_port, serving
from tests.served.staff import PINS

FOREIGN = '''
"""A driver of another party: at its port is a slot that takes one note of fifty."""
from sabot.devices.kinds import DriverKind, Fitted
from sabot.house.state import DeviceKind
from sabot.table import acts

async def run(fitted: Fitted) -> None:
    async with fitted.connection as connection:
        await connection.ask(acts.Note(cents=int(fitted.options["cents"])))
        fitted.attention(f"one note of {fitted.port} is taken")
        await connection.until(lambda: False)

KIND = DriverKind(enrolled_as=DeviceKind.NOTE_ACCEPTOR, summary="A slot of others.", port="slot-1", run=run,
                  options={"cents": "the note"})
'''


def _install(folder: Path) -> Path:
    """What an installer does with a wheel of another party: it is unpacked where Python looks for packages."""
    wheel = folder / "foreign_slot-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        packed.writestr("foreign_slot.py", FOREIGN)
        packed.writestr(
            "foreign_slot-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: foreign-slot\nVersion: 1.0\n"
        )
        packed.writestr("foreign_slot-1.0.dist-info/entry_points.txt", "[sabot.devices]\nslot = foreign_slot:KIND\n")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder / "site")
    return folder / "site"


async def _run(*words: object, site: Path | None = None) -> Process:
    environment = {**os.environ, **({} if site is None else {"PYTHONPATH": str(site)})}
    return await asyncio.create_subprocess_exec(SABOT, *map(str, words), stdout=PIPE, stderr=PIPE, env=environment)


async def _installed(floor: OpenTable, folder: Path) -> Path:
    """A1's note acceptor, enrolled as the command leaves it."""
    identity = await floor.enrol("A1-notes", "note_acceptor", "A1")
    folder.mkdir()
    identity.key.write(folder / "device.key")
    (folder / "device.json").write_bytes(msgspec.json.encode(Installed(floor=floor.url, device="A1-notes")))
    return folder


async def _stop(process: Process) -> str:
    process.send_signal(signal.SIGTERM)
    _, said = await process.communicate()
    assert process.returncode == 0, said.decode()
    return said.decode()


def test_a_driver_of_another_party_is_installed_listed_and_run(tmp_path: Path) -> None:
    site = _install(tmp_path)

    async def play() -> None:
        listing = await _run("device", "list", "--json", site=site)
        listed, _ = await listing.communicate()
        kinds = {one["kind"]: one["package"] for one in msgspec.json.decode(listed)}
        assert kinds["slot"] == "foreign-slot"
        assert kinds["cctalk-notes"] == "sabot"
        async with open_table() as floor:
            folder = await _installed(floor, tmp_path / "A1-notes")
            options = ("--port", "slot-1", "--folder", folder, "--set", "cents=5000")
            process = await _run("device", "run", "slot", *options, site=site)
            await until(lambda: floor.balance("A1") == 5_000)
            assert "in touch" in await _stop(process)

    asyncio.run(play())


def test_the_command_drives_an_acceptor_at_a_port_and_stops_cleanly(tmp_path: Path) -> None:
    async def play() -> None:
        validator = SimulatedValidator()
        async with open_table() as floor:
            folder = await _installed(floor, tmp_path / "A1-notes")
            with PseudoTerminal(validator.hear) as terminal:
                process = await _run("device", "run", "cctalk-notes", "--port", terminal.path, "--folder", folder)
                await until(lambda: validator.insert(5_000))
                await until(lambda: validator.stacker == [5_000])
                assert floor.balance("A1") == 5_000
                await until(lambda: validator.takes_notes)
                await _stop(process)
                assert not (folder / "last-command").exists()
                wrong = await _run("device", "run", "typing-shoe", "--port", terminal.path, "--folder", folder)
                _, said = await wrong.communicate()
                sentence = "sabot: A1-notes is enrolled as a note acceptor, and this driver is for a shoe\n"
                assert (wrong.returncode, said.decode()) == (2, sentence)

    asyncio.run(play())


def test_a_device_is_enrolled_by_an_invitation_into_its_folder(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_table() as floor:
            code = await floor.invite("A1-notes", "note_acceptor", "A1", "T1", None)
            words = ("device", "enrol", floor.url, "cctalk-notes", "--folder", tmp_path / "A1", "--invitation")
            enrolling = await _run(*words, code)
            said, error = await enrolling.communicate()
            assert enrolling.returncode == 0, error
            assert b"A1-notes is enrolled" in said
            assert msgspec.json.decode((tmp_path / "A1" / "device.json").read_bytes())["device"] == "A1-notes"
            again = await _run(*words, code)
            _, error = await again.communicate()
            assert (again.returncode, b"has an enrolled device already" in error) == (2, True)

    asyncio.run(play())


def test_a_driver_waits_for_a_floor_that_is_not_up_says_so_and_goes_on_when_it_comes(tmp_path: Path) -> None:
    config, folder = (
        staffed_floor(tmp_path, table_for(), dealer="live", listen={"port": free_port()}),
        tmp_path / "A1-cards",
    )
    place = ("--kind", "card-reader", "--table", "T1", "--station", "A1", "--approval", "7")
    two = ("--by", "TE1", "--second", "CS1")
    invited = sabot(
        *("staff", "invite", "A1-cards", "--store", str(config), *place, *two), given=f"{PINS['TE1']}\n{PINS['CS1']}\n"
    )
    with serving(config) as process:
        code = ("--folder", str(folder), "--invitation", invited.out.strip())
        assert sabot("device", "enrol", process.url, "typing-cards", *code).code == 0
        process.stop()

    async def play() -> None:
        with PseudoTerminal(lambda _: b"") as terminal:
            driver = await _run("device", "run", "typing-cards", "--port", terminal.path, "--folder", folder)
            assert driver.stderr is not None
            said = await driver.stderr.readline()
            assert b"does not answer: the driver waits for it" in said
            with serving(config):
                while b"in touch" not in said:
                    said = await driver.stderr.readline()
                    assert said, "the driver ended"
            await _stop(driver)

    asyncio.run(play())


def test_wrong_input_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "device.json").write_bytes(msgspec.json.encode(Installed(floor="http://127.0.0.1:9", device="A1")))
    DeviceKey.make().write(tmp_path / "device.key")
    folder = ("--folder", str(tmp_path))
    unknown = sabot("device", "run", "abacus", "--port", "x", *folder)
    assert (unknown.code, "there is no driver abacus; there are" in unknown.error) == (2, True)
    missing = sabot("device", "run", "cctalk-notes", "--port", str(tmp_path / "ttyUSB9"), *folder)
    assert (missing.code, "there is no port" in missing.error) == (2, True)
    strange = sabot("device", "run", "cctalk-notes", "--port", "x", *folder, "--set", "speed=9600")
    assert (strange.code, "has no option speed; it has check, address" in strange.error) == (2, True)
    bare = sabot("device", "run", "cctalk-notes", "--port", "x", "--folder", str(tmp_path / "none"))
    assert (bare.code, "enrol it with sabot device enrol" in bare.error) == (2, True)
    (tmp_path / "plain file").touch()
    plain = sabot("device", "run", "escpos-printer", "--port", str(tmp_path / "plain file"), *folder)
    assert (plain.code, "is no serial port" in plain.error) == (2, True)
    for ran in (unknown, missing, strange, bare, plain):
        assert "Traceback" not in ran.error


def test_a_port_that_this_user_may_not_use_is_said_with_what_helps() -> None:
    """Root may use every port, so it becomes nobody first, in a process of its own."""

    async def try_to_open(path: str) -> str:
        try:
            SerialPort(path)
        except PortUnusable as error:
            return str(error)
        return "it was opened"

    master, slave = os.openpty()
    path = os.ttyname(slave)
    os.fchmod(slave, 0)
    taken, giving = os.pipe()
    child = os.fork()
    if child == 0:
        if os.geteuid() == 0:
            os.setuid(65534)
        os.write(giving, asyncio.run(try_to_open(path)).encode())
        os._exit(0)
    os.waitpid(child, 0)
    said = os.read(taken, 1_000).decode()
    for descriptor in (master, slave, taken, giving):
        os.close(descriptor)
    assert "may not be used by this user: add the user to the group" in said
