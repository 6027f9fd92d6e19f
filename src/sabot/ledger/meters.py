"""Meters: the totals of each station, counted independently of the ledger so that the two can be compared."""

from collections.abc import Mapping

import msgspec

from sabot.ledger.ledger import Purse


class Meters(msgspec.Struct, frozen=True, gc=False):
    """Running totals in cents since the station was enrolled; they only grow, but for a buy-in that was keyed wrong."""

    came_in: Mapping[str, int] = {}
    """By kind of tender: cash, voucher, token, chips, notes, ticket; in a tournament session credits."""
    wagered: int = 0
    """Stakes of settled coups: the turnover. A wager that came back unrecognised or void was never at stake."""
    credited: int = 0
    """Stakes returned and winnings, after commission, of settled coups."""
    commission: int = 0
    paid: Mapping[str, int] = {}
    """By way of payment: chips, ticket, manual; in a tournament session credits forfeited and returned."""
    adjusted: int = 0
    """What corrections of earlier coups added to the account, less what they took from it."""
    coups: int = 0
    """Settled coups in which the station had a wager."""
    moved: int = 0
    """What patrons who were moved brought from other stations, less what they took along to others."""

    def bought_in(self, kind: str, cents: int) -> "Meters":
        came_in = {**self.came_in, kind: self.came_in.get(kind, 0) + cents}
        return msgspec.structs.replace(self, came_in=came_in)

    def rekeyed(self, was: str, was_cents: int, kind: str, cents: int) -> "Meters":
        """What came in, with the amount that was tendered in place of the one that was keyed."""
        came_in = {**self.came_in, was: self.came_in[was] - was_cents}
        came_in[kind] = came_in.get(kind, 0) + cents
        return msgspec.structs.replace(self, came_in={one: total for one, total in came_in.items() if total})

    def paid_out(self, kind: str, cents: int) -> "Meters":
        return msgspec.structs.replace(self, paid={**self.paid, kind: self.paid.get(kind, 0) + cents})

    def settled(self, stakes: int, credited: int, commission: int) -> "Meters":
        return Meters(
            self.came_in,
            self.wagered + stakes,
            self.credited + credited,
            self.commission + commission,
            self.paid,
            self.adjusted,
            self.coups + 1,
            self.moved,
        )

    def corrected(self, cents: int) -> "Meters":
        return msgspec.structs.replace(self, adjusted=self.adjusted + cents)

    def moved_by(self, cents: int) -> "Meters":
        return msgspec.structs.replace(self, moved=self.moved + cents)

    def left(self) -> int:
        """The balance by the self-audit equation: money in + credits + adjustments + moved − turnover − money paid."""
        left = self.credited + self.adjusted + self.moved - self.wagered
        for cents in self.came_in.values():
            left += cents
        for cents in self.paid.values():
            left -= cents
        return left

    def agree_with(self, purse: Purse) -> bool:
        return purse.total == self.left()
