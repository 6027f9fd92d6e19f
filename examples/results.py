"""A display that prints every result: python examples/results.py URL DEVICE KEY_FILE RESULTS"""

import asyncio
import sys
from pathlib import Path

from sabot.client.connection import Identity, Settings
from sabot.client.display import Display
from sabot.client.key import DeviceKey
from sabot.table.events import CoupDecided
from sabot.wire.frames import Told


async def main(url: str, device: str, key_file: str, results: int) -> None:
    display = Display(url, Identity(device, DeviceKey.read(Path(key_file))), Settings(feed="events"))
    with display.follow() as following:
        async with display:
            async for news in following:
                for event in news.events if isinstance(news, Told) else ():
                    if isinstance(event, CoupDecided):
                        print(f"coup {event.coup}: {event.winner}", flush=True)
                        results -= 1
                if results <= 0:
                    return


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4], int(sys.argv[4])))  # type: ignore[call-arg]
