"""`sabot keys`: the keys that sign a journal's checkpoints."""

from pathlib import Path

import msgspec
from cyclopts import App

from sabot.cli.arguments import Json
from sabot.cli.help_text import paragraphs
from sabot.cli.sentences import in_one_sentence
from sabot.cli.terminal import console, print_json, table
from sabot.journal.keys import RingKey, admit, new_key, read_ring, read_signing_key, ring_path, rotate

keys = App(
    name="keys",
    help_epilogue=paragraphs("""Make a key, let a table sign with it, and verify its journal with it:

        sabot keys new casino.key

        sabot table --journal night.journal --key casino.key

        sabot journal verify night.journal --keys casino.key.ring

    The private key is one file that only you can read. Beside it is its ring: the public keys, each vouched for by the
    one before it. Give the ring, or its first line, to those who verify; it is no secret."""),
)


class ListedKey(msgspec.Struct, frozen=True):
    id: str
    vouched_by: str
    """The id of the key before it; empty for the first."""
    signs: bool
    """Whether it is the key that signs now."""


@keys.command
def new(path: Path, /) -> int:
    """Make a key: the private key in PATH, readable only by you, and its ring in PATH.ring.

        sabot keys new casino.key

    Parameters
    ----------
    path
        The file of the private key. An existing file is never replaced.
    """
    with in_one_sentence():
        made = new_key(path)
    console().print(f"key {made.public.id} is made: {path} signs, {ring_path(path)} verifies")
    return 0


@keys.command(name="rotate")
def rotate_key(path: Path, /) -> int:
    """Replace the key by a new one, which the old key vouches for before it is deleted.

        sabot keys rotate casino.key

    Verifiers that trust the first key of the ring trust the new one without further action.

    Parameters
    ----------
    path
        The private key to be replaced.
    """
    with in_one_sentence():
        made = rotate(path)
    console().print(f"key {made.public.id} takes the place of {made.ring[-2].key.id}, which vouches for it")
    return 0


@keys.command(name="admit")
def admit_key(path: Path, ring: Path, /) -> int:
    """Let a key vouch for the key of another process of the floor.

        sabot keys admit signing.key /from-floor-2/signing.key.ring

    RING is then the ring that the other process needs beside its key: it leads from this floor's first key to that one.
    A process that waits for it goes on by itself. Private keys stay where they are.

    Parameters
    ----------
    path
        A private key that the floor knows.
    ring
        The ring of the other key, which is written anew.
    """
    with in_one_sentence():
        made = admit(path, ring)
        by = read_signing_key(path).public.id
    console().print(f"key {by} vouches for key {made.key.id}; put {ring} beside that key again")
    return 0


@keys.command
def show(path: Path, /, *, json: Json = False) -> int:
    """Show the keys of a ring, or of a private key's ring, oldest first.

        sabot keys show casino.key

    Parameters
    ----------
    path
        A private key, or a ring.
    """
    with in_one_sentence():
        ring = _ring(path)
    before = ["", *(one.key.id for one in ring)]
    listed = [ListedKey(one.key.id, before[place], place == len(ring) - 1) for place, one in enumerate(ring)]
    if json:
        print_json(listed)
        return 0
    shown = table("id", "vouched for by", "")
    for one in listed:
        shown.add_row(one.id, one.vouched_by or "(the first)", "signs now" if one.signs else "")
    console().print(shown)
    return 0


@keys.command
def public(path: Path, /) -> int:
    """Print the public keys for a verifier: one line each, as `journal verify --keys` reads them.

        sabot keys public casino.key > for-the-auditor.ring

    Parameters
    ----------
    path
        A private key, or a ring.
    """
    with in_one_sentence():
        ring = _ring(path)
    for one in ring:
        console().print(one.line, soft_wrap=True)
    return 0


def _ring(path: Path) -> tuple[RingKey, ...]:
    return read_ring(path) if path.name.endswith(".ring") else read_signing_key(path).ring
