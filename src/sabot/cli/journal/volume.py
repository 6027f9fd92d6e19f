"""`sabot journal volume`: where the bytes of a journal go."""

from sabot.cli.arguments import Flag
from sabot.cli.sentences import in_one_sentence
from sabot.cli.terminal import console, print_json
from sabot.cli.terminal import table as columns
from sabot.journal.opening import volume as volume_of
from sabot.journal.volume import JournalVolume


def volume(place: str, /, *, json: Flag = False) -> int:
    """Say where the bytes of a journal in a file go: by part, and by kind of record.

        sabot journal volume night.journal

    Parameters
    ----------
    place
        The path of a journal.
    json
        Print the stable JSON form.
    """
    with in_one_sentence():
        found = volume_of(place)
    if json:
        print_json(found)
    else:
        _print(found)
    return 0


def _print(found: JournalVolume) -> None:
    total = sum(found.parts.values())
    shown = columns("part", "bytes|", "share|")
    for name, size in found.parts.items():
        shown.add_row(name, f"{size:,}", f"{size / total:.1%}")
    shown.add_row("all", f"{total:,}", "100.0%")
    console().print(shown)
    kinds = columns("records of", "number|", "body bytes|", "stored bytes|", "stored, each|")
    for name, kind in found.kinds.items():
        each = kind.stored_bytes / kind.records
        kinds.add_row(name, f"{kind.records:,}", f"{kind.body_bytes:,}", f"{kind.stored_bytes:,}", f"{each:,.0f}")
    console().print()
    console().print(kinds)
