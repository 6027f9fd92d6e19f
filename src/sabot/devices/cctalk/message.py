"""Messages of ccTalk as bytes: who it is for, how many data bytes, a header, the data, and a check.

The check is a sum of all bytes that is zero modulo 256, or a CRC of 16 bits (polynomial 0x1021, first value 0). The low
byte of the CRC takes the place of the sender's address. An acceptor is set to one of the two. On the one data line of
ccTalk a host hears its own bytes: they are told apart by the address.
"""

from binascii import crc_hqx
from typing import Literal

import msgspec

Checksum = Literal["crc", "sum"]
HOST = 1
BILL_VALIDATOR = 40
"""The addresses of the host and, unless it was changed, of the first acceptor on the line."""
REPLY = 0
_AROUND = 5
"""A message without data has five bytes."""
_LONGEST = 64
"""More data bytes than any message between a host and a note acceptor has."""


class Message(msgspec.Struct, frozen=True):
    to: int
    header: int
    data: bytes = b""


def write_message(message: Message, sender: int, check: Checksum) -> bytes:
    length = len(message.data)
    assert length <= _LONGEST, "no message of ours is longer"
    if check == "crc":
        crc = crc_hqx(bytes((message.to, length, message.header)) + message.data, 0)
        return bytes((message.to, length, crc & 0xFF, message.header)) + message.data + bytes((crc >> 8,))
    written = bytes((message.to, length, sender, message.header)) + message.data
    return written + bytes((-sum(written) & 0xFF,))


class MessageReader:
    """Finds the messages for one address among bytes of which some may be wrong, missing, doubled or noise."""

    def __init__(self, address: int, peer: int, check: Checksum) -> None:
        self._address, self._peer, self._check = address, peer, check
        self._heard = bytearray()

    def clear(self) -> None:
        """Forget the beginning of a message that never came to its end."""
        self._heard.clear()

    def feed(self, data: bytes) -> list[Message]:
        self._heard += data
        found: list[Message] = []
        while self._heard:
            if not self._may_begin():
                del self._heard[0]
                continue
            if len(self._heard) < _AROUND or len(self._heard) < (end := _AROUND + self._heard[1]):
                break  # The rest may be on its way; who waits for it decides how long.
            whole = self._whole(end)
            if whole is None:
                del self._heard[0]
                continue
            del self._heard[:end]
            if whole.to == self._address:
                found.append(whole)
        return found

    def _may_begin(self) -> bool:
        """Whether the first byte is one of the two addresses, and the second a length that occurs."""
        is_for_one = self._heard[0] in (self._address, self._peer)
        return is_for_one and (len(self._heard) < 2 or self._heard[1] <= _LONGEST)

    def _whole(self, end: int) -> Message | None:
        """The message at the beginning, if its check is right."""
        to, length, third, header = self._heard[:4]
        data = bytes(self._heard[4 : end - 1])
        if self._check == "sum":
            is_right = sum(self._heard[:end]) & 0xFF == 0
        else:
            is_right = crc_hqx(bytes((to, length, header)) + data, 0) == third | self._heard[end - 1] << 8
        return Message(to, header, data) if is_right else None
