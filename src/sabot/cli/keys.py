"""`sabot keys`: the keys that sign a journal's checkpoints."""

from pathlib import Path

import msgspec
from cyclopts import App

from sabot.cli.arguments import Flag
from sabot.cli.sentences import in_one_sentence
from sabot.cli.terminal import console, print_json, table
from sabot.journal.keys import RingKey, new_key, read_ring, read_signing_key, ring_path, rotate

keys = App(
    name="keys",
    help_epilogue="""Make a key, let a table sign with it, and hold its journal against it:

        sabot keys new casino.key

        sabot table --journal night.journal --key casino.key

        sabot journal verify night.journal --keys casino.key.ring

    The private key is one file that only you can read. Beside it lies its ring: the public keys, each vouched for by
    the one before it. Give the ring, or its first line, to whoever is to verify; it is no secret.""",
)


class Shown(msgspec.Struct, frozen=True):
    id: str
    vouched_by: str
    """The key before it, or nothing for the first."""
    signs: bool
    """Whether it is the one that signs now."""


@keys.command
def new(path: Path, /) -> int:
    """Make a key: the private one in PATH, readable by you alone, and its ring in PATH.ring.

        sabot keys new casino.key

    Parameters
    ----------
    path
        Where the private key goes. Nothing that is there is ever replaced.
    """
    with in_one_sentence():
        made = new_key(path)
    console().print(f"key {made.public.id} is made: {path} signs, {ring_path(path)} verifies")
    return 0


@keys.command(name="rotate")
def rotate_key(path: Path, /) -> int:
    """Put a new key in the place of the old one, which vouches for it once and is then gone for good.

        sabot keys rotate casino.key

    Whoever trusts the first key of the ring trusts the new one, without being told of it.

    Parameters
    ----------
    path
        The private key to be replaced.
    """
    with in_one_sentence():
        made = rotate(path)
    console().print(f"key {made.public.id} takes the place of {made.ring[-2].key.id}, which vouches for it")
    return 0


@keys.command
def show(path: Path, /, *, json: Flag = False) -> int:
    """Show the keys of a ring, or of a private key's ring, oldest first.

        sabot keys show casino.key

    Parameters
    ----------
    path
        A private key, or a ring.
    json
        Print the stable JSON form.
    """
    with in_one_sentence():
        ring = _ring(path)
    before = ["", *(one.key.id for one in ring)]
    listed = [Shown(one.key.id, before[place], place == len(ring) - 1) for place, one in enumerate(ring)]
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
    """Print the public keys, for whoever is to verify: one line each, as `journal verify --keys` reads them.

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
