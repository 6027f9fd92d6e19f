"""Slips by which tournaments and the cage pay each other, and the books of a tournament at the house."""

from typing import Annotated

import msgspec

from sabot.basics.act import Act, Word
from sabot.basics.bounds import MOST_COUNTED, MOST_TOLD, AmountTold, NameSaid, TextSaid
from sabot.house.state import SlipDirection, SlipPart

TournamentId = Annotated[str, msgspec.Meta(pattern=r"^[A-Z][A-Z0-9-]{0,19}$")]
SlipNumber = Annotated[str, msgspec.Meta(pattern=r"^[A-Z][A-Z0-9-]{0,19}-[0-9]{6,}$")]
"""The tournament's id and a running number: `SPRING-000001`."""


class RegisterSlip(Act, frozen=True, kw_only=True):
    """Take note of a slip that a tournament has raised; telling it again changes nothing."""

    slip: SlipNumber
    tournament: TournamentId
    direction: SlipDirection
    cents: AmountTold
    parts: dict[SlipPart, AmountTold]
    """What of it goes to which account, or comes from it."""
    purpose: Word
    """`fee`, `buy_in`, `buy_back`, `refund`, `balance` or `prize`."""
    entrant: Annotated[int, msgspec.Meta(ge=0, extra={"most": MOST_COUNTED})]
    player: NameSaid = ""
    """The reference of the entrant's patron."""


class CancelSlip(Act, frozen=True, kw_only=True):
    """The tournament has withdrawn a slip; one that is settled stays settled."""

    slip: SlipNumber


class RaisePool(Act, frozen=True, kw_only=True):
    """What the house adds to a tournament's prizes: to the pool, to the guarantee and for prizes of a fixed amount.

    The figure is whole; told again it changes nothing, and another figure moves the difference.
    """

    tournament: TournamentId
    cents: Annotated[int, msgspec.Meta(ge=0, extra={"most": MOST_TOLD})]


class SettleStakes(Act, frozen=True, kw_only=True):
    """What the house won of a closed cash sitting, or lost where it is below zero (G-135); a whole figure too."""

    tournament: TournamentId
    sitting: NameSaid
    won_cents: Annotated[int, msgspec.Meta(extra={"least": -MOST_TOLD, "most": MOST_TOLD})]


class CloseTournament(Act, frozen=True, kw_only=True):
    """Close a tournament's books: its fees are earned."""

    tournament: TournamentId


class TakeSlip(Act, frozen=True, kw_only=True):
    slip: SlipNumber
    tender: Word = "cash"


class PaySlip(Act, frozen=True, kw_only=True):
    slip: SlipNumber


class HoldSlip(Act, frozen=True, kw_only=True):
    """Keep a slip from being paid while an investigation is on (CROWN 13.2.3)."""

    slip: SlipNumber
    reason: TextSaid


class ReleaseSlip(Act, frozen=True, kw_only=True):
    """Let the cage pay a slip that is held or has expired, or let what is held be forfeited."""

    slip: SlipNumber
    forfeit: bool = False
    reason: TextSaid


SlipAct = TakeSlip | PaySlip | HoldSlip | ReleaseSlip
CarriedSlipAct = RegisterSlip | CancelSlip | RaisePool | SettleStakes | CloseTournament
