"""Reads the rows of one part of a PostgreSQL journal, and verifies the records among them."""

import asyncpg

from sabot.journal.journal import Damaged, Derived, verified_record
from sabot.journal.packing import unpack, unpack_value
from sabot.journal.parts import OpeningState, PartSeal
from sabot.journal.record import Head, Record

OPEN_PART = "sabot"


def schema_of(number: int) -> str:
    """The schema of a sealed part."""
    return f"{OPEN_PART}_part{number:04}"


def read_derived(row: asyncpg.Record) -> Derived:
    stream, name, version, value = row
    return Derived(stream, name.decode(), version, unpack_value(value))


def read_part_seal(row: asyncpg.Record) -> PartSeal:
    return PartSeal(row["number"], row["text"], row["key_id"], row["signature"])


def read_opening(row: asyncpg.Record) -> OpeningState:
    return OpeningState(row["stream"], row["version"], row["hash"], row["form"], unpack_value(row["state"]))


def read_base(row: asyncpg.Record) -> Head:
    return Head(row["stream"], row["version"], row["hash"], row["epoch"])


def read_record(row: asyncpg.Record, before: bytes | None) -> Record:
    """The record in a row, after its hash was verified.

    `before` is the hash of the record before it, which records of earlier releases hold as well.
    """
    stream, version, key, packed, told, link, *_ = row
    body, previous = unpack(packed), told or before
    if previous is None:
        raise Damaged(f"record {version - 1} of {stream!r} is missing")
    record = verified_record(stream, version, key, body, previous, link)
    if before is not None and previous != before:
        raise Damaged(f"record {version} of {stream!r} does not follow from the one before it")
    return record
