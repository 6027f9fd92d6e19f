"""Entries for tests that care about where records go, not about what they mean."""

import random

import msgspec

from sabot.journal.record import Entry


def entry(key: str, answer: str = '{"do":"set_wager","cents":2500}') -> Entry:
    return Entry(key, "D1", "", 1_700_000_000_000, msgspec.Raw(answer.encode()))


def entries(count: int, prefix: str = "k") -> list[Entry]:
    return [entry(f"{prefix}{number}") for number in range(1, count + 1)]


def filler(size: int, seed: int) -> str:
    """Text that takes so many bytes, also where it is packed."""
    return random.Random(seed).randbytes(size).hex()
