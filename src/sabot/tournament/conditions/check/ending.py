"""Ranking, buy-back, pool and prizes (CROWN 12.2.1(d), (e), (j))."""

from collections.abc import Sequence

from sabot.basics.money import write_amount
from sabot.tournament.conditions.check.game import smallest_minimum
from sabot.tournament.conditions.check.written import WrittenParts
from sabot.tournament.conditions.parts import (
    BuyBackPart,
    GamePart,
    PoolPart,
    Prize,
    PrizeTies,
    RankingPart,
    RoundKind,
    RoundPart,
    TieBreak,
)
from sabot.tournament.conditions.problem import Problems, problem


def ending_problems(written: WrittenParts) -> Problems:
    if written.ranking is not None:
        yield from _ranking(written.ranking, written.game, written.prizes)
    if written.buy_back is not None:
        yield from _buy_back(written.buy_back, written.rounds)
    if written.pool is not None:
        yield from _pool(written.pool)
    if written.prizes is not None:
        yield from _prizes(written.prizes, written.rounds)
        yield from _shares(written)


def _ranking(ranking: RankingPart, game: GamePart | None, prizes: Sequence[Prize] | None) -> Problems:
    breaks, key = ranking.tie_breaks, "ranking.tie_breaks"
    if not breaks or breaks[-1] is not TieBreak.LOTS:
        yield problem(key, "the last tie-break is lots, so that every tie has an end")
    for number, one in enumerate(breaks):
        if one in breaks[:number]:
            yield problem(f"{key}[{number}]", f"{one} stands there twice")
    play_off = ranking.play_off
    if play_off is None:
        if TieBreak.PLAY_OFF in breaks:
            yield problem("ranking.play_off", "is missing: a play-off has coups and a credit")
    else:
        if play_off.coups < 1:
            yield problem("ranking.play_off.coups", f"{play_off.coups} is not above 0")
        least = smallest_minimum(game) if game is not None else 1
        if play_off.credit < max(least, 1):
            why = f"a credit of {write_amount(play_off.credit)} is below the smallest minimum, {write_amount(least)}"
            yield problem("ranking.play_off.credit", why)
    if ranking.prize_ties is PrizeTies.SHARE and any(prize.text is not None for prize in prizes or ()):
        yield problem("ranking.prize_ties", "equals cannot share a prize in words; choose tie_break")


def _buy_back(buy_back: BuyBackPart, rounds: Sequence[RoundPart] | None) -> Problems:
    if not buy_back.allowed:
        return
    for name in ("each", "in_all"):
        if getattr(buy_back, name) < 1:
            yield problem(f"buy_back.{name}", f"{getattr(buy_back, name)} is not above 0")
    if buy_back.price_cents < 0:
        yield problem("buy_back.price_cents", f"a price of {write_amount(buy_back.price_cents)} is below nothing")
    if not 0 <= buy_back.to_pool_cents <= max(buy_back.price_cents, 0):
        part, price = write_amount(buy_back.to_pool_cents), write_amount(buy_back.price_cents)
        yield problem("buy_back.to_pool_cents", f"{part} for the pool is no part of the price of {price}")
    if rounds is None:
        return
    names = [one.name for one in rounds]
    if buy_back.after not in names:
        yield problem("buy_back.after", f"there is no round {buy_back.after!r}")
    into = next((one for one in rounds if one.name == buy_back.into), None)
    if into is None:
        yield problem("buy_back.into", f"there is no round {buy_back.into!r}")
    elif all(line.bought_back_after != buy_back.after for line in into.from_):
        yield problem("buy_back.into", f"{into.name} takes nobody who bought back after {buy_back.after}")


def _pool(pool: PoolPart) -> Problems:
    for key, cents in (("added_cents", pool.added_cents), ("guaranteed_cents", pool.guaranteed_cents)):
        if cents < 0:
            yield problem(f"pool.{key}", f"{write_amount(cents)} is below nothing")


def _prizes(prizes: Sequence[Prize], rounds: Sequence[RoundPart] | None) -> Problems:
    if not prizes:
        yield problem("prizes", "is empty: a tournament has a prize")
    secondary = {one.name for one in rounds or () if one.kind is RoundKind.SECONDARY}
    seen: dict[str, int] = {}
    for number, prize in enumerate(prizes):
        key = f"prizes[{number}]"
        due = seen[prize.of] = seen.get(prize.of, 0) + 1
        if prize.place != due:
            yield problem(f"{key}.place", f"place {prize.place} stands where place {due} is due")
        said = [name for name in ("share", "cents", "text") if getattr(prize, name) is not None]
        if len(said) != 1:
            yield problem(key, f"a prize is one of share, cents and text, not {' and '.join(said) or 'none'}")
        if prize.share is not None and not 1 <= prize.share <= 100:
            yield problem(f"{key}.share", f"{prize.share} per cent is not between 1 and 100")
        if prize.cents is not None and prize.cents <= 0:
            yield problem(f"{key}.cents", f"a prize of {write_amount(prize.cents)} is not above 0")
        if rounds is not None and prize.of and prize.of not in secondary:
            yield problem(f"{key}.of", f"{prize.of} is no secondary round")


def _shares(written: WrittenParts) -> Problems:
    """All shares are of the one pool, and the whole of it is paid (G-137)."""
    prizes, entry, pool = written.prizes or (), written.entry, written.pool
    if not prizes or entry is None or pool is None or written.buy_back is None:
        return
    bought = written.buy_back.to_pool_cents if written.buy_back.allowed else 0
    filled = max(entry.to_pool_cents, pool.added_cents, pool.guaranteed_cents, bought) > 0
    shares = [prize.share for prize in prizes if prize.share is not None]
    if filled and sum(shares) != 100:
        yield problem("prizes", f"the shares of the pool come to {sum(shares)} per cent, and 100 are due")
