"""The private key of a device, which proves its identity at each connection and never leaves the device."""

import os
from base64 import urlsafe_b64encode
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from sabot.wire.frames import proof_text

OWNER_ONLY = 0o600
_HALF = 32


class BadDeviceKey(Exception):
    """A key file that cannot be used; the text is one sentence."""


class DeviceKey:
    """A private key on the curve P-256."""

    def __init__(self, private: EllipticCurvePrivateKey) -> None:
        self._private = private

    @classmethod
    def make(cls) -> "DeviceKey":
        return cls(generate_private_key(SECP256R1()))

    @classmethod
    def read(cls, path: Path) -> "DeviceKey":
        try:
            private = load_pem_private_key(path.read_bytes(), None)
        except (OSError, ValueError, TypeError) as error:
            raise BadDeviceKey(f"{path} holds no key that can be read: {error}") from None
        if not isinstance(private, EllipticCurvePrivateKey) or not isinstance(private.curve, SECP256R1):
            raise BadDeviceKey(f"{path} holds a key of another kind than devices have")
        return cls(private)

    def write(self, path: Path) -> None:
        """Write the key to a file that only its owner reads; an existing file is never overwritten."""
        written = self._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY), "wb") as file:
            file.write(written)

    @property
    def public(self) -> str:
        """The public key as enrolment takes it: SubjectPublicKeyInfo in base64url."""
        return _base64url(self._private.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo))

    def prove(self, floor: str, nonce: str) -> str:
        """The answer to a floor's challenge: r and s side by side, in base64url."""
        r, s = decode_dss_signature(self._private.sign(proof_text(floor, nonce), ECDSA(SHA256())))
        return _base64url(r.to_bytes(_HALF, "big") + s.to_bytes(_HALF, "big"))


def _base64url(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()
