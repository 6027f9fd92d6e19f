"""Keys sign, rings lead from the first key to the last, and no stranger gets in."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from sabot.journal.checkpoint import is_signed_by, sign, text_of
from sabot.journal.keys import BadKey, new_key, read_ring, read_signing_key, ring_path, rotate, trusted_keys
from sabot.journal.record import Head

HEAD = Head("table/T1", 120, bytes(range(32)), 2)


def test_a_key_is_for_its_owner_alone_and_is_read_back(tmp_path: Path) -> None:
    made = new_key(tmp_path / "casino.key")
    assert (tmp_path / "casino.key").stat().st_mode & 0o777 == 0o600
    again = read_signing_key(tmp_path / "casino.key")
    assert (again.public, again.ring) == (made.public, made.ring)


def test_a_checkpoint_is_signed_over_every_part_of_it(tmp_path: Path) -> None:
    key = new_key(tmp_path / "casino.key")
    checkpoint = sign(HEAD, 77, key)
    assert is_signed_by(checkpoint, key.public)
    assert text_of(HEAD, 77, key.public.id).decode().splitlines() == [
        *("sabot checkpoint", "stream table/T1", "version 120", f"hash {HEAD.hash.hex()}", "epoch 2", "at_ms 77"),
        f"key {key.public.id}",
    ]
    for changed in (
        *(replace(checkpoint, at_ms=78), replace(checkpoint, head=replace(HEAD, version=121))),
        *(replace(checkpoint, head=replace(HEAD, hash=bytes(32))), replace(checkpoint, head=replace(HEAD, epoch=3))),
        *(replace(checkpoint, head=replace(HEAD, stream="table/T2")), replace(checkpoint, signature=bytes(64))),
    ):
        assert not is_signed_by(changed, key.public)
    assert not is_signed_by(checkpoint, new_key(tmp_path / "other.key").public)


def test_a_rotated_key_is_vouched_for_and_the_old_one_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "casino.key"
    old = new_key(path)
    fresh = rotate(path)
    assert [one.key for one in fresh.ring] == [old.public, fresh.public]
    assert read_signing_key(path).public == fresh.public != old.public
    assert set(trusted_keys([old.public], [fresh.ring])) == {old.public.id, fresh.public.id}
    assert set(trusted_keys([fresh.public], [fresh.ring])) == {fresh.public.id}
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_rotation_that_the_power_failed_in_leaves_a_key_that_signs(tmp_path: Path) -> None:
    """The ring was written and the new key was not: the old key signs on, and is rotated again."""
    path = tmp_path / "casino.key"
    old = new_key(path)
    kept = path.read_bytes()
    rotate(path)
    path.write_bytes(kept)
    again = read_signing_key(path)
    assert (again.public, again.ring) == (old.public, old.ring)
    assert rotate(path).ring[0].key == old.public


def test_a_ring_with_a_stranger_in_it_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "casino.key"
    new_key(path)
    stranger = new_key(tmp_path / "stranger.key")
    with ring_path(path).open("a") as ring:
        ring.write(stranger.ring[0].line + "\n")
    with pytest.raises(BadKey, match="not vouched for"):
        read_ring(ring_path(path))
    with pytest.raises(BadKey):
        read_signing_key(path)


@pytest.mark.parametrize(
    "text", ["", "sabot-key 1234 xyz -\n", "sabot-key 0000000000000000 AAAA -\n", "\x00\n", "hello\n"]
)
def test_what_is_no_ring_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "some.ring").write_text(text)
    with pytest.raises(BadKey, match="is not a ring"):
        read_ring(tmp_path / "some.ring")


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "casino.key"
    new_key(path)
    path.chmod(0o644)
    with pytest.raises(BadKey, match="can be read by others"):
        read_signing_key(path)


def test_a_key_is_never_made_over_another_one(tmp_path: Path) -> None:
    path = tmp_path / "casino.key"
    made = new_key(path)
    with pytest.raises(BadKey, match="is there already"):
        new_key(path)
    assert read_signing_key(path).public == made.public


@pytest.mark.parametrize("text", [b"", b"not a key", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
def test_what_is_no_key_is_refused(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "casino.key"
    path.write_bytes(text)
    path.chmod(0o600)
    with pytest.raises(BadKey, match="is not a signing key"):
        read_signing_key(path)
