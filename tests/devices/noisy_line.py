"""A serial line with noise, lost and doubled bytes, late and missing answers, drawn from a seed."""

import random


class NoisyLine:
    def __init__(self, chance: random.Random, trouble: float) -> None:
        self._chance, self.trouble = chance, trouble
        self._late = b""

    def carry(self, data: bytes) -> bytes:
        """What arrives of these bytes; what is late arrives with the next ones."""
        if self._chance.random() >= self.trouble:
            arrived, self._late = self._late + data, b""
            return arrived
        match self._chance.randrange(6):
            case 0:
                return b""
            case 1:
                late, self._late = self._late, data
                return late
            case 2:
                return data + data
            case 3:
                return self._chance.randbytes(self._chance.randrange(1, 8)) + data
            case _:
                return b"".join(self._garbled(byte) for byte in data)

    def _garbled(self, byte: int) -> bytes:
        match self._chance.randrange(12):
            case 0:
                return b""
            case 1:
                return bytes((byte, byte))
            case 2:
                return bytes((byte ^ 1 << self._chance.randrange(8),))
            case _:
                return bytes((byte,))
