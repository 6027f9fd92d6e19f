"""From an installed program to a patron's wager at a live table, by script: python first_station.py FOLDER [PORT]

It makes a floor in FOLDER, serves it, enrols a console and the station A1 by their codes, opens the table with a dealer
and a supervisor, sells chips, opens the wagering and lays a wager. Then it stops the floor and proves its records. It
uses nothing but the commands and the client library that any integrator has, and says how long each step took.

Run it with the Python of the environment that has the program: /opt/sabot/bin/python first_station.py trial
"""

import asyncio
import contextlib
import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

from sabot.client.connection import Identity
from sabot.client.console import Console
from sabot.client.desk import Desk
from sabot.client.key import DeviceKey
from sabot.client.station import Station
from sabot.table import acts

SABOT = str(Path(sys.executable).with_name("sabot"))
DEALERS_PIN = "493817"
BEGAN = time.monotonic()


def said(step: str) -> None:
    print(f"{time.monotonic() - BEGAN:6.1f} s  {step}", flush=True)


def sabot(*words: str, given: str = "") -> str:
    done = subprocess.run([SABOT, *words], input=given, text=True, capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"sabot {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


async def until_open(port: int) -> None:
    """Until the floor answers; its port is bound first, and opened when every check has passed."""
    while True:
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            return
        await asyncio.sleep(0.05)


@contextlib.asynccontextmanager
async def served(config: Path, port: int) -> AsyncIterator[str]:
    process = await asyncio.create_subprocess_exec(
        *(SABOT, "serve", "--config", str(config)), stderr=(config.parent / "floor.log").open("wb")
    )
    try:
        await asyncio.wait_for(until_open(port), 60)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGTERM)
        code = await process.wait()
        said(f"the floor has stopped in order, with code {code}")


async def play(url: str, codes: dict[str, str], pins: dict[str, str]) -> None:
    desk = Desk(url)
    keys = {name: DeviceKey.make() for name in codes}
    for name, code in codes.items():
        await desk.accept(code, keys[name])
    said(f"{' and '.join(codes)} are enrolled")
    at_console = Identity("T1-console", keys["T1-console"])
    tokens = {
        person: (await desk.sign_on(person, pin, at_console.device, at_console.key)).token
        for person, pin in pins.items()
    }
    async with (
        Console(url, at_console, token=tokens["D1"]) as console,
        Station(url, Identity("T1-A1", keys["T1-A1"])) as station,
    ):
        await console.ask(acts.SignOn())
        await console.ask(acts.OpenTable())
        await console.ask(acts.SignOn(), token=tokens["CS1"])
        await console.ask(acts.CheckCards(cards=416), token=tokens["CS1"])
        await console.ask(acts.NewShoe())
        await console.ask(acts.Cut(at=200), token=tokens["CS1"])
        await console.ask(acts.Burn())
        await console.ask(acts.BuyIn(station="A1", cents=50_000))
        said("the table is open, with a shoe, and the patron at A1 has chips")
        await console.ask(acts.Open())
        await station.until(lambda: station.mirror.phase == "wagering")
        await station.ask(acts.SetWager(bet="banker", cents=2_500))
        said("wagering is open, and 25.00 lie on Banker")


async def main(folder: Path, port: int) -> None:
    made = json.loads(sabot("serve", "--init", str(folder), "--port", str(port), "--json"))
    config = Path(made["config"])
    pins = dict(line.split() for line in Path(made["pins"]).read_text().splitlines())
    said(f"the floor is made in {folder}")
    sabot("staff", "set-pin", "D1", "--store", str(config), given=f"{DEALERS_PIN}\n")
    printed = sabot(
        *("staff", "codes", str(config), "--by", "TE1", "--second", "CS1", "--json"),
        given=f"{pins['TE1']}\n{pins['CS1']}\n",
    )
    codes = {one["device"]: one["code"] for one in json.loads(printed)}
    said(f"{len(codes)} codes are made")
    async with served(config, port) as url:
        said(f"the floor is served at {url}")
        wanted = {name: codes[name] for name in ("T1-console", "T1-A1")}
        await play(url, wanted, {"D1": DEALERS_PIN, "CS1": pins["CS1"]})
    verdict = sabot(
        *("journal", "verify", str(config.parent / "floor.journal"), "--json"),
        *("--keys", str(config.parent / "signing.key.ring"), "--anchor", str(config.parent / "floor.anchor")),
    )
    said(f"the records are {json.loads(verdict)['standing']}")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]) if sys.argv[2:] else free_port()))
