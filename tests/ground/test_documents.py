"""The examples in the documents run, and print what the documents say."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BIN = ROOT / ".venv" / "bin"
PATIENCE_S = 600
"""Only an example that hangs takes so long."""
_BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)


def _examples() -> list[tuple[str, str]]:
    """Each `$ command` in a document with the output printed below it."""
    found = []
    for document in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        for block in _BLOCK.findall(document.read_text(encoding="utf-8")):
            for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = example.partition("\n")
                found.append((command, output))
    return found


@pytest.mark.parametrize(("command", "output"), _examples(), ids=lambda text: text[:60])
def test_example(command: str, output: str, tmp_path: Path) -> None:
    """An ellipsis stands for what the document leaves out; trailing blanks do not count.

    A reader may keep the folder that an example makes; here it goes with the test.
    """
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run(  # noqa: S602  The documents' own examples, pipes included.
        command, shell=True, cwd=ROOT, capture_output=True, text=True, check=True, timeout=PATIENCE_S, env=environment
    )
    printed = "\n".join(line.rstrip() for line in done.stdout.splitlines())
    expected = "".join(".*" if part == "…" else re.escape(part) for part in re.split("(…)", output.strip()))
    assert re.fullmatch(expected, printed.strip(), re.DOTALL), printed


def test_there_are_examples() -> None:
    assert len(_examples()) >= 5


def test_links_between_documents_lead_somewhere() -> None:
    for document in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\(([^)#]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name} links to {target}"
