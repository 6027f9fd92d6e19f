"""The figures of one settled coup as it stands: by bet, station and patron, with its dealer and terms."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from sabot.audit.period_sum import BetSum, PlayedTerms, SumPlace
from sabot.audit.record_reading import RecordReading
from sabot.floor.records.record_codec import read_answer, read_events
from sabot.journal.record import Record
from sabot.rules.terms import Settlement
from sabot.table import events as e

CORRECTING = (e.CoupRecalculated, e.CoupInvalidated, e.WagersReversed, e.ResolutionTakenBack)
"""What may change a coup after it was settled. A coup of a tournament that is over has an event of its own."""


class PlayFigures(msgspec.Struct, frozen=True, gc=False):
    """What was wagered and won in a coup, by all or by one patron."""

    bets: dict[str, BetSum] = {}
    commission: int = 0


class CoupFigures(msgspec.Struct, frozen=True, gc=False):
    played_by: PlayedTerms | None
    """The terms; none for a coup played in credits, which counts for no figure of money."""
    dealer: str = ""
    """Who opened its wagering."""
    seated: Mapping[str, str] = {}
    """The stations whose patron had given a reference when the coup was settled."""
    whole: PlayFigures = PlayFigures()
    commission: Mapping[str, int] = {}
    """By station."""
    patrons: dict[str, PlayFigures] = {}
    """By reference."""
    invalid: bool = False

    @property
    def counts(self) -> bool:
        return not self.invalid and self.played_by is not None


def figures_of(
    settlements: Mapping[str, Sequence[Settlement]],
    played_by: PlayedTerms | None,
    dealer: str,
    seated: Mapping[str, str],
) -> CoupFigures:
    """The figures of a coup that was settled so."""
    if played_by is None:
        return CoupFigures(None, dealer)
    whole = _figures(settlements.values())
    commission = {station: sum(one.commission_cents for one in settled) for station, settled in settlements.items()}
    wagers: dict[str, list[Sequence[Settlement]]] = {}
    for station, settled in settlements.items():
        if settled and station in seated:
            wagers.setdefault(seated[station], []).append(settled)
    patrons = {patron: _figures(some) for patron, some in wagers.items()}
    return CoupFigures(played_by, dealer, seated, whole, commission, patrons)


def _figures(wagers: Iterable[Sequence[Settlement]]) -> PlayFigures:
    bets: dict[str, list[int]] = {}
    charged = 0
    for settled in wagers:
        for one in settled:
            charged += one.commission_cents
            line = bets.get(one.bet)
            if line is None:
                bets[one.bet] = [1, one.stake_cents, -one.net_cents]
            else:
                line[0] += 1
                line[1] += one.stake_cents
                line[2] -= one.net_cents
    return PlayFigures({bet: BetSum(*line) for bet, line in bets.items()}, charged)


def corrected_coup(event: object) -> int | None:
    """The coup whose figures an event changes, if it may change any."""
    if isinstance(event, e.ResolutionTakenBack):
        return event.restored
    return event.coup if isinstance(event, CORRECTING) else None


def figures_after(event: object, before: CoupFigures) -> CoupFigures:
    """The figures of the coup after an event that corrects it."""
    match event:
        case e.CoupRecalculated() | e.WagersReversed():
            after = figures_of(event.settlements, before.played_by, before.dealer, before.seated)
            return msgspec.structs.replace(after, invalid=before.invalid)
        case e.CoupInvalidated():
            return msgspec.structs.replace(before, invalid=True)
        case e.ResolutionTakenBack():
            return msgspec.structs.replace(before, invalid=False)
    return before


class CoupSearch:
    """Finds the figures of one coup among the records from a place before its opening on."""

    def __init__(self, place: SumPlace, coup: int) -> None:
        self._reading, self._coup = RecordReading(place), coup
        self.found = CoupFigures(None)
        """As the coup stands after the records that were taken."""

    def take(self, record: Record) -> None:
        accepted = read_answer(record).accepted
        for event in () if accepted is msgspec.UNSET else read_events(accepted):
            if isinstance(event, e.WagersSettled) and event.coup == self._coup:
                reading = self._reading
                self.found = figures_of(event.settlements, reading.money_terms, reading.coup_dealer, reading.seated)
            elif corrected_coup(event) == self._coup:
                self.found = figures_after(event, self.found)
            self._reading.take(event)
