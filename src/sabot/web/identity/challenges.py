"""Challenges that a device answers over HTTP with its key, each once and within a minute.

The floor keeps none that it gave out, so strangers who ask for many cost nothing. Only one that was answered with an
enrolled key is remembered, until it has expired.
"""

import hmac
import secrets
from collections import deque
from collections.abc import Callable

LASTS_MS = 60_000
NONCE_BYTES = 16


class Challenges:
    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._key = secrets.token_bytes(32)
        """Of this process: a challenge is answered where it was given."""
        self._used: deque[tuple[int, str]] = deque()
        """With when each expires, oldest first."""

    def new(self) -> tuple[str, int]:
        """A nonce, and until when it may be answered."""
        expires_ms = self._now_ms() + LASTS_MS
        drawn = f"{expires_ms}.{secrets.token_urlsafe(NONCE_BYTES)}"
        return f"{drawn}.{self._mark(drawn)}", expires_ms

    def is_open(self, nonce: str) -> bool:
        """Whether it was given here, has not expired and was not answered before."""
        drawn, _, mark = nonce.rpartition(".")
        if not nonce.isascii() or not hmac.compare_digest(mark, self._mark(drawn)):
            return False
        now_ms = self._now_ms()
        while self._used and self._used[0][0] <= now_ms:
            self._used.popleft()
        return int(drawn.partition(".")[0]) > now_ms and nonce not in (used for _, used in self._used)

    def use(self, nonce: str) -> None:
        """It was answered with an enrolled key, and is good for nothing more."""
        self._used.append((self._now_ms() + LASTS_MS, nonce))

    def _mark(self, drawn: str) -> str:
        return hmac.digest(self._key, drawn.encode(), "sha256").hex()
