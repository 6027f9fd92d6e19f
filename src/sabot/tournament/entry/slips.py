"""Slips: what the cage takes and pays for a tournament, and what follows when it has (CROWN 12.2.1(a)).

A tournament holds no money. It raises slips; the cage takes or pays each of them once (G-99). Fee and buy-in are two
slips, because the conditions may refund them by different percentages. An amount of 0.00 has no slip.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sabot.basics.stamp import Stamp
from sabot.tournament import acts
from sabot.tournament import events as e
from sabot.tournament.conditions.parts import Balances, Conditions, RoundPart
from sabot.tournament.entry.entrants import known_entrant
from sabot.tournament.refusal import TournamentCause, TournamentNo
from sabot.tournament.state import OUT, Entrant, EntrantStatus, SlipStatus, TournamentSlip, TournamentState

TAKE = "take"
PAY = "pay"
FEE = "fee"
BUY_IN = "buy_in"
BUY_BACK = "buy_back"
REFUND = "refund"
BALANCE = "balance"
PRIZE = "prize"
PURPOSES = {
    FEE: "CROWN 12.2.1(a)",
    BUY_IN: "CROWN 12.2.1(b)",
    BUY_BACK: "CROWN 12.2.1(e)",
    REFUND: "CROWN 12.2.1(g)",
    BALANCE: "CROWN 12.2.1(b)",
    PRIZE: "CROWN 12.2.1(j)",
}
"""What a slip can be for, with the clause that it rests on."""

POOL = "prize_pool"
FEES = "tournament_fees"
STAKES = "stakes"
ACCOUNTS = (POOL, FEES, STAKES)
_ENDS = {TAKE: {"taken", "cancelled"}, PAY: {"paid", "forfeited", "expired", "cancelled"}}
"""What the house can do with a slip of each direction."""
_UNSETTLED = (SlipStatus.RAISED, SlipStatus.WITHDRAWN, SlipStatus.EXPIRED)
"""What may still be settled; an expired slip may be paid after all."""
WHOLE = {FEE: 100, BUY_IN: 100, BUY_BACK: 100}
"""Everything that an entrant paid is given back."""


class SlipOrder(NamedTuple):
    """A slip that has no number yet."""

    direction: str
    purpose: str
    entrant: int
    player: str
    parts: Mapping[str, int]
    of: str = ""
    clause: str = ""
    """Another clause than the purpose's, where one decides."""

    @property
    def cents(self) -> int:
        return sum(self.parts.values())


def raised(state: TournamentState, stamp: Stamp, order: SlipOrder, nth: int = 0) -> e.SlipRaised:
    """The slip with the next number, or the `nth` after it, where one act raises several."""
    assert order.cents > 0, f"a slip of {order.cents} cents was ordered"
    assert set(order.parts) <= set(ACCOUNTS), f"no such account among {sorted(order.parts)}"
    return e.SlipRaised(
        slip=f"{state.tournament}-{len(state.slips) + 1 + nth:06}",
        direction=order.direction,
        cents=order.cents,
        parts={account: cents for account, cents in order.parts.items() if cents},
        entrant=order.entrant,
        player=order.player,
        purpose=order.purpose,
        of=order.of,
        by=stamp.by,
        at_ms=stamp.at_ms,
        clause=order.clause or PURPOSES[order.purpose],
    )


def all_raised(
    state: TournamentState, stamp: Stamp, orders: Iterable[SlipOrder], nth: int = 0
) -> tuple[e.SlipRaised, ...]:
    """The slips in their order, numbered on from the `nth`; those of 0.00 are left out."""
    due = [order for order in orders if order.cents]
    return tuple(raised(state, stamp, order, number) for number, order in enumerate(due, start=nth))


# What entrants pay


def entry_orders(conditions: Conditions, entrant: int, player: str) -> tuple[SlipOrder, ...]:
    """What is due before entry closes: the fee, and the buy-ins of the rounds that take every entrant."""
    fee = conditions.entry
    parts = {POOL: fee.to_pool_cents, FEES: fee.fee_cents - fee.to_pool_cents}
    first = [one for one in conditions.rounds if any(line.entrants for line in one.from_)]
    orders = (
        SlipOrder(TAKE, FEE, entrant, player, parts),
        *(buy_in_order(one, entrant, player) for one in first),
    )
    return tuple(order for order in orders if order.cents)


