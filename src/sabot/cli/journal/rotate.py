"""`sabot journal rotate`: seals the open part of a journal, and goes on in a new one."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Json
from sabot.cli.sentences import in_one_sentence
from sabot.cli.terminal import console, print_json

if TYPE_CHECKING:
    from sabot.journal.journal import Journal

FLOOR_FILE = ".toml"


class SealedPart(msgspec.Struct, frozen=True):
    part: int
    """The number of the part that was sealed."""
    digest: str
    """The digest of its seal, which the next part keeps."""


def rotate(place: str, /, *, key: Path | None = None, anchor: Path | None = None, json: Json = False) -> int:
    """Seal the open part of a journal, and go on in a new one.

        sabot journal rotate floor.journal --key signing.key --anchor floor.anchor

        sabot journal rotate floor.toml

        sabot journal rotate postgresql://sabot_owner@db/floor --key signing.key

    The sealed part lies beside the journal as floor.journal.part0001 and so on. It can be moved away, and proved alone
    with `sabot journal verify`. The new part holds the states of all streams and the newest records, so a floor starts
    from it alone; what lies in earlier parts is read from them where they are. Of a floor that is being served from a
    file, name the floor's file: the running process is asked. A journal in PostgreSQL is rotated by the owner of its
    tables, while processes serve from it; the sealed part is a schema of its own, sabot_part0001 and so on.

    Parameters
    ----------
    place
        The path of a journal that nobody serves, the floor's file of a running floor, or the URL of a database with the
        role that owns its tables.
    key
        The key that signs the seal: one of the ring on record.
    anchor
        The anchor of the journal, which is compared first.
    """
    if place.endswith(FLOOR_FILE):
        sealed = _ask_floor(Path(place))
    else:
        if key is None:
            raise Mistake("a part is sealed with a signature: give the journal's signing key with --key")
        with in_one_sentence():
            sealed = asyncio.run(_rotate(place, key, anchor))
    if json:
        print_json(sealed)
    else:
        console().print(f"part {sealed.part} is sealed: {sealed.digest}", soft_wrap=True)
    return 0


async def _rotate(place: str, key_file: Path, anchor: Path | None) -> SealedPart:
    from sabot.audit.rotation_plan import make_snapshots, rotation_plan
    from sabot.journal.keys import read_signing_key
    from sabot.journal.opening import open_to_write, path_of
    from sabot.journal.signer import Signer
    from sabot.journal.steady_clock import wall_ms

    path = path_of(place)
    if path is not None and not path.is_file():
        raise Mistake(f"there is no journal at {place}")
    key = read_signing_key(key_file)
    opened = await open_to_write(place, anchor=anchor, keys=tuple(one.key for one in key.ring))
    try:
        why = await Signer(opened.journal, key, "sabot journal rotate", wall_ms).look()
        if why is not None:
            raise Mistake(f"the journal is not rotated: {why}")
        if path is not None or not await _is_served(opened.journal, wall_ms()):
            await make_snapshots(opened.journal)
        seal = await opened.journal.rotate(await rotation_plan(opened.journal, key, wall_ms()))
    finally:
        await opened.journal.close()
    return SealedPart(seal.number, seal.digest)


async def _is_served(journal: "Journal", now_ms: int) -> bool:
    """Whether processes own streams of a database: they keep the snapshots, and go on while it is rotated."""
    leases = [await journal.lease(stream) for stream in await journal.streams()]
    return any(lease is not None and not lease.has_expired(now_ms) for lease in leases)


def _ask_floor(config: Path) -> SealedPart:
    from sabot.cli.floor_process import ask_to_rotate

    number, digest = ask_to_rotate(config)
    return SealedPart(number, digest)
