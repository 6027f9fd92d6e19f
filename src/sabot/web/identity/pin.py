"""PINs: which ones are too easy to guess, and how they are hashed."""

import asyncio
import base64
import re
import secrets
from itertools import pairwise

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import ARGON2_VERSION

SHORTEST, LONGEST = 6, 16
USUAL = PasswordHasher()
"""The work that argon2-cffi advises: 64 megabytes, three times, on four lanes."""
AT_ONCE = 2
"""Hashes computed at once; each takes 64 megabytes, and a flood of guesses must not exhaust the memory."""
_FAVOURITES = frozenset({"159753", "147258", "147258369", "258369", "369258", "142536", "101010", "314159", "271828"})
"""Frequent PINs beside runs, repetitions and dates: paths on the keypad, and famous numbers."""


def new_pin() -> str:
    """One that is not refused, drawn by chance."""
    while weakness(pin := f"{secrets.randbelow(10**SHORTEST):0{SHORTEST}}") is not None:
        pass
    return pin


def weakness(pin: str) -> str | None:
    """Why a PIN is refused, in one sentence, or None."""
    if not re.fullmatch(rf"[0-9]{{{SHORTEST},{LONGEST}}}", pin):
        return f"a PIN has {SHORTEST} to {LONGEST} digits"
    digits = [int(digit) for digit in pin]
    if _is_run(digits):
        return "a PIN is no run of digits"
    if any(pin == (pin[:length] * len(pin))[: len(pin)] for length in range(1, len(pin) // 2 + 1)):
        return "a PIN does not repeat itself"
    doubled = digits[::2] == digits[1::2] and _is_run(digits[::2])
    if len(set(digits)) <= 2 or pin in _FAVOURITES or doubled:
        return "this PIN is one that many people choose"
    return None


def _is_run(digits: list[int]) -> bool:
    """Whether all digits are the same distance apart, modulo ten: 111111, 123456, 975319."""
    return len({(after - before) % 10 for before, after in pairwise(digits)}) == 1


def _hash_of_nothing(hasher: PasswordHasher) -> str:
    """A hash that no PIN has, in the form of this hasher's, but drawn by chance: it takes no work to make."""
    work = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    salt, digest = (
        base64.b64encode(secrets.token_bytes(length)).rstrip(b"=").decode()
        for length in (hasher.salt_len, hasher.hash_len)
    )
    return f"$argon2id$v={ARGON2_VERSION}${work}${salt}${digest}"


class PinHasher:
    """Argon2id in a thread, since it is slow on purpose and would block the event loop."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or USUAL
        self._room = asyncio.Semaphore(AT_ONCE)
        self.decoy = _hash_of_nothing(self._hasher)
        """Checked for a person without a PIN, so that the answer takes as long."""

    async def hash(self, pin: str) -> str:
        async with self._room:
            return await asyncio.to_thread(self._hasher.hash, pin)

    async def agrees(self, hashed: str | None, pin: str) -> bool:
        """Whether the PIN has this hash; without a hash it is False after the same work."""
        async with self._room:
            return await asyncio.to_thread(self._agrees, hashed or self.decoy, pin) and hashed is not None

    def is_outdated(self, hashed: str) -> bool:
        """Whether it was made with less work than is asked for now."""
        return self._hasher.check_needs_rehash(hashed)

    def _agrees(self, hashed: str, pin: str) -> bool:
        try:
            return self._hasher.verify(hashed, pin)
        except (VerificationError, InvalidHashError):
            return False
