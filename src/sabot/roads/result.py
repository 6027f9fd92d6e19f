"""A coup's result as the roads use it, written in letters: `B P T`, then `b p n` for a Banker pair, a Player pair and a
natural.
"""

import re
from typing import Literal

import msgspec

from sabot.basics.mistake import Mistake
from sabot.rules.coup import Coup, Winner
from sabot.rules.hand import Pair

WinnerLetter = Literal["B", "P", "T"]

LETTERS: dict[Winner, WinnerLetter] = {Winner.BANKER: "B", Winner.PLAYER: "P", Winner.TIE: "T"}


class CoupResult(msgspec.Struct, frozen=True):
    winner: WinnerLetter
    player_pair: bool = False
    banker_pair: bool = False
    natural: bool = False

    @staticmethod
    def of(coup: Coup) -> "CoupResult":
        """`natural` is that of the winning hand, or in a tie of both."""
        winning = coup.banker if coup.winner is Winner.BANKER else coup.player
        return CoupResult(
            LETTERS[coup.winner],
            player_pair=coup.player.pair is not Pair.NONE,
            banker_pair=coup.banker.pair is not Pair.NONE,
            natural=winning.natural,
        )

    def __str__(self) -> str:
        return self.winner + "b" * self.banker_pair + "p" * self.player_pair + "n" * self.natural


_RESULTS = {
    f"{winner}{''.join(suffixes)}": CoupResult(winner, "p" in suffixes, "b" in suffixes, "n" in suffixes)
    for winner in LETTERS.values()
    for suffixes in ("", *"bpn", "bp", "pb", "bn", "nb", "pn", "np", "bpn", "bnp", "pbn", "pnb", "nbp", "npb")
}
"""Every way to write a result: at most one of each suffix, in any order."""

_RUN = re.compile(r"[BPT][bpn]*")


def read_results(text: str) -> list[CoupResult]:
    """Read a sequence such as `T B Bb P Pn`; spaces and commas between results may be left out."""
    results = []
    for place, word in enumerate(text.replace(",", " ").split(), 1):
        if word in _RESULTS:
            results.append(_RESULTS[word])
            continue
        written = _RUN.findall(word)
        if "".join(written) != word or any(one not in _RESULTS for one in written):
            raise Mistake(
                f"result {place}, {word!r}, is not a result: write B, P or T, "
                "then b for a Banker pair, p for a Player pair, n for a natural, each at most once"
            )
        results.extend(_RESULTS[one] for one in written)
    return results
