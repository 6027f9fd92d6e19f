"""The end: prizes (CROWN 12.2.1(j)), cancellation (G-140) and the closing of the books."""

from collections.abc import Iterator

from sabot.basics.stamp import Stamp
from sabot.tournament import acts
from sabot.tournament import events as e
from sabot.tournament.conditions.parts import PrizeTies, TieBreak
from sabot.tournament.entry import slips
from sabot.tournament.places import prizes
from sabot.tournament.places.ranking import Contestant, Equals, Parted, order
from sabot.tournament.places.standing import contestants, final_contestants, parted
from sabot.tournament.refusal import TournamentCause, TournamentNo
from sabot.tournament.seats import draw
from sabot.tournament.seats.seating import LOTS, PRIZES, lots_label, opened_seed
from sabot.tournament.sittings import settling
from sabot.tournament.sittings.finding import sittings_on
from sabot.tournament.state import SITTING_OVER, SlipStatus, TournamentState

_PRIZES = "CROWN 12.2.1(j)"
_Events = tuple[e.TournamentEvent, ...]


def award_prizes(state: TournamentState, act: acts.AwardPrizes, stamp: Stamp) -> _Events:
    """Work the pool out, share it by the final places, and raise a slip for every prize in money."""
    lots, broken = _lots(state, act.words, stamp)
    places = {of: tuple(group.entrants for group in groups) for of, groups in _places(state, lots).items()}
    pool = pool_now(state)
    won = prizes.awards(pool.cents, state.conditions.prizes, places)
    fixed = sum(award.fixed_cents for award in won)
    given = tuple(
        e.PrizeAwarded(
            award.place,
            award.entrant,
            state.entrants[str(award.entrant)].player,
            award.cents,
            dict(award.text),
            award.of,
        )
        for award in won
    )
    awarded = e.PrizesAwarded(
        pool_cents=pool.cents,
        house_adds_cents=pool.added_cents + fixed,
        prizes=given,
        second=stamp.second,
        by=stamp.by,
        at_ms=stamp.at_ms,
        clause=_PRIZES,
    )
    orders = [
        slips.SlipOrder(slips.PAY, slips.PRIZE, one.entrant, one.player, {slips.POOL: one.cents}, of=one.of)
        for one in given
    ]
    return (*broken, awarded, *slips.all_raised(state, stamp, orders))


def pool_now(state: TournamentState) -> prizes.PrizePool:
    """The pool as the slips stand that were taken and not refunded."""
    return prizes.pool_of([slips.held_parts(state)[slips.POOL]], state.conditions.pool)


def pool_shown(state: TournamentState) -> int:
    """The pool that was shared, or before that the pool as it stands."""
    if state.prizes or not state.versions:
        return state.pool_cents
    return pool_now(state).cents


def _places(state: TournamentState, lots: tuple[tuple[int, ...], ...] = ()) -> dict[str, list[Equals]]:
    """The final places of the tournament, and of every secondary round that has prizes."""
    places = {"": _parted(state, final_contestants(state), lots)}
    for of in sorted({prize.of for prize in state.conditions.prizes} - {""}):
        ranked = [one for sitting in contestants(state, of).values() for one in sitting if one.played]
        places[of] = _parted(state, tuple(ranked), lots)
    return places


def _parted(state: TournamentState, ranked: tuple[Contestant, ...], lots: tuple[tuple[int, ...], ...]) -> list[Equals]:
    """Everybody in order; equals stay together where prizes are shared.

    Between who left in the same earlier round no play-off is held any more: lots decide.
    """
    ranking = state.conditions.ranking
    if ranking.prize_ties is PrizeTies.SHARE:
        return order(ranked, ())
    known = parted(state, *(part.name for part in state.conditions.rounds), PRIZES)
    known = Parted(known.play_offs, [*known.lots, *lots])
    found = []
    for group in order(ranked, ranking.tie_breaks, known):
        found += order(group.members, (TieBreak.LOTS,), known) if group.due is TieBreak.PLAY_OFF else [group]
    return found


def _tied(state: TournamentState, lots: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """The first equals at a place with a prize whom lots must part; nobody where prizes are shared."""
    if state.conditions.ranking.prize_ties is PrizeTies.SHARE:
        return ()
    for of, groups in _places(state, lots).items():
        last = max((prize.place for prize in state.conditions.prizes if prize.of == of), default=0)
        before = 0
        for group in groups:
            if len(group.members) > 1 and before < last:
                return group.entrants
            before += len(group.members)
    return ()


def prize_label_to_open(state: TournamentState) -> str | None:
    """The draw that the award of the prizes must open, where lots decide a place."""
    return lots_label(state, PRIZES) if _tied(state, ()) else None


def _lots(state: TournamentState, words: str, stamp: Stamp) -> tuple[tuple[tuple[int, ...], ...], _Events]:
    lots: tuple[tuple[int, ...], ...] = ()
    label = lots_label(state, PRIZES)
    while tied := _tied(state, lots):
        if label not in state.commitments:
            raise TournamentNo(TournamentCause.PRIZES_UNDECIDED)
        lots = (*lots, draw.drawn_order(opened_seed(state, label, words, stamp), label, tied, words))
    broken = (
        e.TieBroken(
            round=PRIZES,
            entrants=one,
            how=LOTS,
            seed=stamp.seed,
            words=words,
            by=stamp.by,
            at_ms=stamp.at_ms,
            clause="G-103",
        )
        for one in lots
    )
    return lots, tuple(broken)


# The end


def cancel_tournament(state: TournamentState, act: acts.CancelTournament, stamp: Stamp) -> _Events:
    """Nothing is wanted any more, and everything that was paid goes back; balances that were paid stay paid (G-140)."""
    unpaid = [
        number
        for number, slip in sorted(state.slips.items())
        if slip.direction == slips.TAKE and slip.status is SlipStatus.RAISED
    ]
    active = any(sitting.state not in SITTING_OVER for _, sitting in sittings_on(state))
    cancelled = e.TournamentCancelled(
        reason=act.reason,
        second=stamp.second,
        order=state.orders + 1 if active else 0,
        by=stamp.by,
        at_ms=stamp.at_ms,
        clause="G-140",
    )
    return (
        cancelled,
        *settling.stakes_of_leavers(state, stamp),
        *slips.withdrawn(stamp, unpaid, "G-140"),
        *slips.all_raised(state, stamp, _given_back(state)),
    )


def _given_back(state: TournamentState) -> Iterator[slips.SlipOrder]:
    """Every slip that was taken, whole; but where a balance was paid in cash, not the buy-in besides."""
    settled = settling.settled_stakes(state)
    for number, slip in sorted(state.slips.items()):
        stays = slip.purpose == slips.BUY_IN and (slip.of, slip.entrant) in settled
        order_back = None if stays else slips.refund_order(state, number, 100, "G-140")
        if order_back is not None:
            yield order_back


def close_books(state: TournamentState, act: acts.CloseBooks, stamp: Stamp) -> _Events:
    """Every slip must be settled: taken, paid, forfeited, or cancelled at the house as the tournament asked."""
    del act
    waiting = (SlipStatus.RAISED, SlipStatus.WITHDRAWN)
    still = sum(1 for slip in state.slips.values() if slip.status in waiting)
    if still:
        raise TournamentNo(TournamentCause.SLIPS_OPEN, slips=still)
    return (e.BooksClosed(by=stamp.by, at_ms=stamp.at_ms, clause=_PRIZES),)
