"""`sabot device enrol` and `sabot device run`."""

import asyncio
import signal
from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from sabot.basics.mistake import Mistake
from sabot.cli.terminal import console
from sabot.client.desk import AskedToEnrol
from sabot.client.outcome import CommandRefused, FrameNotTaken
from sabot.devices.hosting import DriverHost, enrol
from sabot.devices.kinds import check_options, load_kind

Options = Annotated[tuple[str, ...], Parameter(name="--set", negative="", show_default=False)]


def enrol_device(floor: str, kind: str, /, *, folder: Path, invitation: str = "", certificate: str = "") -> int:
    """Make a device's key in a folder, and enrol it at a floor.

        sabot device enrol https://floor cctalk-notes --folder A1

        sabot device enrol https://floor cctalk-notes --folder A1 --invitation CODE

    Without an invitation a code is shown, and the command waits until two persons have read it at the floor's desk and
    said which station it serves. The key never leaves the folder.

    Parameters
    ----------
    floor
        The floor's address.
    kind
        The driver, as `sabot device list` names it.
    folder
        The device's folder, which is made.
    invitation
        The code of an invitation, which two persons wrote beforehand.
    certificate
        The file of the floor's own certificate, where this machine does not trust it.
    """
    driver = load_kind(kind)

    def show(asked: AskedToEnrol) -> None:
        console().print(
            f"enrol this {driver.enrolled_as.replace('_', ' ')} at the floor's desk by its code: {asked.code}"
        )

    try:
        installed = asyncio.run(enrol(floor, driver, folder, invitation=invitation, certificate=certificate, show=show))
    except (CommandRefused, FrameNotTaken) as refused:
        raise Mistake(f"the floor refuses: {refused}") from None
    console().print(f"{installed.device} is enrolled: sabot device run {kind} --port {driver.port} --folder {folder}")
    return 0


def run_device(kind: str, /, *, port: str, folder: Path, options: Options = ()) -> int:
    """Run a driver until it is stopped with SIGTERM or Ctrl-C.

        sabot device run cctalk-notes --port /dev/ttyUSB0 --folder A1

        sabot device run cctalk-notes --port /dev/ttyS0 --folder A1 --set check=sum

    It waits for a floor that is not up, and connects again by itself. What needs an attendant is a warning in the log,
    with `attention` set. Run one driver for each device, under the user that may use the port.

    Parameters
    ----------
    kind
        The driver, as `sabot device list` names it.
    port
        What the device is connected to: a serial port, or host:port for a printer in the network.
    folder
        The device's folder, which `sabot device enrol` made.
    options
        NAME=VALUE for an option of the driver.
    """
    from sabot.web.serving.logs import set_up_logs

    driver = load_kind(kind)
    given = dict(_option(one) for one in options)
    check_options(kind, driver, given)
    host = DriverHost(driver, port, folder, given)
    set_up_logs("info", "auto")
    asyncio.run(_until_stopped(host.run()))
    return 0


def _option(written: str) -> tuple[str, str]:
    name, equals, value = written.partition("=")
    if not equals:
        raise Mistake(f"{written} is no option: NAME=VALUE")
    return name, value


async def _until_stopped(running: Coroutine[Any, Any, None]) -> None:
    task = asyncio.ensure_future(running)
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    try:
        await task
    except asyncio.CancelledError:
        return
