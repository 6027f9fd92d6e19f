"""The figures of one settled coup as it stands: by bet, by station, and by the terms it was played by."""

from collections.abc import Mapping, Sequence

import msgspec

from sabot.audit.period_sum import BetSum, PlayedTerms, SumPlace
from sabot.audit.record_reading import RecordReading
from sabot.floor.records.record_codec import read_answer, read_events
from sabot.journal.record import Record
from sabot.rules.terms import Settlement
from sabot.table import events as e

CORRECTING = (e.CoupRecalculated, e.CoupInvalidated, e.WagersReversed, e.ResolutionTakenBack)
"""What may change a coup after it was settled. A coup of a tournament that is over has an event of its own."""


class CoupFigures(msgspec.Struct, frozen=True, gc=False):
    played_by: PlayedTerms | None
    """The terms; none for a coup played in credits, which counts for no figure of money."""
    bets: dict[str, BetSum] = {}
    commission: dict[str, int] = {}
    """By station."""
    invalid: bool = False

    @property
    def counts(self) -> bool:
        return not self.invalid and self.played_by is not None


IN_CREDITS = CoupFigures(None)


def figures_of(settlements: Mapping[str, Sequence[Settlement]], played_by: PlayedTerms | None) -> CoupFigures:
    """The figures of a coup that was settled so."""
    if played_by is None:
        return IN_CREDITS
    bets: dict[str, list[int]] = {}
    commission = {}
    for station, settled in settlements.items():
        charged = 0
        for one in settled:
            charged += one.commission_cents
            line = bets.get(one.bet)
            if line is None:
                bets[one.bet] = [1, one.stake_cents, -one.net_cents]
            else:
                line[0] += 1
                line[1] += one.stake_cents
                line[2] -= one.net_cents
        commission[station] = charged
    return CoupFigures(played_by, {bet: BetSum(*line) for bet, line in bets.items()}, commission)


def corrected_coup(event: object) -> int | None:
    """The coup whose figures an event changes, if it may change any."""
    if isinstance(event, e.ResolutionTakenBack):
        return event.restored
    return event.coup if isinstance(event, CORRECTING) else None


def figures_after(event: object, before: CoupFigures) -> CoupFigures:
    """The figures of the coup after an event that corrects it."""
    match event:
        case e.CoupRecalculated() | e.WagersReversed():
            return msgspec.structs.replace(figures_of(event.settlements, before.played_by), invalid=before.invalid)
        case e.CoupInvalidated():
            return msgspec.structs.replace(before, invalid=True)
        case e.ResolutionTakenBack():
            return msgspec.structs.replace(before, invalid=False)
    return before


class CoupSearch:
    """Finds the figures of one coup among the records from a place before its opening on."""

    def __init__(self, place: SumPlace, coup: int) -> None:
        self._reading, self._coup = RecordReading(place), coup
        self.found = IN_CREDITS
        """As the coup stands after the records that were taken."""

    def take(self, record: Record) -> None:
        accepted = read_answer(record).accepted
        for event in () if accepted is msgspec.UNSET else read_events(accepted):
            if isinstance(event, e.WagersSettled) and event.coup == self._coup:
                self.found = figures_of(event.settlements, self._reading.money_terms)
            elif corrected_coup(event) == self._coup:
                self.found = figures_after(event, self.found)
            self._reading.take(event)
