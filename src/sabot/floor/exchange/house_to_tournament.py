"""What the house tells a tournament: slips that are settled, patrons excluded, and directors dismissed."""

from collections.abc import Iterator

from sabot.basics.role import Role
from sabot.basics.stamp import clock_stamp
from sabot.floor.exchange.table_to_tournament import TournamentStamped
from sabot.house.exclusions.deciding import exclusion_of
from sabot.house.state import HouseState
from sabot.tournament import acts
from sabot.tournament.state import OUT, TournamentState

_SETTLED = frozenset({"taken", "paid", "forfeited", "expired", "cancelled"})


def house_to_tournament(house: HouseState, tournament: TournamentState, at_ms: int) -> list[TournamentStamped]:
    """What the tournament has not noted yet."""
    stamp = clock_stamp(at_ms)
    told = (*_slips(house, tournament), *_exclusions(house, tournament, at_ms), *_dismissal(house, tournament))
    return [TournamentStamped(act, stamp) for act in told]


def _slips(house: HouseState, tournament: TournamentState) -> Iterator[acts.TournamentAct]:
    for number in sorted(tournament.unsettled):
        known = house.slips.get(number)
        if known is not None and known.status in _SETTLED and known.status.value != tournament.slips[number].status:
            yield acts.NoteSlip(
                tournament=tournament.tournament, slip=number, settled=known.status.value, tender=known.tender
            )


def _exclusions(house: HouseState, tournament: TournamentState, at_ms: int) -> Iterator[acts.TournamentAct]:
    """Of the entrants, and of those who substitute for them (CROWN 13.2.2)."""
    for patron in house.exclusions:
        excluded = exclusion_of(house, patron, at_ms)
        number = tournament.players.get(patron)
        entrant = None if number is None else tournament.entrant(number)
        if excluded is not None and entrant is not None and entrant.status not in OUT:
            yield acts.NoteExclusion(tournament=tournament.tournament, player=patron, reason=excluded.reason)


def _dismissal(house: HouseState, tournament: TournamentState) -> Iterator[acts.TournamentAct]:
    """A Director who is on the staff list no more is not present any more (G-120)."""
    present = tournament.present
    if present and Role.TOURNAMENT_DIRECTOR not in house.staff.get(present, ()):
        yield acts.NoteDismissal(tournament=tournament.tournament, person=present)
