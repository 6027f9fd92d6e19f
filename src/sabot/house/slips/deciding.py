"""Slips: what the cage takes and pays for a tournament, each once, and the tournament's books (CROWN 12.2.1).

A tournament raises a slip in its own stream and the floor tells the house, as often as it likes. Taking and paying are
the house's records alone. What the tournament withdraws is cancelled unless the cage was first.
"""

from collections.abc import Mapping

from sabot.basics.stamp import Stamp
from sabot.house import acts
from sabot.house import events as e
from sabot.house.exclusions.deciding import exclusion_of
from sabot.house.filed_book import PutAway, Sought
from sabot.house.refusal import HouseCause, HouseNo
from sabot.house.state import WAITING, HouseSlip, HouseSlipStatus, HouseState, HouseTournament, SlipDirection, SlipPart
from sabot.house.tickets.deciding import expiry_of
from sabot.ledger.account import AccountKind, of_tournament

FEE = "CROWN 12.2.1(a)"
BALANCES = "CROWN 12.2.1(b)"
PRIZES = "CROWN 12.2.1(j)"
HELD = "CROWN 13.2.3"
_CLAUSES = {
    "buy_in": BALANCES,
    "balance": BALANCES,
    "buy_back": "CROWN 12.2.1(e)",
    "refund": "CROWN 12.2.1(h)",
    "prize": PRIZES,
}
_UNTOUCHED = HouseTournament()


