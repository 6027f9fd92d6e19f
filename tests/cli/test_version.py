"""The version, and the digest of the program with what it covers."""

import hashlib

from sabot.floor.records.program_digest import covered_files, program_digest
from tests.cli.sabot import sabot


def test_the_digest_is_printed_with_what_it_covers() -> None:
    ran = sabot("--version", "--digest")
    assert ran.code == 0
    assert f"digest of the program: {program_digest()}" in ran.out
    assert "floor/virtual/shoe.py" in ran.out
    assert f"{len([*covered_files()])} files" in ran.out


def test_the_json_form_names_every_file_with_its_hash() -> None:
    told = sabot("--digest", "--version", "--json").json
    assert told["digest"] == program_digest()
    assert {one["path"]: one["sha256"] for one in told["files"]} == {
        path: hashlib.sha256(content).hexdigest() for path, content in covered_files()
    }
    assert sum(part["files"] for part in told["parts"]) == told["count"] == len(told["files"])
    assert all(part["files"] and part["reason"] for part in told["parts"])


def test_the_version_alone_is_one_line() -> None:
    version = sabot("--version").out
    assert sabot("--version", "--json").json == {"version": version.strip()}


def test_the_digest_alone_is_refused() -> None:
    assert sabot("--digest").code == 2
