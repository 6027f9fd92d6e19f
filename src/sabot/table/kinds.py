"""The kinds of cases and signs at a table, and how its tickets and cards stand."""

import enum


class CaseKind(enum.StrEnum):
    CLAIM = "claim"
    DISPUTE = "dispute"
    BREACH = "breach"


class BreachMeasure(enum.StrEnum):
    """What is done about a breach (CROWN 13.2)."""

    VOID_WAGERS = "void_wagers"
    EXCLUDE = "exclude"
    CONFISCATE = "confiscate"
    DETAIN = "detain"


class NoticeKind(enum.StrEnum):
    MINIMUM = "minimum"
    AGGREGATE_MINIMUM = "aggregate_minimum"
    CLOSURE = "closure"


class TableTicketStatus(enum.StrEnum):
    ISSUED = "issued"
    PRINT_FAILED = "print_failed"
    PAID_MANUALLY = "paid_manually"


class CardCheck(enum.StrEnum):
    """The newest check of the cards that lets the table go on."""

    NONE = ""
    OPENING = "opening"
    CLOSING = "closing"
