"""`sabot --version --digest`: the version, the digest of the program, and what it covers."""

import hashlib
from importlib.metadata import version

import msgspec

from sabot.cli.terminal import console, print_json, table
from sabot.floor.records.program_digest import LEFT_OUT, PROGRAM_PARTS, ProgramPart, covered_files, program_digest


class CoveredFile(msgspec.Struct, frozen=True):
    path: str
    bytes: int
    sha256: str


class CoveredPart(msgspec.Struct, frozen=True):
    """A file or folder that the digest covers, and why."""

    path: str
    reason: str
    files: int


class ProgramVersion(msgspec.Struct, frozen=True):
    version: str
    digest: str
    count: int
    parts: tuple[CoveredPart, ...]
    files: tuple[CoveredFile, ...]
    left_out: tuple[ProgramPart, ...]


def program_version() -> ProgramVersion:
    files = tuple(
        CoveredFile(path, len(content), hashlib.sha256(content).hexdigest())
        for path, content in sorted(covered_files())
    )
    parts = tuple(
        CoveredPart(part.path, part.reason, sum(f"{one.path}/".startswith(f"{part.path}/") for one in files))
        for part in PROGRAM_PARTS
    )
    return ProgramVersion(version("sabot"), program_digest(), len(files), parts, files, LEFT_OUT)


def print_version(words: list[str]) -> int:
    shown = program_version()
    if "--json" in words:
        print_json(shown if "--digest" in words else {"version": shown.version})
        return 0
    out = console()
    out.print(f"sabot {shown.version}")
    out.print(f"digest of the program: {shown.digest}\n")
    covered = table("covered", "files|", "what it has")
    for part in shown.parts:
        covered.add_row(part.path, f"{part.files:,}", part.reason)
    out.print(covered)
    out.print(
        f"\nSHA-256 over {shown.count:,} files that decide or pay, by path. {len(shown.left_out)} files in these"
        " folders do neither and are left out; --json names every file."
    )
    return 0
