"""What people do with the cards, from the count to the cutting card."""

from typing import Literal

from sabot.table.act import Command


class CheckCards(Command, frozen=True, kw_only=True, tag="check_cards"):
    """Count the cards before gaming starts or after it ended."""

    cards: int
    when: Literal["opening", "closing"] = "opening"
    of_each_rank: int | None = None
    """How many of each rank were counted, where that was done."""


class RecordPack(Command, frozen=True, kw_only=True, tag="pack"):
    """Record cards that were shuffled ahead and put away securely."""

    pack: str
    stored: str


class NewShoe(Command, frozen=True, kw_only=True, tag="new_shoe"):
    """Record the shuffle, or bring in a pre-shuffled pack."""

    method: Literal["hand", "machine", "virtual", "pre-shuffled"] = "hand"
    pack: str | None = None
    commitment: str | None = None
    """What a virtual shoe publishes about its order beforehand, in 64 hexadecimal digits."""


class OpenShoe(Command, frozen=True, kw_only=True, tag="open_shoe"):
    """Open a virtual shoe that has ended, so that anybody can hold its order against its commitment."""

    order: str
    """All its cards as they were shuffled, two letters each."""
    salt: str


class OrderShuffle(Command, frozen=True, kw_only=True, tag="order_shuffle"):
    """End the shoe at once because of an abnormal sequence or another good cause."""

    reason: str
    abnormal: bool = False


class ReplaceCards(Command, frozen=True, kw_only=True, tag="replace_cards"):
    """Take cards out of use: all of them after the last coup, or unfit ones at any time between coups."""

    reason: str
    unfit: bool = False
    cards: str = ""
    """Which cards, where not all."""
    pack: str | None = None
    cards_checked: int | None = None


class Cut(Command, frozen=True, kw_only=True, tag="cut"):
    at: int
    """How many cards lie before the cut."""
    from_back: int | None = None
    """How many cards lie behind the cutting card; the procedure's own figure unless given."""


class Burn(Command, frozen=True, kw_only=True, tag="burn"):
    """Burn after the cut, or one card before a coup."""

    card: str | None = None
    """The card, if it is shown."""
    by_face_value: bool = False
    count: int = 1
    asked_by: str = ""
    """The patron who asked for the burn by face value."""
    proof: str = ""
    """That a shown card comes from a virtual shoe's committed order."""


class ShowBurn(Command, frozen=True, kw_only=True, tag="show_burn"):
    """Turn the hidden burn card because a patron asks."""

    card: str
    asked_by: str
    proof: str = ""


class SeeCuttingCard(Command, frozen=True, kw_only=True, tag="cutting_card"):
    pass


ShoeAct = (
    CheckCards | RecordPack | NewShoe | OpenShoe | OrderShuffle | ReplaceCards | Cut | Burn | ShowBurn | SeeCuttingCard
)
