"""What events do to every account, told before they happen: the stake, the result, and the money that moves."""

from collections.abc import Iterable, Mapping

import msgspec
from msgspec.structs import replace

from sabot.rules.terms import Settlement
from sabot.table.corrections.evolving import last_played
from sabot.table.events import (
    Adjustment,
    CoupInvalidated,
    CoupRecalculated,
    CoupVoided,
    DummyCoupDeclared,
    Event,
    OwedCollected,
    WagersSettled,
)
from sabot.table.evolve import evolve
from sabot.table.state import Played, TableState


class AccountEffect(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What becomes of one patron's wagers in a coup."""

    station: str
    staked_cents: int
    before_cents: int | None
    """What the coup had brought as it was settled: winnings beside the stake, or a loss. None where nothing was."""
    after_cents: int
    """What it brings then."""
    change_cents: int
    """By how much the account changes, with stakes that come back to it."""
    owed_cents: int = 0
    """What the account does not hold, and its patron then owes (G-88, G-89)."""
    payable_cents: int = 0
    """What waits for a patron who has left (G-88)."""
    set_off_cents: int = 0
    """What an earlier debt or payable takes of it."""
    left: bool = False
    """Whether the patron has left."""
    moved_to: str = ""
    """The station that the patron was moved to since, where the amounts are booked."""


def effects_of(state: TableState, events: Iterable[Event]) -> tuple[AccountEffect, ...]:
    """Every account that had a wager in the coups that these events end, settle or settle again."""
    found: dict[str, AccountEffect] = {}
    for event in events:
        if isinstance(event, CoupVoided | DummyCoupDeclared):
            found |= {name: _returned(name, sum(wagers.values())) for name, wagers in event.refunds.items()}
        elif isinstance(event, WagersSettled):
            found |= {name: _settled(name, lines) for name, lines in event.settlements.items()}
        elif isinstance(event, OwedCollected) and event.station in found and not event.from_held:
            one = found[event.station]
            found[event.station] = replace(
                one, change_cents=one.change_cents - event.cents, set_off_cents=one.set_off_cents + event.cents
            )
        elif isinstance(event, CoupInvalidated):
            found |= _put_right(last_played(state, event.coup), {}, event.adjustments)
        elif isinstance(event, CoupRecalculated):
            found |= _put_right(last_played(state, event.coup), event.settlements, event.adjustments)
        state = evolve(state, event)
    return tuple(found.values())


def _returned(station: str, cents: int) -> AccountEffect:
    return AccountEffect(station, cents, None, 0, cents)


def _settled(station: str, lines: list[Settlement]) -> AccountEffect:
    staked, net = sum(one.stake_cents for one in lines), sum(one.net_cents for one in lines)
    return AccountEffect(station, staked, None, net, staked + net)


def _put_right(
    played: Played, settlements: Mapping[str, list[Settlement]], adjustments: Mapping[str, Adjustment]
) -> dict[str, AccountEffect]:
    found = {}
    for name, booked in played.settlements.items():
        one = adjustments.get(name)
        found[name] = AccountEffect(
            station=name,
            staked_cents=sum(line.stake_cents for line in booked),
            before_cents=sum(line.net_cents for line in booked),
            after_cents=sum(line.net_cents for line in settlements.get(name, ())),
            change_cents=one.credited_cents - one.taken_cents - one.from_held_cents if one else 0,
            owed_cents=one.owed_cents if one else 0,
            payable_cents=one.payable_cents if one else 0,
            set_off_cents=one.set_off_cents if one else 0,
            left=one is not None and not one.same_patron,
            moved_to=one.moved_to if one else "",
        )
    return found
