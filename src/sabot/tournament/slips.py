"""Slips: what the cage takes and pays for a tournament, and what follows when it has (CROWN 12.2.1(a)).

A tournament holds no money. It raises slips; the cage takes or pays each of them once (G-99). Fee and buy-in are two
slips, because the conditions may refund them by different percentages. An amount of 0.00 has no slip.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sabot.basics.stamp import Stamp
from sabot.tournament import acts
from sabot.tournament import events as e
from sabot.tournament.conditions import Balances, Conditions, RoundPart
from sabot.tournament.state import Entrant, SlipStatus, TournamentSlip, TournamentState

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


def all_raised(state: TournamentState, stamp: Stamp, orders: Iterable[SlipOrder]) -> tuple[e.SlipRaised, ...]:
    """The slips in their order, numbered on; those of 0.00 are left out."""
    due = [order for order in orders if order.cents]
    return tuple(raised(state, stamp, order, nth) for nth, order in enumerate(due))


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
    raise NotImplementedError


def buy_back(state: TournamentState, act: acts.BuyBack, stamp: Stamp) -> tuple[e.TournamentEvent, ...]:
    raise NotImplementedError
