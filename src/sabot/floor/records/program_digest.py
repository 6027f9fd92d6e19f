"""The digest of the program: a hash of the sources and data that decide acts or pay money.

It is the build that a regulator approves for a table. Screens, transport, storage, reports, scenarios and wording do
not change it.
"""

import hashlib
from collections.abc import Iterable, Iterator
from importlib import resources
from importlib.resources.abc import Traversable

import msgspec


class ProgramPart(msgspec.Struct, frozen=True):
    """A file or folder of the package, and why the digest covers it or leaves it out."""

    path: str
    reason: str


PROGRAM_PARTS = (
    ProgramPart("basics", "amounts, roles and the collections that states are made of"),
    ProgramPart("rules", "cards, table of play, rule sets, settlement and limits"),
    ProgramPart("ledger", "accounts, postings and balances"),
    ProgramPart("table", "acts, events and state of a table, its money, and the form of its state"),
    ProgramPart("house", "acts, events and state of the house: tickets, staff, days, and the form of its state"),
    ProgramPart("tournament", "conditions, scores and prizes of tournaments"),
    ProgramPart("floor/records", "the form of records and snapshots, and how states are rebuilt from them"),
    ProgramPart("floor/exchange", "acts that follow at the house from a table's events, and the other way round"),
    ProgramPart("floor/stamper.py", "who gives an act, in which role, and what the house adds to it"),
    ProgramPart("floor/tournament_stamper.py", "the same for acts to tournaments"),
    ProgramPart("floor/virtual/shoe.py", "the shuffle of a virtual shoe, which decides its coups"),
    ProgramPart("runtime/shoe_files.py", "the random bytes that a virtual shoe is shuffled with"),
    ProgramPart("runtime/draw_key.py", "the seeds of the draws that seat a tournament"),
    ProgramPart("journal/record.py", "the bytes of a record, over which the chain of hashes runs"),
)
"""What the digest covers, without `LEFT_OUT`."""

LEFT_OUT = (
    ProgramPart("basics/at_once.py", "runs what is in memory; nothing that decides imports it"),
    ProgramPart("basics/doubled_keys.py", "refuses frames before they are acts"),
    ProgramPart("basics/missing_extra.py", "the sentence for a package that is not installed"),
    ProgramPart("house/liability.py", "a report of what the house owes"),
    ProgramPart("table/irregularities/details.py", "what a form asks for a fact; nothing that decides imports it"),
    ProgramPart("table/preview.py", "shows what a decision would do; nothing that decides imports it"),
    ProgramPart("table/wagers/touches.py", "quickens replays; nothing that decides imports it"),
    *(
        ProgramPart(f"{folder}/fixtures/{name}", "examples; a floor has files of its own")
        for folder, names in (
            ("table", ("__init__.py", "crown.toml", "singapore.toml")),
            ("tournament/conditions", ("__init__.py", "autumn.toml", "night.toml", "spring.toml")),
        )
        for name in names
    ),
    ProgramPart("rules/explanation.py", "shows a coup; nothing that decides imports it"),
    *(
        ProgramPart(file, "puts events into words; nothing that decides imports it")
        for file in (
            "basics/phrase.py",
            *(f"{room}/{name}.py" for room in ("table", "house", "tournament") for name in ("phrases", "sentences")),
            "table/sessions/sentences.py",
        )
    ),
    *(
        ProgramPart(f"tournament/{file}", "prints conditions; nothing that decides imports it")
        for file in (
            *(f"conditions/document/{name}.py" for name in ("__init__", "form", "entry_part", "play_part")),
            *(f"conditions/words/{name}" for name in ("__init__.py", "en.toml", "zh.toml", "zh-Hant.toml")),
        )
    ),
)
"""Files inside the parts above that neither decide nor pay."""


def program_digest(package: Traversable | None = None) -> str:
    """The digest of the program that decides and pays: this one, or the one in another copy of the package."""
    return _digest(covered_files(package))


def covered_files(package: Traversable | None = None) -> Iterator[tuple[str, bytes]]:
    """The files that the digest covers, by their path in the package."""
    left_out = {part.path for part in LEFT_OUT}
    for part in PROGRAM_PARTS:
        yield from ((path, content) for path, content in _files(package, part.path) if path not in left_out)


def package_digest(package: Traversable | None = None) -> str:
    """A digest of the whole package, scenarios included: for results that hold only for exactly these files."""
    return _digest(_files(package, ""))


def _digest(files: Iterable[tuple[str, bytes]]) -> str:
    digest = hashlib.sha256()
    for path, content in sorted(files):
        digest.update(f"{path}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def _files(package: Traversable | None, path: str) -> Iterator[tuple[str, bytes]]:
    root = package or resources.files("sabot")
    return _below(root.joinpath(path) if path else root, path)


def _below(entry: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    if not entry.is_dir():
        yield path, entry.read_bytes()
    elif entry.name != "__pycache__":
        for each in entry.iterdir():
            if each.name.startswith(".") or each.name.endswith("~"):
                continue  # What editors leave in a checkout; Python imports nothing of such a name.
            yield from _below(each, f"{path}/{each.name}" if path else each.name)
