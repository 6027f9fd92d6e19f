"""A virtual shoe as it lies in its file until it ends: locked with the floor's key.

AES-256-GCM both hides and authenticates. A file that was changed by one bit, belongs to another table or another shoe,
or was locked with another key, does not open. Table and number stand outside the lock so that a person can tell the
files apart, and are bound to what is inside.
"""

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from sabot.basics.mistake import Mistake
from sabot.floor.virtual.shoe import VirtualShoe
from sabot.table.shoe.commitment import SALT_BYTES, split_order

KEY_BYTES = 32
NONCE_BYTES = 12
FORM = 1


class _Locked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    sabot_shoe: int
    table: str
    number: int
    nonce: bytes
    locked: bytes


class _Inside(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    order: str
    salt: bytes


def lock(shoe: VirtualShoe, key: bytes, nonce: bytes) -> bytes:
    """The file of a shoe. The nonce is drawn anew for each; twice the same would undo the lock."""
    inside = msgspec.json.encode(_Inside("".join(shoe.order), shoe.salt))
    locked = AESGCM(key).encrypt(nonce, inside, _bound(shoe.table, shoe.number))
    return msgspec.json.encode(_Locked(FORM, shoe.table, shoe.number, nonce, locked))


def unlock(written: bytes, key: bytes, table: str, number: int) -> VirtualShoe:
    """The shoe in a file, or one sentence about why there is none."""
    try:
        file = msgspec.json.decode(written, type=_Locked)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Mistake("it is not the file of a shoe, or it is damaged") from None
    if file.sabot_shoe != FORM:
        raise Mistake(f"it has form {file.sabot_shoe}, and this program knows form {FORM}")
    if (file.table, file.number) != (table, number):
        raise Mistake(f"it is shoe {file.number} of table {file.table}, not shoe {number} of table {table}")
    try:
        inside = msgspec.json.decode(AESGCM(key).decrypt(file.nonce, file.locked, _bound(table, number)), type=_Inside)
    except (InvalidTag, ValueError):
        raise Mistake("the floor's key does not open it: it was changed, or locked with another key") from None
    order = split_order(inside.order)
    assert order is not None and len(inside.salt) == SALT_BYTES, "only a whole shoe is ever locked"  # noqa: PT018
    return VirtualShoe(table, number, order, inside.salt)


def _bound(table: str, number: int) -> bytes:
    return msgspec.json.encode(["sabot shoe", FORM, table, number])
