"""A station that wagers on Banker in every coup: python examples/wager.py URL INVITATION KEY_FILE COUPS

The invitation is a code that two supervisors made for this device, good once. The key is made here and stays here.
"""

import asyncio
import sys
from pathlib import Path

from sabot.client.connection import Identity
from sabot.client.desk import Desk
from sabot.client.key import DeviceKey
from sabot.client.outcome import CommandRefused, NeverRecorded
from sabot.client.station import Station
from sabot.table.acts import SetWager


async def main(url: str, invitation: str, key_file: str, coups: int) -> None:
    key = DeviceKey.make()
    key.write(Path(key_file))
    enrolled = await Desk(url).accept(invitation, key)
    async with Station(url, Identity(enrolled.device, key)) as station:
        wagered = 0
        for _ in range(coups):
            await station.until(lambda: station.mirror.phase == "wagering" and station.mirror.coup > wagered)
            wagered = station.mirror.coup
            banker = next(area for area in station.shown.table.areas if area.bet == "banker")
            minimum = banker.sign.minimum_cents
            try:
                answer = await station.ask(SetWager(bet=banker.bet, cents=minimum))
            except CommandRefused as refused:
                print(f"coup {wagered}: refused, {refused}")
            except NeverRecorded:
                print(f"coup {wagered}: lost with its owner, and never taken")
            else:
                print(f"coup {wagered}: {minimum / 100:.2f} on Banker is record {answer.version}")
            await station.until(lambda: (settled := station.shown.settled) is not None and settled.coup == wagered)
            print(f"coup {wagered}: the balance is {station.balance / 100:.2f}")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4], int(sys.argv[4])))  # type: ignore[call-arg]
