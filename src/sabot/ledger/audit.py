"""The self-audit: run before every coup and before any value leaves; a table that fails it locks itself."""

from collections.abc import Mapping

from sabot.ledger.ledger import EMPTY, Ledger
from sabot.ledger.meters import Meters

NO_METERS = Meters()


def discrepancy(ledger: Ledger, meters: Mapping[str, Meters]) -> str | None:
    """What does not add up, in words, or nothing."""
    if not ledger.is_balanced:
        return (
            f"assets of {ledger.assets} cents are not the liabilities of {ledger.liabilities} "
            f"and the income of {ledger.income}"
        )
    purses = ledger.purses
    for station in purses.keys() | meters.keys():
        if not meters.get(station, NO_METERS).agree_with(purses.get(station, EMPTY)):
            return f"station {station}'s meters do not agree with its account"
    return None
