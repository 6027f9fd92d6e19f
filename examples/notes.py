"""A simulated note acceptor at a station: python examples/notes.py URL DEVICE KEY_FILE FOLDER CENTS...

The folder keeps what must outlast a loss of power. To drive a real acceptor, give `NoteDriver` your own `NoteAcceptor`.
"""

import asyncio
import sys
from pathlib import Path

from sabot.client.connection import Connection, Identity, Settings
from sabot.client.key import DeviceKey
from sabot.client.memory import FileMemory
from sabot.devices.note_driver import NoteDriver
from sabot.devices.simulated_acceptor import SimulatedAcceptor


async def main(url: str, device: str, key_file: str, folder: str, notes: list[int]) -> None:
    identity = Identity(device, DeviceKey.read(Path(key_file)))
    settings = Settings(feed="events", memory=FileMemory(Path(folder) / "last-command"), open_within_s=None)
    acceptor = SimulatedAcceptor()
    driving = asyncio.create_task(NoteDriver(acceptor, Connection(url, identity, settings), print).run())
    for cents in notes:
        while not acceptor.insert(cents):
            await asyncio.sleep(0.01)
        while acceptor.state().escrow is not None:
            await asyncio.sleep(0.01)
    driving.cancel()
    print("taken in:", acceptor.stacker)
    print("given back:", acceptor.given_back)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:5], [int(cents) for cents in sys.argv[5:]]))  # type: ignore[call-arg]
