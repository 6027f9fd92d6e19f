"""Makes the clips that pages say: a file for each language, spoken by eSpeak NG, which comes as a package.

The package is needed when pages are built and nowhere else. Where it is missing no file is made, and the pages use the
browser's own speech.
"""

import ctypes
import json
import struct
from collections.abc import Sequence
from pathlib import Path

SCREENS = Path(__file__).resolve().parent
PHRASES = SCREENS / "src" / "catalogue" / "voices.json"
VOICES = SCREENS / "voices"
SYNCHRONOUS, UTF_8, RATE_PARAMETER = 2, 1, 1
WORDS_A_MINUTE = 150
QUIET = 200
"""Of 32,768: samples below it, before and after the words, are cut off."""
BIAS, LOUDEST = 0x84, 32_635
_Heard = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)


class Synthesiser:
    def __init__(self) -> None:
        import espeakng_loader  # type: ignore[import-untyped]  # noqa: PLC0415  May be missing.

        self._library = ctypes.CDLL(espeakng_loader.get_library_path())
        data = espeakng_loader.get_data_path().encode()
        self.rate: int = self._library.espeak_Initialize(SYNCHRONOUS, 0, data, 0)
        if self.rate <= 0:
            raise OSError("the synthesiser did not start")
        self._samples: list[int] = []
        self._hear = _Heard(self._take)
        self._library.espeak_SetSynthCallback(self._hear)

    def say(self, voice: str, words: str) -> list[int]:
        """The samples of some words, of 16 bits."""
        if self._library.espeak_SetVoiceByName(voice.encode()) not in (0, 2):
            raise OSError(f"the synthesiser has no voice {voice}")
        self._library.espeak_SetParameter(RATE_PARAMETER, WORDS_A_MINUTE, 0)
        self._samples.clear()
        text = words.encode() + b"\0"
        self._library.espeak_Synth(text, len(text), 0, 1, 0, UTF_8, None, None)
        self._library.espeak_Synchronize()
        return list(self._samples)

    def _take(self, samples: Sequence[int], count: int, _: int | None) -> int:
        if count > 0 and samples:
            self._samples.extend(samples[:count])
        return 0


def trimmed(samples: list[int]) -> list[int]:
    loud = [place for place, sample in enumerate(samples) if abs(sample) > QUIET]
    return samples[loud[0] : loud[-1] + 1] if loud else []


def halved(samples: list[int]) -> list[int]:
    """At half the rate, which is enough for a voice; neighbours are averaged first, so that nothing whistles."""
    padded = [0, *samples, 0]
    return [(padded[place] + 2 * padded[place + 1] + padded[place + 2]) // 4 for place in range(0, len(padded) - 2, 2)]


def packed(sample: int) -> int:
    """A sample of 16 bits in 8, by the law µ of telephony (G.711)."""
    size = min(abs(sample), LOUDEST) + BIAS
    exponent = size.bit_length() - 8
    return ~((0x80 if sample < 0 else 0) | (exponent << 4) | ((size >> (exponent + 3)) & 0x0F)) & 0xFF


def file_of(synthesiser: Synthesiser, voice: str, phrases: dict[str, str]) -> bytes:
    """The clips of a language, in the form that `src/sound/voice.ts` reads."""
    clips, samples = dict[str, tuple[int, int]](), bytearray()
    for name, words in phrases.items():
        said = bytes(map(packed, halved(trimmed(synthesiser.say(voice, words)))))
        clips[name] = len(samples), len(said)
        samples += said
    head = json.dumps({"rate": synthesiser.rate // 2, "clips": clips}).encode()
    return struct.pack("<I", len(head)) + head + samples


def make_voices() -> None:
    VOICES.mkdir(exist_ok=True)
    for old in VOICES.glob("*.bin"):
        old.unlink()
    try:
        synthesiser = Synthesiser()
    except (ImportError, OSError):
        return
    for code, spoken in json.loads(PHRASES.read_text(encoding="utf-8")).items():
        (VOICES / f"{code}.bin").write_bytes(file_of(synthesiser, spoken["voice"], spoken["words"]))


if __name__ == "__main__":
    make_voices()
