"""The documents that say what is proved name tests that there are."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("document", ["reliability.md", "threat-model.md"])
def test_every_line_that_promises_something_names_tests_that_there_are(document: str) -> None:
    rows = [line for line in (ROOT / "docs" / document).read_text(encoding="utf-8").splitlines() if line[:1] == "|"]
    promises = [row for number, row in enumerate(rows) if not re.search("---", row + "".join(rows[number + 1 :][:1]))]
    assert len(promises) > 20
    for row in promises:
        named = re.findall(r"tests/[a-z_/]+\.py", row)
        assert named or "`sabot " in row, row
        assert [one for one in named if not (ROOT / one).is_file()] == []
