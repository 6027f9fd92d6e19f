"""Signing keys: an Ed25519 private key in a file that only its owner can read, and a ring of public keys beside it.

A ring is a text file with a line for each key, the first one first:

    sabot-key 3b1f0c9a5d7e2468 MCowBQYDK2VwAyEA… -
    sabot-key 77a0e2c41b9d8f35 MCowBQYDK2VwAyEA… 5zq1…

The last word is the signature of the key before it over this one. So trust in the first key extends to every rotation,
and to no key that was added otherwise.
"""

import base64
import binascii
import hashlib
import os
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from sabot.journal.anchor import OWNER_ONLY

RING_SUFFIX = ".ring"


class BadKey(Exception):
    """A key file cannot be used; carries one sentence for a person."""


class PublicKey(msgspec.Struct, frozen=True):
    raw: bytes

    @property
    def id(self) -> str:
        """The key's short name: the first digits of its hash."""
        return hashlib.sha256(b"sabot key " + self.raw).hexdigest()[:16]

    def has_signed(self, signature: bytes, text: bytes) -> bool:
        try:
            _verifier(self.raw).verify(signature, text)
        except (InvalidSignature, ValueError):
            return False
        return True


@cache
def _verifier(raw: bytes) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(raw)


class RingKey(msgspec.Struct, frozen=True):
    """A public key with the signature of the key before it; the first key has none."""

    key: PublicKey
    vouched: bytes = b""

    @property
    def line(self) -> str:
        vouched = base64.b64encode(self.vouched).decode() or "-"
        return f"sabot-key {self.key.id} {base64.b64encode(self.key.raw).decode()} {vouched}"


class SigningKey:
    """The private key, and the ring that ends with its public key."""

    def __init__(self, private: Ed25519PrivateKey, ring: Sequence[RingKey]) -> None:
        self._private = private
        self.ring = tuple(ring)
        self.public = _public(private)

    def sign(self, text: bytes) -> bytes:
        return self._private.sign(text)


def new_key(path: Path) -> SigningKey:
    """Make a key pair: the private key in `path`, its ring beside it. Existing files are never replaced."""
    for there in (path, ring_path(path)):
        if there.exists():
            raise BadKey(f"{there} is there already; `sabot keys rotate` replaces a key")
    private = Ed25519PrivateKey.generate()
    key = SigningKey(private, (RingKey(_public(private)),))
    _write_private(path, private)
    _write(ring_path(path), _ring_text(key.ring))
    return key


def rotate(path: Path) -> SigningKey:
    """Replace the key by a new one, which the old one signs before it is deleted."""
    old = read_signing_key(path)
    private = Ed25519PrivateKey.generate()
    fresh = _public(private)
    ring = (*old.ring, RingKey(fresh, old.sign(_voucher(fresh))))
    # The ring is written first: after a power failure in between the old key still signs, with a ring that is longer.
    _write(ring_path(path), _ring_text(ring))
    _write_private(path, private)
    return SigningKey(private, ring)


def admit(path: Path, ring: Path) -> RingKey:
    """Let the key in `path` vouch for the key that a ring ends with; the ring then leads from the first to the second.

    So each machine of a floor has a private key of its own, and none of them ever travels.
    """
    known, other = read_signing_key(path), read_ring(ring)[-1].key
    if other == known.public:
        raise BadKey(f"{ring} ends with the key in {path}: a key does not vouch for itself")
    admitted = RingKey(other, known.sign(_voucher(other)))
    _write(ring, _ring_text((*known.ring, admitted)))
    return admitted


def read_signing_key(path: Path) -> SigningKey:
    try:
        mode = path.stat().st_mode & 0o777
        text = path.read_bytes()
    except OSError as error:
        raise BadKey(f"the key {path} cannot be read: {error.strerror}") from None
    if mode & 0o077:
        raise BadKey(f"the key {path} can be read by others (mode {mode:o}); chmod 600 {path}, or make a new key")
    try:
        private = load_pem_private_key(text, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        private = None
    if not isinstance(private, Ed25519PrivateKey):
        raise BadKey(f"{path} is not a signing key of Sabot; `sabot keys new` makes one")
    ring = read_ring(ring_path(path))
    places = [place for place, one in enumerate(ring) if one.key == _public(private)]
    if not places:
        raise BadKey(f"the ring {ring_path(path)} does not lead to the key {path}")
    return SigningKey(private, ring[: places[0] + 1])


def ring_path(path: Path) -> Path:
    return path.with_name(path.name + RING_SUFFIX)


def read_ring(path: Path) -> tuple[RingKey, ...]:
    """The keys of a ring file, each signed by the one before; any other file is refused."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadKey(f"the ring {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadKey(f"{path} is not a ring of public keys") from None
    ring = read_ring_lines(text.splitlines())
    if ring is None:
        raise BadKey(f"{path} is not a ring of public keys, or a key in it is not vouched for by the one before it")
    return ring


def read_ring_lines(lines: Iterable[str]) -> tuple[RingKey, ...] | None:
    """The keys on these lines; nothing where a line is no key, or a key is not signed by the one before it."""
    ring: list[RingKey] = []
    for line in lines:
        one = read_ring_key(line)
        if one is None or (ring and not vouches([ring[-1].key], one)):
            return None
        ring.append(one)
    return tuple(ring) or None


def vouches(known: Iterable[PublicKey], one: RingKey) -> bool:
    """Whether one of these keys has signed that one."""
    return any(key.has_signed(one.vouched, _voucher(one.key)) for key in known)


def trusted_keys(trusted: Iterable[PublicKey], rings: Iterable[Sequence[RingKey]]) -> dict[str, PublicKey]:
    """Every trusted key by its id: those given, and those of a ring that one of them leads to."""
    known = {key.id: key for key in trusted}
    for ring in rings:
        for one in ring:
            if one.key.id not in known and vouches(known.values(), one):
                known[one.key.id] = one.key
    return known


def read_ring_key(line: str) -> RingKey | None:
    match line.split():
        case ["sabot-key", identity, raw, vouched]:
            try:
                key = PublicKey(base64.b64decode(raw, validate=True))
                one = RingKey(key, b"" if vouched == "-" else base64.b64decode(vouched, validate=True))
            except (binascii.Error, ValueError):
                return None
            return one if key.id == identity else None
        case _:
            return None


def _ring_text(ring: Iterable[RingKey]) -> bytes:
    return "".join(f"{one.line}\n" for one in ring).encode()


def _voucher(key: PublicKey) -> bytes:
    """The text that the old key signs when a new one replaces it."""
    return b"sabot key rotation\nto " + base64.b64encode(key.raw) + b"\n"


def _public(private: Ed25519PrivateKey) -> PublicKey:
    return PublicKey(private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))


def _write_private(path: Path, private: Ed25519PrivateKey) -> None:
    _write(path, private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


def _write(path: Path, text: bytes) -> None:
    """Write atomically, readable by the owner alone from the beginning."""
    fresh = path.with_name(path.name + ".new")
    try:
        fresh.unlink(missing_ok=True)
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
        with os.fdopen(descriptor, "wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        raise BadKey(f"{path} cannot be written: {error.strerror}") from None
