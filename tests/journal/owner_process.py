"""A process that owns streams and appends to them until it is killed or fenced: the tests' victim.

It prints one line per acknowledgement, unbuffered, after the journal has answered; so whatever a line says was told to
somebody. It ends with status 3 when another owner has taken a stream.
"""

import asyncio
import os
import resource
import sys
from pathlib import Path

from sabot.journal.anchor import Anchoring
from sabot.journal.journal import Appended, Conflict
from sabot.journal.record import head_after
from sabot.journal.sqlite import SqliteJournal, open_sqlite
from tests.journal.entries import entries

FENCED = 3
FAILED = 4


def say(*words: object) -> None:
    os.write(1, (" ".join(str(word) for word in words) + "\n").encode())


async def own(journal: SqliteJournal, stream: str, pause: float) -> None:
    lease = await journal.acquire_lease(stream, f"process {os.getpid()}", 1)
    assert lease is not None
    head = await journal.head(stream)
    while True:
        records = head.then(lease.epoch, entries(1 + head.version % 3, f"{os.getpid()}/{head.version}/"))
        outcome = await journal.append(stream, head.version, records)
        match outcome:
            case Appended(version):
                head = head_after(records[-1])
                say("acknowledged", stream, version, head.hash.hex())
            case Conflict(found):
                say("fenced", stream, found)
                os._exit(FENCED)
            case failure:
                say("failed", failure)
                os._exit(FAILED)
        await asyncio.sleep(pause)


async def main(path: Path, streams: list[str], pause: float) -> None:
    anchoring = Anchoring(path.with_name("anchor"), every_ms=50)
    journal = await open_sqlite(path, anchoring=anchoring)
    say("open")
    await asyncio.gather(*(own(journal, stream, pause) for stream in streams))


if __name__ == "__main__":
    where, pause, largest_file, *names = sys.argv[1:]
    if int(largest_file):
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(largest_file), int(largest_file)))
    asyncio.run(main(Path(where), names, float(pause)))
