"""The same sources give the same wheel byte for byte, in any folder, at any time, and from the sdist."""

import hashlib
import os
import re
import runpy
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from sabot.floor.records.program_digest import covered_files, program_digest

ROOT = Path(__file__).resolve().parents[2]
SCREENS = ROOT / "screens"
ELSEWHERE = {
    "TZ": "Asia/Macau",
    "LC_ALL": "C",
    "PYTHONHASHSEED": "77",
    "SOURCE_DATE_EPOCH": "1700000000",
    "NODE_ENV": "development",
}
"""What another builder's machine may say, and what must change nothing."""


def _build(folder: Path, target: str, into: Path, environment: dict[str, str] | None = None, umask: int = 0o22) -> Path:
    subprocess.run(  # noqa: S603  Our own build.
        [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", into],
        cwd=folder,
        env={**os.environ, "TMPDIR": str(into.parent), **(environment or {})},
        umask=umask,
        check=True,
        capture_output=True,
        timeout=300,
    )
    (built,) = into.iterdir()
    return built


def _unpacked(archive: Path, folder: Path, *kept: str) -> Path:
    """The sources of an sdist in a folder of their own, with what this checkout has fetched and `kept` of its own."""
    with tarfile.open(archive) as sources:
        sources.extractall(folder)  # noqa: S202  Our own archive; the first releases of Python 3.11 have no filters.
    (unpacked,) = folder.iterdir()
    for name in ("node_modules", *kept):
        shutil.copytree(SCREENS / name, unpacked / "screens" / name, copy_function=_linked, symlinks=True)
    return unpacked


def _linked(source: str, target: str) -> None:
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, target, follow_symlinks=False)


def _is_built(script: str) -> bool:
    return bool(runpy.run_path(str(ROOT / script))["is_built"]())


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert _is_built("screens/build.py"), "python3 bootstrap.py screens"
    return _build(ROOT, "sdist", tmp_path_factory.mktemp("sdist"))


@pytest.mark.slow
def test_a_wheel_from_the_sdist_holds_what_this_checkout_holds(sdist: Path, tmp_path: Path) -> None:
    """Built elsewhere, by another umask, zone and date; this checkout's own pages and kernel are the second build."""
    sources = _unpacked(sdist, tmp_path / "another" / "folder", "fonts")
    wheel = _build(sources, "wheel", tmp_path / "dist", ELSEWHERE, umask=0o77)
    with zipfile.ZipFile(wheel) as archive:
        infos = archive.infolist()
        archive.extractall(tmp_path / "wheel")  # noqa: S202  Our own archive.
    assert {info.date_time for info in infos} == {(2020, 2, 2, 0, 0, 0)}
    assert {info.external_attr >> 16 & 0o777 for info in infos} <= {0o644, 0o755}
    package, own = tmp_path / "wheel" / "sabot", ROOT / "src" / "sabot"
    files = {path.relative_to(package) for path in package.rglob("*") if path.is_file()}
    assert {Path("odds/kernel/kernel.so"), Path("web/static/station.html")} <= files
    held = files if _is_built("docsite/make_site.py") else {file for file in files if file.parts[0] != "site"}
    different = [file for file in sorted(held) if (own / file).exists() and _hash(own / file) != _hash(package / file)]
    assert different == []
    for file in runpy.run_path(str(ROOT / "hatch_build.py"))["LABORATORY"]:
        assert _hash(package / "laboratory" / file) == _hash(ROOT / file), "a dossier is made from it"
    assert {Path(path) for path, _ in covered_files()} <= files
    assert program_digest(package) == program_digest()


@pytest.mark.whole
def test_two_wheels_and_two_sdists_are_equal_byte_for_byte(sdist: Path, tmp_path: Path) -> None:
    first, second = (_unpacked(sdist, tmp_path / name) for name in ("first", "the second one"))
    wheels = [
        _build(first, "wheel", tmp_path / "one"),
        _build(second, "wheel", tmp_path / "two", ELSEWHERE, umask=0o77),
    ]
    assert len({_hash(wheel) for wheel in wheels}) == 1
    assert _hash(_build(ROOT, "sdist", tmp_path / "again", ELSEWHERE, umask=0o77)) == _hash(sdist)


def test_an_isolated_build_has_the_tools_of_this_one() -> None:
    """What the build asks for is pinned to what is installed here."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lock = (ROOT / "requirements" / "dev.txt").read_text(encoding="utf-8")
    pinned = dict(re.findall(r"^([\w.-]+)(?:\[[^]]*])?==([^\s;]+)", lock, re.MULTILINE))
    asked = [requirement.partition(";")[0].strip() for requirement in project["build-system"]["requires"]]
    assert [one for one in asked if one != f"{one.partition('==')[0]}=={pinned[one.partition('==')[0]]}"] == []
    groups = project["dependency-groups"]
    built_with = {re.split(r"[=<>~ ;]", one)[0] for name in ("build", "screens", "docs") for one in groups[name]}
    assert built_with <= {one.partition("==")[0] for one in asked}
