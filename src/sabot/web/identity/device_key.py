"""The public keys of devices: their fingerprints, and the check of a signed challenge.

A browser makes a key pair on the curve P-256 whose private key cannot be extracted (WebCrypto), and signs with
ECDSA and SHA-256. Public keys travel as SubjectPublicKeyInfo and signatures as r and s side by side, both in base64url.
"""

import hashlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePublicKey, generate_private_key
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_der_public_key

HALF = 32
"""Bytes of r, and of s."""


class BadPublicKey(ValueError):
    """The text is no public key on the curve P-256."""


def read_public_key(written: str) -> bytes:
    """The canonical encoding of a key in base64url; refused unless it is a point on the curve P-256."""
    try:
        key = load_der_public_key(from_base64url(written))
    except (ValueError, UnsupportedAlgorithm):
        raise BadPublicKey("the key is not a public key in base64url") from None
    if not isinstance(key, EllipticCurvePublicKey) or not isinstance(key.curve, SECP256R1):
        raise BadPublicKey("the key is not on the curve P-256")
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def new_public_key() -> bytes:
    """The public half of a key that nobody holds."""
    key = generate_private_key(SECP256R1()).public_key()
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def fingerprint(public_key: bytes) -> str:
    """The SHA-256 of a key, which the house records."""
    return hashlib.sha256(public_key).hexdigest()


def is_signed(public_key: bytes, text: bytes, signature: str) -> bool:
    """Whether this text was signed with the private half of this key."""
    key = load_der_public_key(public_key)
    assert isinstance(key, EllipticCurvePublicKey), "only such keys are kept"
    try:
        raw = from_base64url(signature)
    except ValueError:
        return False
    if len(raw) != 2 * HALF:
        return False
    r, s = int.from_bytes(raw[:HALF], "big"), int.from_bytes(raw[HALF:], "big")
    try:
        key.verify(encode_dss_signature(r, s), text, ECDSA(SHA256()))
    except InvalidSignature:
        return False
    return True


def to_base64url(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def from_base64url(written: str) -> bytes:
    """Decode strictly: letters of the alphabet only, with correct padding or none."""
    bare = written.rstrip("=")
    if not bare.isascii() or not all(letter.isalnum() or letter in "-_" for letter in bare):
        raise ValueError("the text is not base64url")
    try:
        return urlsafe_b64decode(bare + "=" * (-len(bare) % 4))
    except NotBase64:
        raise ValueError("the text is not base64url") from None
