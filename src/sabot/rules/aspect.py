"""Aspects: the parts of a coup that a bet depends on. Coups that agree in an aspect are ruled alike by its bets."""

from collections.abc import Iterable
from typing import ClassVar

import msgspec

from sabot.rules.coup import Coup
from sabot.rules.pattern import Signature, signatures, start, third


class Aspect(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part that is left out makes no difference to the bet."""

    ending: bool = False
    """Both totals, and which hands drew."""
    player_pair: bool = False
    banker_pair: bool = False
    same_pair: bool = False
    """Whether both hands start with a pair of one rank."""
    player_thirds: tuple[str, ...] = ()
    """The patterns of `pattern` that the bet asks of Player's third card."""
    banker_thirds: tuple[str, ...] = ()
    player_starts: tuple[str, ...] = ()
    """The patterns that the bet asks of Player's first two cards."""
    banker_starts: tuple[str, ...] = ()

    ENDING: ClassVar["Aspect"]
    PLAYER_PAIR: ClassVar["Aspect"]
    BANKER_PAIR: ClassVar["Aspect"]
    BOTH_PAIRS: ClassVar["Aspect"]
    ALL: ClassVar["Aspect"]
    """The ending and both pairs: all that the approved rule sets tell apart."""

    def __or__(self, other: "Aspect") -> "Aspect":
        """What two bets together depend on. A pair beside anything else is asked of both hands."""
        ending = self.ending or other.ending
        same = self.same_pair or other.same_pair
        player_pair, banker_pair = self.player_pair or other.player_pair, self.banker_pair or other.banker_pair
        player_starts = _together(self.player_starts, other.player_starts)
        banker_starts = _together(self.banker_starts, other.banker_starts)
        both = same or ((ending or player_starts or banker_starts) and (player_pair or banker_pair))
        return Aspect(
            ending,
            bool(both) or player_pair,
            bool(both) or banker_pair,
            same,
            _together(self.player_thirds, other.player_thirds),
            _together(self.banker_thirds, other.banker_thirds),
            player_starts,
            banker_starts,
        )

    @property
    def is_finer(self) -> bool:
        """Whether it tells coups apart that agree in ending and pairs."""
        return self.same_pair or self.asks_for_cards

    @property
    def asks_for_cards(self) -> bool:
        return bool(self.player_thirds or self.banker_thirds or self.player_starts or self.banker_starts)

    @property
    def asks_for_suits(self) -> bool:
        """Whether it asks for suits other than those of a pair."""
        starts, thirds = self.player_starts + self.banker_starts, self.player_thirds + self.banker_thirds
        return any(start(text).asks_for_suits for text in starts) or any(third(text).asks_for_suits for text in thirds)

    def finer_class(self, coup: Coup) -> tuple[bool, tuple[Signature, Signature], tuple[Signature, Signature]]:
        """What it tells apart beside ending and pairs."""
        player = signatures(coup.player, self.player_starts, self.player_thirds)
        return (
            self.same_pair and coup.same_pair,
            player,
            signatures(coup.banker, self.banker_starts, self.banker_thirds),
        )


def union(aspects: Iterable[Aspect]) -> Aspect:
    """What several bets or conditions together depend on."""
    together = Aspect()
    for one in aspects:
        together |= one
    return together


def _together(some: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({*some, *others}))


Aspect.ENDING = Aspect(ending=True)
Aspect.PLAYER_PAIR = Aspect(player_pair=True)
Aspect.BANKER_PAIR = Aspect(banker_pair=True)
Aspect.BOTH_PAIRS = Aspect(player_pair=True, banker_pair=True)
Aspect.ALL = Aspect(ending=True, player_pair=True, banker_pair=True)
