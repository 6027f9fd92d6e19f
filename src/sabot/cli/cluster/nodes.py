"""The nodes of a trial cluster, as `deploy/cluster` starts them."""

import asyncio
import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

from sabot.basics.mistake import Mistake
from sabot.cli.checkout import checkout

DISK_MB = 512


def script() -> Path:
    root = checkout()
    if root is None:
        raise Mistake("the drill of a cluster is part of the sources: run ./sabot drill cluster in a checkout")
    return root / "deploy" / "cluster"


def program() -> Any:
    """The module that knows the nodes."""
    spec = importlib.util.spec_from_file_location("trial_cluster", script().with_name("trial_cluster.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check_programs() -> None:
    """Say in one sentence what is not installed."""
    cluster = program()
    try:
        cluster.postgres_binaries()
        cluster.etcd_program()
        cluster.patroni_program()
        cluster.as_somebody()
    except cluster.Trouble as trouble:
        raise Mistake(str(trouble)) from None


class Nodes:
    """The cluster in a folder, whose nodes are asked, hurt and healed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        _run("up", str(folder), "--spread", "--disk-mb", str(DISK_MB))
        self._program = program()
        self.cluster: Any = self._program.Cluster(folder)

    def start(self, name: str) -> None:
        _run("start", str(self._folder), name)

    def address(self, role: str) -> str:
        return str(self.cluster.address(role))

    def password_file(self, role: str) -> Path:
        return self._folder / f"{role}.password"

    def with_password(self, role: str) -> str:
        return self.address(role).replace(f"{role}@", f"{role}:{self.cluster.password(role)}@", 1)

    def leader(self) -> Any:
        return self.cluster.leader()

    def synchronous(self) -> Any:
        return next((node for node in self.cluster.nodes if node.is_a("sync")), None)

    def leader_of_etcd(self) -> Any:
        for node in self.cluster.nodes:
            said = node.asked_of_etcd("maintenance/status")[1]
            if said and said.get("leader") == said["header"]["member_id"]:
                return node
        return None

    async def until_whole(self, within_s: float) -> bool:
        async def look() -> None:
            while not await asyncio.to_thread(self.cluster.is_whole):
                await asyncio.sleep(0.2)

        try:
            await asyncio.wait_for(look(), within_s)
        except TimeoutError:
            return False
        return True


def _run(*words: str) -> None:
    done = subprocess.run([sys.executable, str(script()), *words], capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise Mistake((done.stderr or done.stdout).strip().splitlines()[-1])
