"""`sabot journal unload`: moves the oldest sealed part of a journal from a database into a file."""

import asyncio
from pathlib import Path

import msgspec

from sabot.audit.verify import Against
from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Flag, Json
from sabot.cli.journal.proof_sources import NO_SOURCES, ProofSources
from sabot.cli.sentences import in_one_sentence
from sabot.cli.terminal import console, print_json


class UnloadedPart(msgspec.Struct, frozen=True):
    part: int
    file: str
    digest: str
    """The digest of its seal."""
    standing: str
    """What the proof of the file alone came to."""
    dropped: bool


def unload(
    place: str, file: str, /, *, proof: ProofSources = NO_SOURCES, drop: Flag = False, json: Json = False
) -> int:
    """Write the oldest sealed part of a journal in PostgreSQL into a file, and prove the file alone.

        sabot journal unload postgresql://db/floor old --keys key.ring --drop

    The file is old.part0001 and so on: a sealed part like that of a journal in a file. With --drop
    its schema is removed from the database, but only where the file is *proved*.

    Parameters
    ----------
    place
        The database's URL; to drop, with the role that owns the tables.
    file
        The name to which the part's own ending is added.
    drop
        Remove the part from the database once its file is proved.
    """
    against = proof.against()
    if not against.keys:
        raise Mistake("a part is proved by the keys that sealed it: give their ring with --keys")
    with in_one_sentence():
        unloaded = asyncio.run(_unloaded(place, Path(file), against, drop=drop))
    if json:
        print_json(unloaded)
    else:
        after = "and dropped" if unloaded.dropped else "and still in the database"
        console().print(f"part {unloaded.part} is in {unloaded.file}: {unloaded.standing}, {after}", soft_wrap=True)
    return 0 if unloaded.standing == "proved" else 1


async def _unloaded(place: str, family: Path, against: Against, *, drop: bool) -> UnloadedPart:
    from sabot.audit.verify import Depth, Standing, verify
    from sabot.journal.opening import adapter_of, open_to_read

    adapter = adapter_of(place)
    seal, path = await adapter.unload(place, family)
    journal = await open_to_read(str(path))
    try:
        verdict = await verify(journal, against, lambda *_: None, depth=Depth.RECORDED)
    finally:
        await journal.close()
    dropped = drop and verdict.standing is Standing.PROVED
    if dropped:
        await adapter.drop_part(place, seal)
    return UnloadedPart(seal.number, str(path), seal.digest, verdict.standing.value, dropped)
