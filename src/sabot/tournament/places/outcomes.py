"""What a round comes to: who goes through, who is ranked where, and which tie is still to be broken (G-103)."""

from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

from sabot.tournament.conditions.parts import PrizeTies, RoundPart, TieBreak
from sabot.tournament.places.advancing import Progress, TieAtCut, WayOn, advance, lines_from
from sabot.tournament.places.ranking import Contestant, Parted, order
from sabot.tournament.places.standing import contestants, parted
from sabot.tournament.seats.seating import LOTS, WILD_CARDS, lots_label
from sabot.tournament.sittings.contending import prize_places
from sabot.tournament.sittings.finding import is_over
from sabot.tournament.state import OUT, TournamentState


class RoundOutcome(NamedTuple):
    """What a round comes to by the scores, the play-offs and the draws so far."""

    through: dict[str, tuple[int, ...]]
    ranked: tuple[int, ...]
    tie: TieAtCut | None
    """The first tie that must be broken before the round can be confirmed."""


def outcome(
    state: TournamentState, part: RoundPart, lots: Iterable[tuple[int, ...]] = (), drawn: tuple[int, ...] = ()
) -> RoundOutcome:
    """Who goes through, by what is on record and by draws that are just being opened."""
    known = parted(state, part.name)
    known = Parted(known.play_offs, [*known.lots, *lots])
    drawn = drawn or state.progress(part.name).wild_cards
    return _outcome(state, part, known, drawn, state.conditions.ranking.tie_breaks)


def _outcome(
    state: TournamentState, part: RoundPart, known: Parted, drawn: tuple[int, ...], breaks: tuple[TieBreak, ...]
) -> RoundOutcome:
    sittings = list(contestants(state, part.name).values())
    everybody = [one for sitting in sittings for one in sitting]
    through = _advanced(state, part.name, sittings, breaks, known, drawn)
    ranked = tuple(number for group in order(everybody, breaks, known) for number in group.entrants)
    tie = through.tie or _prize_tie(state, part, everybody, known, breaks)
    return RoundOutcome(through.through, ranked, tie)


def _advanced(
    state: TournamentState,
    name: str,
    sittings: list[tuple[Contestant, ...]],
    breaks: tuple[TieBreak, ...],
    known: Parted,
    drawn: tuple[int, ...],
) -> Progress:
    """The lines of the next rounds, up to the first tie that matters."""
    lines = lines_from(name, state.conditions.rounds)
    left = _left(state, name, [one for sitting in sittings for one in sitting])

    def assuming(orders: list[tuple[int, ...]]) -> Progress:
        played = [{number: -place for place, number in enumerate(equals)} for equals in orders]
        parts = Parted([*known.play_offs, *played], [*known.lots, *orders])
        return advance(lines, sittings, breaks, parts, drawn, left)

    assumed: list[tuple[int, ...]] = []
    found = assuming(assumed)
    while found.tie is not None and _changes_nothing(found.tie, lines, sittings, assumed, assuming):
        assumed.append(found.tie.entrants)
        found = assuming(assumed)
    return found


def _changes_nothing(
    tie: TieAtCut,
    lines: tuple[WayOn, ...],
    sittings: list[tuple[Contestant, ...]],
    assumed: list[tuple[int, ...]],
    assuming: Callable[[list[tuple[int, ...]]], Progress],
) -> bool:
    """Whether all the equals go to the same round in any order: who is third at the table may be a wild card besides.

    Equals of one sitting are alike to every later line, so that one order tells for all; but not where a line for each
    table follows one for all tables.
    """
    at_tables = [bool(way.line.top_per_table) for way in lines]
    one_sitting = any(set(tie.entrants) <= {one.entrant for one in sitting} for sitting in sittings)
    if tie.due is None or not one_sitting or at_tables != sorted(at_tables, reverse=True):
        return False
    orders = [*assumed, tie.entrants]
    while later := assuming(orders).tie:
        if later.due is None or not set(later.entrants).isdisjoint(tie.entrants):
            return False
        orders.append(later.entrants)
    return set(tie.entrants) <= set(assuming(orders).through.get(tie.to, ()))


def _left(state: TournamentState, name: str, everybody: list[Contestant]) -> list[int]:
    """Who has left the tournament is ranked, and goes nowhere; after the confirmation everybody is seen as then."""
    if state.progress(name).confirmed:
        return []
    return [one.entrant for one in everybody if state.entrants[str(one.entrant)].status in OUT]


def _prize_tie(
    state: TournamentState,
    part: RoundPart,
    everybody: list[Contestant],
    known: Parted,
    breaks: tuple[TieBreak, ...],
) -> TieAtCut | None:
    """Equals at a place with a prize, in a round that nobody goes on from, where prizes are not shared."""
    if state.conditions.ranking.prize_ties is PrizeTies.SHARE or lines_from(part.name, state.conditions.rounds):
        return None
    places, before = prize_places(state, part.name), 0
    for group in order([one for one in everybody if one.played], breaks, known):
        if len(group.members) > 1 and before < places:
            return TieAtCut("", group.entrants, min(places - before, len(group.members)), group.due)
        before += len(group.members)
    return None


def label_to_open(state: TournamentState, name: str) -> str | None:
    """The draw that the confirmation of a round must open next; None where none is due, or a play-off is."""
    part = state.round(name)
    if part is None or state.progress(name).confirmed or not is_over(state, name):
        return None
    tie = outcome(state, part).tie
    if tie is None or tie.due is TieBreak.PLAY_OFF:
        return None
    return lots_label(state, name, WILD_CARDS if tie.due is None else LOTS)


def reasons(
    state: TournamentState, part: RoundPart, found: RoundOutcome, drawn: tuple[int, ...]
) -> Iterator[tuple[TieBreak, tuple[int, ...]]]:
    """For the record: what parted the equals at each cut, where it was not a draw, and their order."""
    orders: list[tuple[int, ...]] = []
    drawn = drawn or state.progress(part.name).wild_cards
    while tie := _outcome(state, part, Parted(lots=orders), drawn, (TieBreak.LOTS,)).tie:
        equals = tuple(number for number in found.ranked if number in tie.entrants)
        how = _parted_by(state, part.name, tie)
        if how is not None:
            yield how, equals
        orders.append(equals)


def _parted_by(state: TournamentState, name: str, tie: TieAtCut) -> TieBreak | None:
    """The first tie-break after which the equals are parted at the cut; None where lots were drawn."""
    equals = [one for at in contestants(state, name).values() for one in at if one.entrant in tie.entrants]
    breaks = state.conditions.ranking.tie_breaks
    for upto, how in enumerate(breaks, start=1):
        sizes = [len(group.members) for group in order(equals, breaks[:upto], parted(state, name))]
        if _is_parted(tie, sizes):
            return None if how is TieBreak.LOTS else how
    return None


def _is_parted(tie: TieAtCut, sizes: list[int]) -> bool:
    """Whether groups of these sizes leave nobody equal across the cut; of prizes every place is a cut."""
    return tie.places in accumulate(sizes) if tie.to else set(sizes[: tie.places]) == {1}
