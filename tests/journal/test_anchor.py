"""The anchor file: read back as written, replaced whole, never sinking, never guessed at."""

from pathlib import Path

import pytest

from sabot.journal.anchor import Anchor, read_anchor, write_anchor
from sabot.journal.journal import Unusable
from sabot.journal.record import Head
from tests.journal.samples import checkpoint


def head(version: int, stream: str = "t") -> Head:
    return Head(stream, version, bytes([version]) * 32, 3)


def test_an_anchor_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "anchor"
    assert read_anchor(path) is None
    for version in (4, 9):
        anchor = Anchor().raised([head(version), head(2, "卓一")], [checkpoint("t", version)])
        write_anchor(path, anchor)
        assert read_anchor(path) == anchor
    assert [file.name for file in tmp_path.iterdir()] == ["anchor"]


def test_an_anchor_never_sinks() -> None:
    anchor = Anchor().raised([head(9)], [checkpoint("t", 9)])
    assert anchor.raised([head(4)], [checkpoint("t", 4)]) == anchor
    assert anchor.raised([head(10), head(1, "u")]).heads == {"t": head(10), "u": head(1, "u")}
    assert anchor.raised(commits=7).raised(commits=5).commits == 7


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"", "is not an anchor, or it is damaged"),
        (b"\xff\xfe", "is not an anchor, or it is damaged"),
        (b'{"sabot_anchor":1}', "is not an anchor, or it is damaged"),
        (b'{"sabot_anchor":2,"anchor":{}}', "has form 2, and this program knows form 1"),
    ],
)
def test_an_anchor_that_cannot_be_read_is_refused_and_left_alone(tmp_path: Path, text: bytes, sentence: str) -> None:
    path = tmp_path / "anchor"
    path.write_bytes(text)
    with pytest.raises(Unusable, match=sentence):
        read_anchor(path)
    assert path.read_bytes() == text


def test_a_torn_write_leaves_the_old_anchor(tmp_path: Path) -> None:
    path = tmp_path / "anchor"
    anchor = Anchor().raised([head(9)])
    write_anchor(path, anchor)
    torn = tmp_path / ".anchor.torn"
    torn.mkdir()
    (torn / "fresh").write_bytes(b'{"sabot_anch')
    assert read_anchor(path) == anchor
    write_anchor(path, anchor.raised([head(10)]))
    assert read_anchor(path) == anchor.raised([head(10)])
