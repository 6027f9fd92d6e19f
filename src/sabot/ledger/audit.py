"""The self-audit: run before every coup and before any value leaves the table; a table that fails it is locked."""

from collections.abc import Mapping

from sabot.ledger.ledger import Ledger
from sabot.ledger.meters import Meters

NO_METERS = Meters()


def discrepancy(ledger: Ledger, meters: Mapping[str, Meters]) -> str | None:
    """What does not add up, in words; nothing where all is right."""
    purses = ledger.totals()
    liabilities = sum(purses.values()) + ledger.owed_out
    assets, income = ledger.assets, ledger.income
    if assets != liabilities + income:
        return f"assets of {assets} cents are not the liabilities of {liabilities} and the income of {income}"
    for station, counted in meters.items():
        if counted.left() != purses.pop(station, 0):
            return _disagreement(station)
    return next((_disagreement(station) for station, cents in purses.items() if cents), None)


def _disagreement(station: str) -> str:
    return f"station {station}'s meters do not agree with its account"
