"""How many may come into each round at most, as conditions leave it (CROWN 12.2.1(d))."""

from collections.abc import Sequence

from sabot.tournament.conditions.parts import BuyBackPart, From, RoundKind, RoundPart


def places(one: RoundPart) -> int:
    """The seats of a round in all its sessions."""
    return one.sessions * one.tables * one.seats


def sittings(one: RoundPart, players: int) -> int:
    """How many tables so many players need in all sessions."""
    return -(-players // one.seats) if one.seats else 0


def last_round(rounds: Sequence[RoundPart]) -> RoundPart:
    """The round that decides the places: the last that is not a secondary one."""
    return next((one for one in reversed(rounds) if one.kind is not RoundKind.SECONDARY), rounds[-1])


def most_into(rounds: Sequence[RoundPart], maximum_players: int, buy_back: BuyBackPart) -> dict[str, int]:
    """The most that may come into each round, in the order of the rounds.

    A round that too many may come into plays with as many as it has places for.
    """
    most: dict[str, int] = {}
    plays: dict[str, int] = {}
    for one in rounds:
        found = 0
        taken: dict[str, int] = {}
        for line in one.from_:
            source = line.round or line.bought_back_after or line.missed or line.eliminated_in
            if line.entrants:
                found += maximum_players
            elif line.round in plays:
                taken[line.round] = taken.get(line.round, 0) + _through(line, rounds, plays[line.round])
            elif source in plays:
                found += _others(line, source, rounds, plays[source], buy_back)
        most[one.name] = found + sum(min(plays[name], number) for name, number in taken.items())
        plays[one.name] = min(most[one.name], places(one))
    return most


def _through(line: From, rounds: Sequence[RoundPart], players: int) -> int:
    """How many of a round's players a line takes: nobody more than once, and nobody who is not there."""
    source = next(one for one in rounds if one.name == line.round)
    if line.top_per_table:
        return min(players, line.top_per_table * sittings(source, players))
    return min(players, line.top_overall or line.wild_cards)


def _others(line: From, source: str, rounds: Sequence[RoundPart], players: int, buy_back: BuyBackPart) -> int:
    if line.bought_back_after:
        offered = buy_back.allowed and buy_back.after == source
        return min(buy_back.in_all, players) if offered else 0
    return players if line.missed else _eliminated(source, rounds, players)


def _eliminated(source: str, rounds: Sequence[RoundPart], players: int) -> int:
    """The most that a round can eliminate. One player more may open a table and send more on, so full tables count."""
    lines = [line for one in rounds for line in one.from_ if line.round == source]
    seats = next(one.seats for one in rounds if one.name == source) or 1
    return max(
        number - min(number, sum(_through(line, rounds, number) for line in lines))
        for number in (players, players - players % seats)
    )
