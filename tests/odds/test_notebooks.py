"""The notebooks in examples/notebooks run from the first cell to the last, on few shoes, and keep no outputs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs_and_keeps_no_outputs(file: Path, tmp_path: Path) -> None:
    cells = [cell for cell in json.loads(file.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert not any(cell["outputs"] or cell["execution_count"] for cell in cells)
    lines = [line for cell in cells for line in "".join(cell["source"]).splitlines()]
    program = "\n".join(line for line in lines if not line.startswith("%"))
    done = subprocess.run(  # noqa: S603  Our own notebook.
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        cwd=tmp_path,
        env={**os.environ, "SHOES": "60"},
    )
    assert done.returncode == 0, done.stderr


def test_there_are_three_of_them() -> None:
    assert [file.stem for file in NOTEBOOKS] == ["counting_pairs", "designing_a_side_bet", "house_edges"]
