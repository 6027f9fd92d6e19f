"""The container file: its steps name what the program brings along, and the image that it gives serves a floor."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.cli.sabot import sabot
from tests.runtime.floors import PATIENCE_S
from tests.served.process import free_port

ROOT = Path(__file__).resolve().parents[2]
CONTAINERFILE = (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8")
FOLDER = "/var/lib/sabot/floor"
BASE = "localhost/sabot-base"


def _instruction(name: str) -> str:
    (found,) = re.findall(rf"^{name} (.*(?:\\\n.*)*)", CONTAINERFILE, re.MULTILINE)
    return str(found)


def _words(name: str) -> list[str]:
    written = _instruction(name)
    words: list[str] = json.loads(written[written.index("[") :])
    return words


def test_the_image_s_steps_name_what_the_program_brings_and_its_words_serve_a_floor_that_is_healthy(
    tmp_path: Path,
) -> None:
    """The same words that the image's own entry point, command and health check have, in a folder of the test's."""
    assert sabot("deploy", str(tmp_path / "image")).code == 0
    *sources, _ = _instruction("COPY").split()
    assert sources == ["requirements.txt", "*.whl"]
    assert (tmp_path / "image" / "requirements.txt").read_text() == (ROOT / "requirements" / "run.txt").read_text()
    port, floor = free_port(), tmp_path / "floor"
    assert sabot("serve", "--init", str(floor), "--name", "localhost", "--port", str(port)).code == 0
    entry, command = _words("ENTRYPOINT"), _words("CMD")
    assert [*entry[1:], command[0]] == ["serve", "--config"]
    assert command[1] == f"{FOLDER}/sabot.toml"
    health = _words("HEALTHCHECK")[-1].replace("8443", str(port))
    with serving_over_tls(floor / "sabot.toml", port):
        subprocess.run([sys.executable, "-W", "ignore", "-c", health], check=True, timeout=60)  # noqa: S603  Our own.


@contextmanager
def serving_over_tls(config: Path, port: int) -> Iterator[None]:
    """`serving` would not trust a certificate that is self-signed."""
    process = subprocess.Popen(  # noqa: S603  Our own command.
        [Path(sys.executable).with_name("sabot"), "serve", "--config", config], stderr=subprocess.DEVNULL
    )
    try:
        _until_ready(port)
        yield
    finally:
        process.terminate()
        assert process.wait(PATIENCE_S) == 0


def _until_ready(port: int) -> dict[str, object]:
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            answer = httpx.get(
                f"https://localhost:{port}/readyz",
                verify=False,  # noqa: S501  It is self-signed.
                timeout=PATIENCE_S,
            )
            if answer.status_code == httpx.codes.OK:
                ready: dict[str, object] = answer.json()
                return ready
        except httpx.TransportError:
            pass
        assert time.monotonic() < until
        time.sleep(0.1)


MISSING = [name for name in ("buildah", "debootstrap") if shutil.which(name) is None]


@pytest.mark.whole
@pytest.mark.skipif(bool(MISSING) or os.geteuid() != 0, reason="as root: apt-get install buildah debootstrap")
def test_buildah_builds_the_image_from_an_empty_root_and_the_image_serves(tmp_path: Path) -> None:
    """The base is made by debootstrap, since a registry may be out of reach; pip has its packages as files."""
    base, image, wheels, state = (tmp_path / name for name in ("base", "image", "wheels", "state"))
    _run("debootstrap", "--variant=minbase", "--include=python3,python3-venv", "bookworm", base)
    engine = Engine(tmp_path)
    made = engine.said("from", "scratch")
    engine.run("copy", "-q", made, base, "/")
    engine.run("commit", "-q", made, BASE)
    assert sabot("deploy", str(image)).code == 0
    own = {**os.environ, "TMPDIR": str(tmp_path)}  # Where Node keeps what it has compiled, if pages are built.
    _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", image, cwd=ROOT, env=own)
    pip = (sys.executable, "-m", "pip", "download", "-q", "--python-version", "3.11", "--only-binary", ":all:")
    _run(*pip, "--require-hashes", "-r", image / "requirements.txt", "-d", wheels)
    offline = (
        "--build-arg",
        "PIP_NO_INDEX=1",
        "--build-arg",
        "PIP_FIND_LINKS=/wheels",
        "--volume",
        f"{wheels}:/wheels:ro",
    )
    engine.run("bud", "--build-arg", f"BASE={BASE}", *offline, "-t", "sabot", image)
    state.mkdir(mode=0o700)
    os.chown(state, 10001, 10001)
    container, port = engine.said("from", "localhost/sabot"), free_port()
    inside = ("run", "--user", "10001", "--volume", f"{state}:/var/lib/sabot", container, "--", *_words("ENTRYPOINT"))
    engine.run(*inside, "--init", FOLDER, "--name", "localhost", "--port", str(port))
    serving_it = subprocess.Popen(engine.words(*inside, *_words("CMD")), env=engine.environment)  # noqa: S603
    try:
        assert _until_ready(port)["signed"] is True
    finally:
        for pid in _descendants(serving_it.pid):
            os.kill(pid, signal.SIGTERM)
        serving_it.wait(PATIENCE_S)
        engine.run("rm", "--all")


def _descendants(pid: int) -> list[int]:
    """The processes that a process has started, the last ones first, as far as they still run."""
    path = Path(f"/proc/{pid}/task/{pid}/children")
    children = [int(one) for one in path.read_text(encoding="ascii").split()] if path.exists() else []
    return [*(one for child in children for one in _descendants(child)), *children]


class Engine:
    """Buildah with a store of the test's own, without namespaces and overlays, which a container may not have."""

    def __init__(self, folder: Path) -> None:
        self._store = ("--root", str(folder / "store"), "--runroot", str(folder / "run"))
        self.environment = {**os.environ, "STORAGE_DRIVER": "vfs", "BUILDAH_ISOLATION": "chroot"}

    def words(self, *words: str | Path) -> list[str]:
        return ["buildah", *self._store, *map(str, words)]

    def run(self, *words: str | Path) -> None:
        _run(*self.words(*words), env=self.environment)

    def said(self, *words: str | Path) -> str:
        done = subprocess.run(  # noqa: S603  Our own words.
            self.words(*words), env=self.environment, check=True, capture_output=True, text=True, timeout=600
        )
        return done.stdout.strip()


def _run(*words: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> None:
    done = subprocess.run(  # noqa: S603  Our own words.
        [str(word) for word in words], cwd=cwd, env=env, check=False, capture_output=True, text=True, timeout=1_200
    )
    assert done.returncode == 0, done.stdout + done.stderr