def register_slip(state: HouseState, act: acts.RegisterSlip, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    known = _of_number(state, act.slip)
    if known is not None:
        if _says(known) != _says(act):
            raise HouseNo(HouseCause.BAD_SLIP, slip=act.slip, why="it is registered and says something else")
        return ()
    _check_slip(act)
    _check_open(state, act.tournament)
    if act.direction is SlipDirection.PAY:
        _check_covered(state, act.tournament, act.parts)
    return (
        e.SlipRegistered(
            slip=act.slip,
            tournament=act.tournament,
            direction=act.direction,
            cents=act.cents,
            parts=act.parts,
            purpose=act.purpose,
            entrant=act.entrant,
            player=act.player,
            expires_ms=expiry_of(state, stamp.at_ms) if act.direction is SlipDirection.PAY else None,
            clause=_CLAUSES.get(act.purpose, FEE),
        ),
    )


def cancel_slip(state: HouseState, act: acts.CancelSlip, _stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    """The cage may have been first, or a Casino Supervisor may hold it; the floor asks again."""
    slip = _known(state, act.slip)
    if slip.status is not HouseSlipStatus.OPEN:
        return ()
    return (e.SlipCancelled(slip=act.slip, cents=slip.cents, clause=clause_of(slip)),)


def take_slip(state: HouseState, act: acts.TakeSlip, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    """Nothing is taken of a patron whom the house excludes, although the tournament may not know it yet."""
    slip = _due(state, act.slip, SlipDirection.TAKE)
    if exclusion_of(state, slip.player, stamp.at_ms) is not None:
        raise HouseNo(HouseCause.PLAYER_EXCLUDED, slip=act.slip, player=slip.player)
    return (
        e.SlipTaken(
            slip=act.slip,
            cents=slip.cents,
            tender=act.tender,
            by=stamp.by,
            at_ms=stamp.at_ms,
            clause=clause_of(slip),
        ),
    )


def pay_slip(state: HouseState, act: acts.PaySlip, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    slip = _due(state, act.slip, SlipDirection.PAY)
    if slip.status is HouseSlipStatus.HELD:
        raise HouseNo(HouseCause.SLIP_HELD, slip=act.slip)
    if slip.expires_ms is not None and stamp.at_ms >= slip.expires_ms:
        raise HouseNo(HouseCause.SLIP_EXPIRED, slip=act.slip)
    return (
        e.SlipPaid(
            slip=act.slip,
            cents=slip.cents,
            by=stamp.by,
            second=stamp.second,
            at_ms=stamp.at_ms,
            clause=clause_of(slip),
        ),
    )


def hold_slip(state: HouseState, act: acts.HoldSlip, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    slip = _due(state, act.slip, SlipDirection.PAY)
    if slip.status is HouseSlipStatus.HELD:
        raise HouseNo(HouseCause.SLIP_HELD, slip=act.slip)
    _check_reason(act.reason)
    return (e.SlipHeld(slip=act.slip, reason=act.reason, by=stamp.by, at_ms=stamp.at_ms, clause=HELD),)


def release_slip(state: HouseState, act: acts.ReleaseSlip, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    """Only what is held can be forfeited: what has expired stays owed, as an expired ticket does."""
    slip = _known(state, act.slip)
    held = slip.status is HouseSlipStatus.HELD
    if not held and (act.forfeit or slip.status is not HouseSlipStatus.EXPIRED):
        raise HouseNo(HouseCause.NOTHING_TO_RELEASE, slip=act.slip, status=slip.status)
    _check_reason(act.reason)
    if act.forfeit:
        return (
            e.SlipForfeited(
                slip=act.slip, cents=slip.cents, reason=act.reason, by=stamp.by, at_ms=stamp.at_ms, clause=HELD
            ),
        )
    return (
        e.SlipReleased(
            slip=act.slip,
            reason=act.reason,
            expires_ms=expiry_of(state, stamp.at_ms),
            by=stamp.by,
            at_ms=stamp.at_ms,
            clause=HELD if held else clause_of(slip),
        ),
    )


def raise_pool(state: HouseState, act: acts.RaisePool, _stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    """The figure is whole, so a repetition changes nothing; a lower one takes back what the pool still holds."""
    before = state.tournaments.get(act.tournament, _UNTOUCHED).added
    if act.cents == before:
        return ()
    _check_open(state, act.tournament)
    _check_covered(state, act.tournament, {SlipPart.PRIZE_POOL: before - act.cents})
    return (e.PoolRaised(tournament=act.tournament, cents=act.cents, clause=PRIZES),)


def settle_stakes(state: HouseState, act: acts.SettleStakes, _stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    """What entrants lose in sum is the house's win, what they gain its loss (G-135); a correction moves the rest."""
    before = state.tournaments.get(act.tournament, _UNTOUCHED).won.get(act.sitting)
    if act.won_cents == before:
        return ()
    _check_open(state, act.tournament)
    _check_covered(state, act.tournament, {SlipPart.STAKES: act.won_cents - (before or 0)})
    return (e.StakesSettled(tournament=act.tournament, sitting=act.sitting, won_cents=act.won_cents, clause=BALANCES),)


def close_tournament(state: HouseState, act: acts.CloseTournament, stamp: Stamp) -> tuple[e.HouseEvent, ...]:
    """When every slip is settled and neither pool nor stakes hold anything, the fees are earned."""
    if state.tournaments.get(act.tournament, _UNTOUCHED).closed:
        return ()
    waiting = sum(
        slip.tournament == act.tournament and slip.status in WAITING for slip in state.slips.open.whole().values()
    )
    if waiting:
        raise HouseNo(HouseCause.SLIPS_OPEN, tournament=act.tournament, count=waiting)
    pool, fees, stakes = (_holds(state, act.tournament, part) for part in SlipPart)
    if pool or stakes:
        raise HouseNo(HouseCause.MONEY_LEFT, tournament=act.tournament, pool_cents=pool, stakes_cents=stakes)
    return (e.TournamentClosed(tournament=act.tournament, fees_cents=fees, at_ms=stamp.at_ms, clause=FEE),)


def slips_expired_by(state: HouseState, at_ms: int) -> tuple[e.HouseEvent, ...]:
    """The slips that the cage would have paid and whose time has come; one that is held does not expire."""
    due = sorted(
        (slip.expires_ms, number, slip)
        for number, slip in state.slips.open.whole().items()
        if slip.status is HouseSlipStatus.OPEN and slip.expires_ms is not None and at_ms >= slip.expires_ms
    )
    return tuple(
        e.SlipExpired(slip=number, cents=slip.cents, at_ms=at_ms, clause=clause_of(slip)) for _, number, slip in due
    )


def clause_of(slip: HouseSlip) -> str:
    """The part of the conditions that a slip is raised by."""
    return _CLAUSES.get(slip.purpose, FEE)


def _says(slip: HouseSlip | acts.RegisterSlip) -> tuple[object, ...]:
    return slip.tournament, slip.direction, slip.cents, dict(slip.parts), slip.purpose, slip.entrant, slip.player


def _check_slip(act: acts.RegisterSlip) -> None:
    if act.slip.rpartition("-")[0] != act.tournament:
        raise HouseNo(HouseCause.BAD_SLIP, slip=act.slip, why=f"it is not of tournament {act.tournament}")
    if sum(act.parts.values()) != act.cents:
        raise HouseNo(HouseCause.BAD_SLIP, slip=act.slip, why="its parts do not come to its amount")


def _check_open(state: HouseState, tournament: str) -> None:
    if state.tournaments.get(tournament, _UNTOUCHED).closed:
        raise HouseNo(HouseCause.TOURNAMENT_CLOSED, tournament=tournament)


def _check_covered(state: HouseState, tournament: str, parts: Mapping[SlipPart, int]) -> None:
    """What is to leave an account must be in it."""
    for part, needed in parts.items():
        holds = _holds(state, tournament, part)
        if needed > holds:
            what = part.replace("_", " ")
            raise HouseNo(
                HouseCause.POOL_TOO_SMALL, what=what, tournament=tournament, holds_cents=holds, due_cents=needed
            )


def _holds(state: HouseState, tournament: str, part: SlipPart) -> int:
    return state.ledger.balance(of_tournament(AccountKind(part), tournament))


def _of_number(state: HouseState, number: str) -> HouseSlip | None:
    """The slip; where none is in the state, one that was put away is recalled before anything is decided."""
    slip = state.slips.get(number)
    if slip is None and state.away.slips and number not in state.absent:
        raise PutAway(Sought("slip", number))
    return slip


def _known(state: HouseState, number: str) -> HouseSlip:
    slip = _of_number(state, number)
    if slip is None:
        raise HouseNo(HouseCause.UNKNOWN_SLIP, slip=number)
    return slip


def _due(state: HouseState, number: str, direction: SlipDirection) -> HouseSlip:
    """The slip, if the cage has yet to take it, or to pay it."""
    slip = _known(state, number)
    if slip.direction is not direction:
        raise HouseNo(HouseCause.WRONG_DIRECTION, slip=number, what="taken" if direction is _PAY else "paid")
    if slip.status is HouseSlipStatus.CANCELLED:
        raise HouseNo(HouseCause.SLIP_CANCELLED, slip=number)
    if slip.status is HouseSlipStatus.EXPIRED:
        raise HouseNo(HouseCause.SLIP_EXPIRED, slip=number)
    if slip.status not in WAITING:
        raise HouseNo(HouseCause.SLIP_SETTLED, slip=number, how=slip.status)
    return slip


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise HouseNo(HouseCause.REASON_MISSING, clause=HELD)


_PAY = SlipDirection.PAY
