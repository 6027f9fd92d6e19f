"""What the drill does to a cluster, and how each of it is healed."""

import asyncio
import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from sabot.basics.mistake import Mistake
from sabot.cli.cluster.nodes import Nodes

Heal = Callable[[], None]
FILL_BYTES = 1 << 20
PATIENCE_S = 60.0


class Hurt(msgspec.Struct, frozen=True):
    """What was done, to which node, and what ends it."""

    node: str
    heal: Heal


def kill_postgres(nodes: Nodes) -> Hurt:
    """PostgreSQL of the primary is killed; Patroni lives, and starts it again."""
    node = _leader(nodes)
    os.kill(node.postmaster(), signal.SIGKILL)
    return Hurt(node.name, lambda: nodes.start(node.name))


def kill_primary(nodes: Nodes) -> Hurt:
    """The primary's machine dies with everything on it, and comes back later."""
    return _killed(nodes, _leader(nodes))


def kill_standby(nodes: Nodes) -> Hurt:
    """The same with the machine that every confirmed record is on as well."""
    return _killed(nodes, _found(nodes.synchronous, "synchronous standby"))


def freeze_primary(nodes: Nodes) -> Hurt:
    """Every process of the primary's machine stands still. Its connections stay open, and nobody answers."""
    node = _leader(nodes)
    node.signal(signal.SIGSTOP)

    def heal() -> None:
        node.signal(signal.SIGCONT)
        nodes.start(node.name)  # Its watchdog has ended it.

    return Hurt(node.name, heal)


def part_primary(nodes: Nodes) -> Hurt:
    """The cable between the primary and its peers is cut; the floor still reaches it."""
    return _cut(_leader(nodes), "peers")


def isolate_primary(nodes: Nodes) -> Hurt:
    """The primary's cables are cut, all of them."""
    return _cut(_leader(nodes), "peers", "users")


def fill_primary(nodes: Nodes) -> Hurt:
    """The primary's disk is filled to the last byte."""
    node = _leader(nodes)
    ballast: Path = node.folder / "disk" / "ballast"
    with ballast.open("wb") as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(FILL_BYTES))
            file.flush()

    def heal() -> None:
        ballast.unlink()
        nodes.start(node.name)

    return Hurt(node.name, heal)


def kill_leader_of_etcd(nodes: Nodes) -> Hurt:
    """The leader of the manager's own store is killed."""
    node = _found(nodes.leader_of_etcd, "leader of etcd")
    for pid in node.processes():
        with contextlib.suppress(OSError):
            if Path(f"/proc/{pid}/comm").read_text().strip() == "etcd":
                os.kill(pid, signal.SIGKILL)
    return Hurt(node.name, lambda: nodes.start(node.name))


FAULTS: Final[Mapping[str, Callable[[Nodes], Hurt]]] = {
    "PostgreSQL of the primary killed": kill_postgres,
    "primary's machine killed": kill_primary,
    "primary frozen": freeze_primary,
    "primary cut off from its peers": part_primary,
    "primary cut off from all": isolate_primary,
    "primary's disk filled": fill_primary,
    "synchronous standby killed": kill_standby,
    "leader of etcd killed": kill_leader_of_etcd,
}

QUICK: Final = (
    "PostgreSQL of the primary killed",
    "primary's disk filled",
    "synchronous standby killed",
    "leader of etcd killed",
)
"""Those after which nobody waits until the time of a lost leader has run out."""


async def inflict(nodes: Nodes, fault: str) -> Hurt:
    return await asyncio.to_thread(FAULTS[fault], nodes)


def _leader(nodes: Nodes) -> Any:
    return _found(nodes.leader, "leader")


def _found(look: Callable[[], Any], what: str) -> Any:
    """The node that a fault is for; between two leaders there is none for a moment."""
    until_s = time.monotonic() + PATIENCE_S
    while (node := look()) is None:
        if time.monotonic() > until_s:
            raise Mistake(f"the cluster has no {what}: its logs say why")
        time.sleep(0.2)
    return node


def _killed(nodes: Nodes, node: Any) -> Hurt:
    while node.signal(signal.SIGKILL):
        pass
    return Hurt(node.name, lambda: nodes.start(node.name))


def _cut(node: Any, *cables: str) -> Hurt:
    def turn(way: str) -> None:
        for cable in cables:
            subprocess.run(["ip", "link", "set", f"{node.name}-{cable}", way], check=True)  # noqa: S603, S607

    turn("down")
    return Hurt(node.name, lambda: turn("up"))
