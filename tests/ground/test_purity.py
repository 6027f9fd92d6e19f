"""The pure rooms do no input or output, read no clock and draw no random number."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "sabot"
PURE_ROOMS = (
    *("basics", "rules", "roads", "ledger", "table", "house", "tournament"),
    *("integrity", "views", "floor", "audit", "rulebook", "wire", "school"),
)
PURE_FILES = (
    "client/protocol.py",
    *(
        f"odds/{name}.py"
        for name in (
            *(
                "composition",
                "exact",
                "exact_arrays",
                "outcome_class",
                "both_pairs",
                "joint",
                "next_coup",
                "bet_odds",
                "study",
            ),
            *("removal", "dealt_shoe", "answer", "integrity", "par/chart", "par/sheet"),
        )
    ),
)
"""The odds room also runs compiled code, threads and drawings; what is exact in it is as pure as the rules. So is the
client's side of the protocol, in a room that is otherwise about sockets."""
FORBIDDEN_MODULES = {
    *("os", "io", "sys", "pathlib", "shutil", "tempfile", "socket", "ssl", "asyncio", "threading", "subprocess"),
    *("time", "random", "secrets", "uuid", "logging", "sqlite3"),
}
FORBIDDEN_CALLS = {"open", "print", "input", "now", "today", "utcnow"}
READS_PACKAGE_DATA = {
    "basics/shipped_file.py",
    "rulebook/clauses.py",
    "rulebook/scenario.py",
    "floor/records/program_digest.py",
}


def _modules() -> list[Path]:
    rooms = [path for room in PURE_ROOMS for path in sorted((SOURCE / room).rglob("*.py"))]
    return rooms + [SOURCE / file for file in PURE_FILES]


@pytest.mark.parametrize("path", _modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_pure_room_stays_pure(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules = {alias.name.split(".")[0] for alias in node.names}
            assert not modules & FORBIDDEN_MODULES
            assert "pkgutil" not in modules or str(path.relative_to(SOURCE)) in READS_PACKAGE_DATA
        elif isinstance(node, ast.ImportFrom):
            module = (node.module or "").split(".")[0]
            assert module not in FORBIDDEN_MODULES
            if module == "importlib":
                assert str(path.relative_to(SOURCE)) in READS_PACKAGE_DATA, "only the package's own data may be read"
        elif isinstance(node, ast.Call):
            called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            assert called not in FORBIDDEN_CALLS


def test_the_rooms_that_exist_are_all_in_the_arrows() -> None:
    """A new room must be placed in the layers of pyproject.toml, or its arrows would go unchecked.

    The site of the documents, which is built into the package, has no module.
    """
    layers = (SOURCE.parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    rooms = {path.name for path in SOURCE.iterdir() if path.is_dir() and any(path.glob("*.py"))}
    assert rooms
    assert all(f"sabot.{room}" in layers for room in rooms)
