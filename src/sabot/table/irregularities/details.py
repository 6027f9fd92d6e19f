"""What a fact has to say beyond that it happened, so that its resolutions can be worked out."""

import enum

import msgspec

from sabot.basics.act import Act
from sabot.rules.rule_set import IrregularityName
from sabot.table import acts


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
    count: bool = False
    """Whether it says how many cards."""


DETAILS: dict[IrregularityName, FactDetails] = {
    IrregularityName.MISSED_BURN: FactDetails(count=True),
    IrregularityName.EXCESS_CARD_UNSEEN: FactDetails(),
    IrregularityName.CARD_ON_WRONG_HAND: FactDetails(FactCards.SOME, hand=True),
    IrregularityName.WRONG_THIRD_CARD: FactDetails(FactCards.SOME, hand=True),
    IrregularityName.NO_WAGERS_BUT_CARDS_OUT: FactDetails(),
    IrregularityName.FACE_UP_FIRST_CARD: FactDetails(FactCards.ONE),
    IrregularityName.FACE_UP_LATER_CARD: FactDetails(),
    IrregularityName.FOREIGN_CARD: FactDetails(FactCards.IF_ANY),
    IrregularityName.WRONG_NUMBER_OF_CARDS: FactDetails(FactCards.IF_ANY, reconstructible=True),
    IrregularityName.SIMULTANEOUS_CARDS: FactDetails(FactCards.IF_ANY, order_known=True),
    IrregularityName.SHOE_ORDER_ALTERED: FactDetails(order_known=True, reconstructible=True),
    IrregularityName.NOT_ENOUGH_CARDS: FactDetails(count=True),
}

ACTS: dict[IrregularityName, tuple[type[Act], ...]] = {
    IrregularityName.MISSED_BURN_IN_FIRST_COUP: (acts.Fact, acts.Resolve),
    IrregularityName.NO_WAGERS: (acts.Void,),
    IrregularityName.EQUIPMENT_MALFUNCTION: (acts.Invalidate,),
    IrregularityName.WRONG_OUTCOME_ENTERED: (acts.Freeze, acts.Correct, acts.Recalculate, acts.Unfreeze),
    IrregularityName.STATION_FAULT_BEFORE_CLOSE: (acts.Fault,),
    IrregularityName.STATION_FAULT_AFTER_CLOSE: (acts.Fault, acts.ConfirmRecords),
    IrregularityName.SYSTEM_FAULT_BEFORE_CLOSE: (acts.Malfunction,),
    IrregularityName.SYSTEM_FAULT_AFTER_CLOSE: (acts.Malfunction, acts.ConfirmRecords),
    IrregularityName.UNCONFIRMED_WAGERS: (acts.CannotConfirm,),
    IrregularityName.COMMOTION: (acts.Invalidate,),
    IrregularityName.FRAUD: (acts.Invalidate,),
}
"""What is done about an irregularity that is not stated as a fact of the cards."""