def buy_in_order(part: RoundPart, entrant: int, player: str) -> SlipOrder:
    """A buy-in of a cash round is a stake; any other goes to the pool."""
    account = STAKES if part.balances is Balances.CASH else POOL
    return SlipOrder(TAKE, BUY_IN, entrant, player, {account: part.buy_in_cents}, of=part.name)


def buy_back_order(conditions: Conditions, entrant: int, player: str) -> SlipOrder:
    rule = conditions.buy_back
    parts = {POOL: rule.to_pool_cents, FEES: rule.price_cents - rule.to_pool_cents}
    return SlipOrder(TAKE, BUY_BACK, entrant, player, parts, of=rule.into)


# What is given back


def refund_order(state: TournamentState, number: str, percent: int = 100, clause: str = "") -> SlipOrder | None:
    """Gives back what was taken, from the accounts that it went to; nothing twice, and nothing that was not taken."""
    slip = state.slips[number]
    if slip.direction != TAKE or slip.status is not SlipStatus.TAKEN or slip.refunded:
        return None
    order = refund_of(number, slip, percent, clause)
    return order if order.cents else None


def refund_of(number: str, slip: TournamentSlip, percent: int = 100, clause: str = "") -> SlipOrder:
    parts = portion(slip.parts, percent)
    return SlipOrder(PAY, REFUND, slip.entrant, slip.player, parts, of=number, clause=clause)


def refund_orders(
    state: TournamentState, entrant: int, percents: Mapping[str, int], clause: str = ""
) -> tuple[SlipOrder, ...]:
    """Refunds of an entrant's slips, by the percentage for each purpose; a purpose that is not named stays."""
    known = state.entrant(entrant)
    assert known is not None, f"there is no entrant {entrant}"
    orders = (
        refund_order(state, number, percents.get(state.slips[number].purpose, 0), clause) for number in known.slips
    )
    return tuple(order for order in orders if order is not None)


def portion(parts: Mapping[str, int], percent: int) -> dict[str, int]:
    """So many per cent of each part; together exactly as many per cent of the sum, rounded down."""
    portions: dict[str, int] = {}
    whole = given = 0
    for account, cents in parts.items():
        whole += cents
        portions[account] = whole * percent // 100 - given
        given += portions[account]
    return portions


# What there is


def open_slips(state: TournamentState, entrant: Entrant) -> tuple[str, ...]:
    """What the entrant owes at the cage."""
    return tuple(
        number
        for number in entrant.slips
        if state.slips[number].direction == TAKE and state.slips[number].status is SlipStatus.RAISED
    )


def owes(state: TournamentState, entrant: Entrant) -> bool:
    """Whether a fee or a buy-in is not paid yet; a buy-back that nobody pays is only an offer."""
    return any(state.slips[number].purpose in (FEE, BUY_IN) for number in open_slips(state, entrant))


def withdrawn(stamp: Stamp, numbers: Iterable[str], clause: str = "CROWN 12.2.1(a)") -> tuple[e.SlipWithdrawn, ...]:
    return tuple(e.SlipWithdrawn(slip=number, by=stamp.by, at_ms=stamp.at_ms, clause=clause) for number in numbers)


def held_parts(state: TournamentState) -> dict[str, int]:
    """What the cage took for the tournament and no slip gives back, by account; the house's own money is not in it."""
    held = dict.fromkeys(ACCOUNTS, 0)
    for slip in state.slips.whole().values():
        if slip.direction == TAKE and slip.status is SlipStatus.TAKEN:
            sign = 1
        elif slip.direction == PAY and slip.status not in (SlipStatus.WITHDRAWN, SlipStatus.CANCELLED):
            sign = -1
        else:
            continue
        for account, cents in slip.parts.items():
            held[account] += sign * cents
    return held


# Acts


def note_slip(state: TournamentState, act: acts.NoteSlip, stamp: Stamp) -> tuple[e.TournamentEvent, ...]:
    """What the house did with a slip; a slip is settled once, so that a repetition changes nothing."""
    slip = state.slips.get(act.slip)
    if slip is None:
        raise TournamentNo(TournamentCause.UNKNOWN_SLIP, slip=act.slip)
    if act.settled not in _ENDS[slip.direction]:
        raise TournamentNo(TournamentCause.UNKNOWN_SLIP, slip=f"{act.slip} that could be {act.settled}")
    if slip.status.value == act.settled or slip.status not in _UNSETTLED:
        return ()
    noted = e.SlipNoted(
        slip=act.slip, settled=act.settled, tender=act.tender, by=stamp.by, at_ms=stamp.at_ms, clause=PURPOSES[FEE]
    )
    return (noted, *_after_taking(state, act.slip, slip, stamp)) if act.settled == SlipStatus.TAKEN else (noted,)


