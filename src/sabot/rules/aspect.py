"""Aspects: the parts of a coup that a bet depends on. Coups that agree in an aspect are ruled alike by its bets."""

from collections.abc import Iterable
from typing import ClassVar

import msgspec

from sabot.rules.cards import Rank
from sabot.rules.coup import Coup
from sabot.rules.hand import Hand


class Aspect(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part that is left out makes no difference to the bet."""

    ending: bool = False
    """Both totals, and which hands drew."""
    player_pair: bool = False
    banker_pair: bool = False
    same_pair: bool = False
    """Whether both hands start with a pair of one rank."""
    player_thirds: tuple[Rank, ...] = ()
    """The ranks that the bet tells apart from others as Player's third card."""
    banker_thirds: tuple[Rank, ...] = ()

    ENDING: ClassVar["Aspect"]
    PLAYER_PAIR: ClassVar["Aspect"]
    BANKER_PAIR: ClassVar["Aspect"]
    BOTH_PAIRS: ClassVar["Aspect"]
    ALL: ClassVar["Aspect"]
    """The ending and both pairs: all that the approved rule sets tell apart."""

    def __or__(self, other: "Aspect") -> "Aspect":
        """What two bets together depend on. A pair beside the ending is asked of both hands, which costs the same."""
        ending = self.ending or other.ending
        same = self.same_pair or other.same_pair
        player_pair, banker_pair = self.player_pair or other.player_pair, self.banker_pair or other.banker_pair
        both = same or (ending and (player_pair or banker_pair))
        return Aspect(
            ending,
            both or player_pair,
            both or banker_pair,
            same,
            _together(self.player_thirds, other.player_thirds),
            _together(self.banker_thirds, other.banker_thirds),
        )

    @property
    def is_finer(self) -> bool:
        """Whether it tells coups apart that agree in ending and pairs."""
        return self.same_pair or bool(self.player_thirds or self.banker_thirds)

    def finer_class(self, coup: Coup) -> tuple[bool, Rank | None, Rank | None]:
        """What it tells apart beside ending and pairs."""
        same = self.same_pair and coup.same_pair
        return same, _third(coup.player, self.player_thirds), _third(coup.banker, self.banker_thirds)


def union(aspects: Iterable[Aspect]) -> Aspect:
    """What several bets or conditions together depend on."""
    together = Aspect()
    for one in aspects:
        together |= one
    return together


def _together(some: tuple[Rank, ...], others: tuple[Rank, ...]) -> tuple[Rank, ...]:
    return tuple(rank for rank in Rank if rank in some or rank in others)


def _third(hand: Hand, asked: tuple[Rank, ...]) -> Rank | None:
    return hand.third.rank if hand.third is not None and hand.third.rank in asked else None


Aspect.ENDING = Aspect(ending=True)
Aspect.PLAYER_PAIR = Aspect(player_pair=True)
Aspect.BANKER_PAIR = Aspect(banker_pair=True)
Aspect.BOTH_PAIRS = Aspect(player_pair=True, banker_pair=True)
Aspect.ALL = Aspect(ending=True, player_pair=True, banker_pair=True)
