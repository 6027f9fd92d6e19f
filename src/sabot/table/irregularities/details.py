"""What a fact has to say beyond that it happened, so that its resolutions can be worked out."""

import enum

import msgspec


class FactCards(enum.StrEnum):
    """How many cards that are out and not yet entered a fact names."""

    NONE = "none"
    ONE = "one"
    SOME = "some"
    IF_ANY = "if_any"


class FactDetails(msgspec.Struct, frozen=True):
    cards: FactCards = FactCards.NONE
    hand: bool = False
    """Whether it says on which hand they were laid."""
    reconstructible: bool = False
    order_known: bool = False


DETAILS: dict[str, FactDetails] = {
    "missed_burn": FactDetails(),
    "excess_card_unseen": FactDetails(),
    "card_on_wrong_hand": FactDetails(FactCards.SOME, hand=True),
    "wrong_third_card": FactDetails(FactCards.SOME, hand=True),
    "no_wagers_but_cards_out": FactDetails(),
    "face_up_first_card": FactDetails(FactCards.ONE),
    "face_up_later_card": FactDetails(),
    "foreign_card": FactDetails(FactCards.IF_ANY),
    "wrong_number_of_cards": FactDetails(FactCards.IF_ANY, reconstructible=True),
    "simultaneous_cards": FactDetails(FactCards.IF_ANY, order_known=True),
    "shoe_order_altered": FactDetails(order_known=True, reconstructible=True),
    "not_enough_cards": FactDetails(),
}
