"""What people do with the cards, from the count to the cutting card."""

from typing import Literal

from sabot.basics.act import Act
from sabot.basics.bounds import CountSaid, LongTextSaid, NameSaid, TextSaid

ShuffleMethod = Literal["hand", "machine", "virtual", "pre-shuffled"]


class CheckCards(Act, frozen=True, kw_only=True):
    """Count the cards before gaming starts or after it ended, or those that are still in the shoe."""

    cards: CountSaid
    when: Literal["opening", "closing", "rest"] = "opening"
    of_each_rank: CountSaid | None = None
    """How many of each rank were counted, where that was done."""


class Pack(Act, frozen=True, kw_only=True):
    """Record cards that were shuffled ahead and put away securely."""

    pack: NameSaid
    stored: TextSaid


class NewShoe(Act, frozen=True, kw_only=True):
    """Record the shuffle, or bring in a pre-shuffled pack."""

    method: ShuffleMethod = "hand"
    pack: NameSaid | None = None
    commitment: NameSaid | None = None
    """What a virtual shoe publishes about its order before it is dealt, in 64 hexadecimal digits."""


class OpenShoe(Act, frozen=True, kw_only=True):
    """Open a virtual shoe that has ended, so that anybody can hold its order against its commitment."""

    order: LongTextSaid
    """All its cards as they were shuffled, two letters each."""
    salt: NameSaid


class OrderShuffle(Act, frozen=True, kw_only=True):
    """End the shoe at once because of an abnormal sequence or another good cause."""

    reason: TextSaid
    abnormal: bool = False


class ReplaceCards(Act, frozen=True, kw_only=True):
    """Take cards out of use: all of them after the last coup, or unfit ones at any time between coups.

    Where unfit cards are named, each is replaced like for like and the shoe is played on (G-26).
    """

    reason: TextSaid
    unfit: bool = False
    cards: TextSaid = ""
    """Which cards, where not all, with commas or blanks between them."""
    pack: NameSaid | None = None
    cards_checked: CountSaid | None = None


class Cut(Act, frozen=True, kw_only=True):
    at: CountSaid
    """How many cards lie before the cut."""
    from_back: CountSaid | None = None
    """How many cards lie behind the cutting card; the procedure's own figure unless given."""


class Burn(Act, frozen=True, kw_only=True):
    """Burn after the cut, or one card before a coup."""

    card: NameSaid | None = None
    """The card, if it is shown."""
    by_face_value: bool = False
    count: CountSaid = 1
    asked_by: NameSaid = ""
    """The patron who asked for the burn by face value."""
    proof: LongTextSaid = ""
    """That a shown card comes from a virtual shoe's committed order."""


class ShowBurn(Act, frozen=True, kw_only=True):
    """Turn the hidden burn card because a patron asks."""

    card: NameSaid
    asked_by: NameSaid
    proof: LongTextSaid = ""


class CuttingCard(Act, frozen=True, kw_only=True):
    pass


class WithdrawCuttingCard(Act, frozen=True, kw_only=True):
    """Take back the entry of a cutting card that did not appear."""

    reason: TextSaid


ShoeAct = (
    CheckCards
    | Pack
    | NewShoe
    | OpenShoe
    | OrderShuffle
    | ReplaceCards
    | Cut
    | Burn
    | ShowBurn
    | CuttingCard
    | WithdrawCuttingCard
)
