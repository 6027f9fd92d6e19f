"""A process of its own that attacks a floor again and again, and tells what became of it.

    python _attacker.py ATTACK PORT SECONDS ADDRESS

It says when it is ready, and begins when it is told to. It gives way to everything else on the machine, as an attacker
on another machine would.
"""

import asyncio
import os
import sys
import time
from collections import Counter
from pathlib import Path

import msgspec
import uvloop

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # It stands on the same ground as the tests.

from sabot.web.door.budgets import raised_descriptors
from tests.served import attacks
from tests.served.attacks import Attack, Target

AT_ONCE = 4
"""Attackers of the kind that needs one connection."""


async def attacked(attack: Attack, target: Target, seconds: float) -> Counter[str]:
    became: Counter[str] = Counter()
    until = time.monotonic() + seconds

    async def again() -> None:
        while time.monotonic() < until:
            try:
                one = await attack(target)
            except (OSError, AssertionError, TimeoutError):
                became["refused"] += 1
                await asyncio.sleep(0.01)
            else:
                became["cut off" if one.is_cut_off else "not cut off"] += 1

    attackers = [asyncio.create_task(again()) for _ in range(AT_ONCE if attack in attacks.OF_ONE else 1)]
    await asyncio.wait(attackers, timeout=seconds)
    for attacker in attackers:
        attacker.cancel()
    ended = await asyncio.gather(*attackers, return_exceptions=True)
    became["under way"] = sum(isinstance(one, asyncio.CancelledError) for one in ended)
    return became


if __name__ == "__main__":
    os.nice(19)
    raised_descriptors()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    name, port, seconds, address = sys.argv[1:]
    told = uvloop.run(attacked(getattr(attacks, name), Target(int(port), comes_from=address), float(seconds)))
    sys.stdout.write(msgspec.json.encode(told).decode())
