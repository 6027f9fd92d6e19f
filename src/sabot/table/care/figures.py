"""The figures of a patron's stay: time and money from the state, and settlements counted as they stand."""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from sabot.rules.terms import Outcome, Settlement
from sabot.table.accounts.state import StationState
from sabot.table.care.state import Care
from sabot.table.state import Played, TableState

_WON, _LOST = Outcome.WIN, Outcome.LOSE


def began_ms(state: TableState, name: str) -> int:
    """When the patron in control of the station came."""
    return state.sessions[state.stations[name].control].from_ms


def since_ms(state: TableState, name: str) -> int:
    """From when a limit of time counts: from the first of the stays whose limits have gone on (G-231)."""
    first = state.stations[name].care.since_ms
    return began_ms(state, name) if first is None else first


def net_cents(state: TableState, name: str) -> int:
    """What the patron has won or lost: what is here, less what was brought and what is owed.

    Wagers on the layout are still the patron's. It follows from the ledger, so every correction is in it.
    """
    purse = state.purse(name)
    return purse.balance + purse.wagered + purse.held - state.stations[name].brought - state.owed(name)


def counted(care: Care, settled: Iterable[Settlement], times: int = 1) -> Care:
    """The figures with a coup of the patron's settled, or, with -1, taken out again."""
    staked = won = lost = 0
    for one in settled:
        staked += one.stake_cents
        if one.outcome is _WON:
            won += one.net_cents
        elif one.outcome is _LOST:
            lost += one.stake_cents
    return replace(
        care,
        coups=care.coups + times,
        staked=care.staked + times * staked,
        won=care.won + times * won,
        lost=care.lost + times * lost,
    )


def counted_anew(state: TableState, before: Played, after: Played) -> Mapping[str, StationState]:
    """The stations when a settled coup has another version: the figures of those who wagered in it and are here."""
    stations = dict(state.stations)
    for name, control in before.controls.items():
        seat = state.moved.get(control, name)
        station = stations.get(seat)
        if station is None or station.control != control:
            continue
        care = _without_then_with(station.care, _settled(before, name), _settled(after, name))
        stations[seat] = replace(station, care=care)
    return stations


def _settled(played: Played, name: str) -> list[Settlement]:
    return [] if played.invalid else played.settlements.get(name, [])


def _without_then_with(care: Care, was: list[Settlement], now: list[Settlement]) -> Care:
    care = counted(care, was, -1) if was else care
    return counted(care, now) if now else care
