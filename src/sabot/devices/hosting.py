"""Hosts a driver: enrols its device, keeps it running, and starts it again when it ends.

A device's folder has its key, its name and floor, and what its driver must find again after a loss of power.
"""

import asyncio
import ssl
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import structlog

from sabot.basics.mistake import Mistake
from sabot.client.addresses import socket_url
from sabot.client.connection import Connection, Identity, Settings, trusting
from sabot.client.desk import AskedToEnrol, Desk
from sabot.client.key import BadDeviceKey, DeviceKey
from sabot.client.memory import FileMemory, replace_durably
from sabot.client.outcome import DeviceTurnedAway, Replaced
from sabot.devices.kinds import DriverKind, Fitted
from sabot.devices.serial_port import PortUnusable

log = structlog.get_logger(__name__)
AGAIN_S = 2.0
"""How long a driver that has failed waits before it is started again."""
ANSWERS_S = 5.0
"""How long a floor may take to answer before the log says that the driver waits for it."""
TURNED_AWAY_S = 30.0
"""The same where the floor does not let the device in: it slows down an address that tries too often."""


class Installed(msgspec.Struct, frozen=True, kw_only=True):
    """What a device's folder says of it."""

    floor: str
    device: str
    certificate: str = ""
    """The file of the floor's own certificate, where the system does not trust it."""


def read_installed(folder: Path) -> tuple[Installed, DeviceKey]:
    try:
        installed = msgspec.json.decode((folder / "device.json").read_bytes(), type=Installed)
        return installed, DeviceKey.read(folder / "device.key")
    except FileNotFoundError:
        raise Mistake(f"{folder} has no enrolled device: enrol it with sabot device enrol") from None
    except (OSError, msgspec.MsgspecError, BadDeviceKey) as error:
        raise Mistake(f"{folder} cannot be read: {error}") from None


async def enrol(
    floor: str,
    kind: DriverKind,
    folder: Path,
    *,
    invitation: str = "",
    certificate: str = "",
    show: Callable[[AskedToEnrol], None] = lambda _: None,
) -> Installed:
    """Make the device's key and have it enrolled: at once by an invitation, or when two persons have read its code."""
    if (folder / "device.json").exists():
        raise Mistake(f"{folder} has an enrolled device already; give another folder")
    try:
        socket_url(floor)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not (folder / "device.key").exists():
            DeviceKey.make().write(folder / "device.key")
        key = DeviceKey.read(folder / "device.key")
        desk = Desk(floor, _tls(certificate))
        if invitation:
            name = (await desk.accept(invitation, key)).device
        else:
            asked = await desk.ask_to_enrol(kind.enrolled_as, key)
            show(asked)
            name = await desk.until_enrolled(asked.id)
    except (OSError, ValueError, BadDeviceKey) as error:
        raise Mistake(f"the device could not be enrolled: {error}") from None
    if not name:
        raise Mistake("the floor's staff turned the device away")
    installed = Installed(floor=floor, device=name, certificate=certificate)
    replace_durably(folder / "device.json", msgspec.json.encode(installed))
    return installed


def _tls(certificate: str) -> ssl.SSLContext | None:
    return trusting(certificate) if certificate else None


class DriverHost:
    """Runs one driver until it is cancelled. A port that cannot be opened at the start is a mistake of the caller."""

    def __init__(self, kind: DriverKind, port: str, folder: Path, options: Mapping[str, str]) -> None:
        self._kind, self._port, self._folder, self._options = kind, port, folder, options
        self._installed, self._key = read_installed(folder)
        self._has_run = False

    def attention(self, sentence: str) -> None:
        log.warning(sentence, device=self._installed.device, attention=True)

    async def run(self) -> None:
        while True:
            wait_s = AGAIN_S
            try:
                await self._run_once()
            except PortUnusable as error:
                if not self._has_run:
                    raise Mistake(str(error)) from None
                self.attention(f"the driver waits for its port: {error}")
            except Replaced:
                raise Mistake(f"another program drives {self._installed.device}; this one ends") from None
            except DeviceTurnedAway as error:
                self.attention(f"the floor does not let {self._installed.device} in: {error}")
                wait_s = TURNED_AWAY_S
            except OSError as error:
                self.attention(f"the driver failed and is started again: {error}")
            await asyncio.sleep(wait_s)

    async def _run_once(self) -> None:
        installed = self._installed
        settings = Settings(
            feed="events",
            memory=FileMemory(self._folder / "last-command"),
            tls=_tls(installed.certificate),
            open_within_s=None,
        )
        connection = Connection(installed.floor, Identity(installed.device, self._key), settings)
        fitted = Fitted(
            port=self._port,
            connection=connection,
            folder=self._folder,
            attention=self.attention,
            options=self._options,
        )
        driving, telling = asyncio.create_task(self._kind.run(fitted)), asyncio.create_task(self._tell_of(connection))
        try:
            ended, _ = await asyncio.wait((driving, telling), return_when=asyncio.FIRST_COMPLETED)
            (driving if driving in ended else telling).result()
        finally:
            driving.cancel()
            telling.cancel()
            await asyncio.gather(driving, telling, return_exceptions=True)

    async def _tell_of(self, connection: Connection) -> None:
        """Say when the floor is in touch, and when it is not."""
        while True:
            await self._until_in_touch(connection)
            self._has_run = True
            ready = connection.ready
            assert ready is not None
            if ready.kind is not self._kind.enrolled_as:
                is_, drives = ready.kind.replace("_", " "), self._kind.enrolled_as.replace("_", " ")
                raise Mistake(f"{ready.device} is enrolled as a {is_}, and this driver is for a {drives}")
            log.info("in touch", device=ready.device, table=ready.table, station=ready.station)
            await connection.until(lambda: not connection.in_touch)
            log.info("out of touch", device=ready.device)

    async def _until_in_touch(self, connection: Connection) -> None:
        """Without limit; after a few seconds somebody is told for what the device waits.

        The floor is not asked before the driver has found its device.
        """
        while not connection.in_touch:
            try:
                await asyncio.wait_for(connection.until(lambda: connection.in_touch), ANSWERS_S)
            except TimeoutError:
                if connection.is_entered:
                    self.attention(f"the floor at {self._installed.floor} does not answer: the driver waits for it")
                    await connection.until(lambda: connection.in_touch)
