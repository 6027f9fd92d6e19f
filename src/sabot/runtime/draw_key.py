"""The key behind the draws of tournaments: the seed of a draw follows from it, its label and its number.

So a seed needs no file of its own, every process that has the key can open a draw, and nothing is lost with a process.
Opening a draw publishes its seed, which tells nothing of the key.
"""

import hmac
import secrets
from pathlib import Path

from sabot.basics.mistake import Mistake
from sabot.runtime.shoe_files import make_once

KEY_BYTES = 32


class DrawKey:
    def __init__(self, path: Path) -> None:
        """The key in this file, which is made if it is not there; one that others can read is no key."""
        try:
            if not path.exists():
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                make_once(path, secrets.token_bytes(KEY_BYTES))
            mode, key = path.stat().st_mode & 0o777, path.read_bytes()
        except OSError as error:
            raise Mistake(f"the key of draws {path} cannot be made or read: {error.strerror}") from None
        if mode & 0o077:
            raise Mistake(f"the key of draws {path} can be read by others (mode {mode:o}); chmod 600 {path}")
        if len(key) != KEY_BYTES:
            raise Mistake(f"{path} is not a key of {KEY_BYTES} bytes")
        self._key = key

    def seed(self, label: str, nth: int) -> bytes:
        """The seed of the nth commitment under a label."""
        return hmac.digest(self._key, f"{label} {nth}".encode(), "sha256")
