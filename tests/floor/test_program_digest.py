"""The digest of the program covers what decides or pays, and nothing else."""

import ast
import functools
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from sabot.floor.records.program_digest import LEFT_OUT, PROGRAM_PARTS, covered_files, package_digest, program_digest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "sabot"
NEITHER_DECIDES_NOR_PAYS = {
    "journal/journal.py": "the interface by which records are read and stored",
    "journal/ownership.py": "tells which record is the taking of a stream",
    "journal/anchor.py": "makes a file durable",
    "journal/parts.py": "what a part of a journal and its seal are",
    "floor/virtual/locked_shoe.py": "encrypts the file of a shoe, and refuses one that was changed",
}
"""What covered modules import and the digest leaves out."""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copied = tmp_path_factory.mktemp("elsewhere") / "renamed"
    return Path(shutil.copytree(SOURCE, copied, ignore=shutil.ignore_patterns("__pycache__")))


def test_a_copy_elsewhere_has_the_same_digests(package: Path) -> None:
    assert program_digest(package) == program_digest()
    assert package_digest(package) == package_digest()
    assert package_digest() != program_digest()


_OWN = functools.cache(lambda: (program_digest(), package_digest()))
"""The digests of this package, worked out once."""


def _with_a_line_more(package: Path, path: str) -> tuple[str, str]:
    """The two digests of the package with a comment at the end of one file."""
    file = package / path
    written = file.read_bytes()
    file.write_bytes(written + b"# A comment.\n")
    try:
        return program_digest(package), package_digest(package)
    finally:
        file.write_bytes(written)


@pytest.mark.parametrize(
    "path",
    [
        *(
            "rules/table_of_play.py",
            "rules/rule_sets/crown-baccarat.toml",
            "table/decide.py",
            "table/wagers/deciding.py",
        ),
        *("ledger/ledger.py", "house/tickets/deciding.py", "tournament/decide.py", "floor/records/record_codec.py"),
        *("floor/virtual/shoe.py", "basics/money.py", "journal/record.py"),
    ],
)
def test_what_decides_or_pays_changes_both(package: Path, path: str) -> None:
    program, whole = _with_a_line_more(package, path)
    assert program != _OWN()[0]
    assert whole != _OWN()[1]


def _a_scenario() -> str:
    return str(min((SOURCE / "rulebook").rglob("*.scenario")).relative_to(SOURCE))


@pytest.mark.parametrize(
    "path",
    [
        *(_a_scenario(), "views/station.py", "web/http/app.py", "journal/sqlite.py", "cli/__init__.py"),
        *("audit/verify.py", "odds/exact.py", "floor/sentences.py", *(part.path for part in LEFT_OUT)),
    ],
)
def test_anything_else_changes_only_the_digest_of_the_package(package: Path, path: str) -> None:
    program, whole = _with_a_line_more(package, path)
    assert program == _OWN()[0]
    assert whole != _OWN()[1]


def test_a_file_more_in_a_covered_folder_changes_it(package: Path) -> None:
    more = package / "rules" / "more.py"
    more.write_text("")
    try:
        assert program_digest(package) != program_digest()
    finally:
        more.unlink()


def test_each_part_is_there_once_and_has_a_reason() -> None:
    paths = [path for path, _ in covered_files()]
    assert len(paths) == len(set(paths))
    assert all(part.reason for part in (*PROGRAM_PARTS, *LEFT_OUT))
    assert all((SOURCE / part.path).is_file() for part in LEFT_OUT)


def test_what_an_editor_leaves_behind_does_not_count(package: Path) -> None:
    left = [package / "rules" / name for name in (".terms.py.swp", "terms.py~")]
    for file in left:
        file.write_text("an editor's")
    try:
        assert (program_digest(package), package_digest(package)) == (program_digest(), package_digest())
    finally:
        for file in left:
            file.unlink()


def _imported(path: Path) -> Iterator[str]:
    """The modules of the package that a module imports, as paths in the package."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            if name.startswith("sabot."):
                stem = name.removeprefix("sabot.").replace(".", "/")
                yield from (file for file in (f"{stem}.py", f"{stem}/__init__.py") if (SOURCE / file).is_file())


def test_what_decides_imports_nothing_that_is_not_covered() -> None:
    """Anything that could change a decision or a payment is itself covered."""
    covered = {path for path, _ in covered_files()}
    imported = {file for path in covered if path.endswith(".py") for file in _imported(SOURCE / path)}
    assert imported - covered == set(NEITHER_DECIDES_NOR_PAYS)


DECIDING = (
    *("table/decide.py", "table/evolve.py", "table/money.py", "house/decide.py", "house/evolve.py"),
    *("tournament/decide.py", "tournament/evolve.py", "floor/records", "floor/exchange", "floor/stamper.py"),
    *("floor/tournament_stamper.py", "floor/virtual/shoe.py", "runtime/shoe_files.py", "runtime/draw_key.py"),
    "journal/record.py",
)
"""Where acts are decided, money is booked, and cards and seats are drawn."""


def test_what_is_covered_is_used_by_something_that_decides() -> None:
    covered = {path for path, _ in covered_files() if path.endswith(".py")}
    due, used = [path for path in covered if path.startswith(DECIDING)], set[str]()
    while due:
        path = due.pop()
        if path not in used:
            used.add(path)
            due += _imported(SOURCE / path)
    assert {path for path in covered - used if not path.endswith("__init__.py")} == set()
