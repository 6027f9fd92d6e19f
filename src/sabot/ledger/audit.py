"""The self-audit: run before every coup and before any value leaves the table; a table that fails it is locked."""

from collections.abc import Mapping

import msgspec

from sabot.ledger.ledger import EMPTY, Ledger
from sabot.ledger.meters import Meters

NO_METERS = Meters()
SUMS = "sums"
"""Stands for the ledger as a whole among the accounts that disagree."""


class Disagreement(msgspec.Struct, frozen=True):
    """Two figures that should be one."""

    account: str
    """A station's accounts, or `sums` for the ledger as a whole."""
    ledger_cents: int
    """What the ledger says; of the sums, what the assets come to."""
    meters_cents: int
    """What the meters say; of the sums, what liabilities and income come to."""


def discrepancy(ledger: Ledger, meters: Mapping[str, Meters]) -> str | None:
    """What does not add up, in words; nothing where all is right."""
    totals = ledger.totals()
    liabilities = sum(totals.values()) + ledger.owed_out
    assets, income = ledger.assets, ledger.income
    if assets != liabilities + income:
        return f"assets of {assets} cents are not the liabilities of {liabilities} and the income of {income}"
    for station, counted in meters.items():
        if counted.left() != totals.get(station, 0):
            return _disagreement(station)
    if totals.keys() <= meters.keys():
        return None
    unmetered = (station for station, cents in totals.items() if cents and station not in meters)
    return next(map(_disagreement, unmetered), None)


def sums(ledger: Ledger) -> tuple[int, int]:
    """The assets, and what they should come to: liabilities and income."""
    return ledger.assets, ledger.liabilities + ledger.income


def disagreements(ledger: Ledger, meters: Mapping[str, Meters]) -> tuple[Disagreement, ...]:
    """Everything that does not add up, with both figures."""
    assets, others = sums(ledger)
    found = [Disagreement(SUMS, assets, others)] if assets != others else []
    for station in dict.fromkeys((*meters, *ledger.purses)):
        booked, counted = ledger.purses.get(station, EMPTY).total, meters.get(station, NO_METERS).left()
        if booked != counted:
            found.append(Disagreement(station, booked, counted))
    return tuple(found)


def _disagreement(station: str) -> str:
    return f"station {station}'s meters do not agree with its account"
