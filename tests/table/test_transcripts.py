"""Golden transcripts: a whole shoe under each rule set, readable by a person, the same every time."""

import os
from pathlib import Path

import pytest

from sabot.rules.shipped import IDS
from tests.table.transcript import transcript

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.mark.parametrize("identity", IDS)
def test_a_whole_shoe_is_told_as_before(identity: str) -> None:
    """After a change that is meant, SABOT_WRITE_GOLDEN=1 ./test tests/table writes them anew; read the difference."""
    told = "\n".join(transcript(identity)) + "\n"
    file = GOLDEN / f"{identity}.txt"
    if os.environ.get("SABOT_WRITE_GOLDEN"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(told, encoding="utf-8")
    assert told == file.read_text(encoding="utf-8")
    assert "last coup is played" in told
    assert "closes the table" in told