def _after_taking(
    state: TournamentState, number: str, slip: TournamentSlip, stamp: Stamp
) -> tuple[e.TournamentEvent, ...]:
    """Who has paid all that is due has entered; what nobody wanted any more, when it was taken, goes back."""
    entrant = state.entrants[str(slip.entrant)]
    if slip.purpose == BUY_BACK:
        wanted = entrant.status is EntrantStatus.ELIMINATED and not state.progress(slip.of).begun
    else:
        wanted = entrant.status not in OUT
    if slip.status is SlipStatus.WITHDRAWN or not wanted:
        return (raised(state, stamp, refund_of(number, slip)),)
    if slip.purpose == BUY_BACK:
        return (
            e.BoughtBack(entrant=slip.entrant, into=slip.of, by=stamp.by, at_ms=stamp.at_ms, clause=PURPOSES[BUY_BACK]),
        )
    if entrant.status is EntrantStatus.REGISTERED and open_slips(state, entrant) == (number,):
        return (entered_now(slip.entrant, stamp),)
    return ()


def entered_now(entrant: int, stamp: Stamp) -> e.EntrantEntered:
    return e.EntrantEntered(entrant=entrant, by=stamp.by, at_ms=stamp.at_ms, clause=PURPOSES[FEE])


def buy_back(state: TournamentState, act: acts.BuyBack, stamp: Stamp) -> tuple[e.TournamentEvent, ...]:
    """Who was eliminated in the named round gets a slip, and with its payment a place in the other named round."""
    entrant = known_entrant(state, act.entrant)
    rule = state.conditions.buy_back
    if not rule.allowed:
        raise TournamentNo(TournamentCause.NO_BUY_BACK)
    if stamp.excluded:
        raise TournamentNo(TournamentCause.NOT_ENTITLED, player=entrant.player)
    after = state.progress(rule.after)
    if not after.confirmed:
        raise TournamentNo(TournamentCause.ROUND_UNCONFIRMED, round=rule.after)
    if act.entrant not in after.eliminated or entrant.status is not EntrantStatus.ELIMINATED:
        raise TournamentNo(TournamentCause.NOT_ELIMINATED, entrant=act.entrant, round=rule.after)
    _check_buy_backs_left(state, act.entrant)
    if state.progress(rule.into).begun:
        raise TournamentNo(TournamentCause.DRAWN_ALREADY, round=rule.into)
    if stamp.at_ms >= _first_start(state, rule.into) - rule.until_minutes_before * 60_000:
        minutes = rule.until_minutes_before
        raise TournamentNo(TournamentCause.BUY_BACK_OVER, minutes=minutes, round=rule.into)
    asked = e.BuyBackAsked(entrant=act.entrant, by=stamp.by, at_ms=stamp.at_ms, clause=PURPOSES[BUY_BACK])
    order = buy_back_order(state.conditions, act.entrant, entrant.player)
    if order.cents:
        return (asked, raised(state, stamp, order))
    free = e.BoughtBack(entrant=act.entrant, into=rule.into, by=stamp.by, at_ms=stamp.at_ms, clause=PURPOSES[BUY_BACK])
    return (asked, free)


def _check_buy_backs_left(state: TournamentState, entrant: int) -> None:
    """Those that are asked for and not paid count beside those that were made."""
    rule = state.conditions.buy_back
    asked = [
        one.entrant
        for one in state.slips.whole().values()
        if one.purpose == BUY_BACK and one.status is SlipStatus.RAISED
    ]
    own = state.entrants[str(entrant)].buy_backs + asked.count(entrant)
    in_all = sum(one.buy_backs for one in state.entrants.whole().values()) + len(asked)
    for used, allowed in ((own, rule.each), (in_all, rule.in_all)):
        if used >= allowed:
            raise TournamentNo(TournamentCause.BUY_BACKS_USED, used=used, allowed=allowed)


def _first_start(state: TournamentState, name: str) -> int:
    """When the round begins, altered starts counted (CROWN 12.3.4)."""
    altered = state.progress(name).starts_ms
    return min(altered.get(nth, start) for nth, start in enumerate(state.plays_by.starts_ms[name], start=1))
