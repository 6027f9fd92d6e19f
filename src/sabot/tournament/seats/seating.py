"""Seats: the draw, committed and opened (CROWN 12.1.1), and the times of sessions (CROWN 12.3.4)."""

from sabot.basics.stamp import Stamp
from sabot.tournament import acts
from sabot.tournament import events as e
from sabot.tournament.conditions.parts import AbsentOutcome, From, RoundPart
from sabot.tournament.entry.entrants import by_number
from sabot.tournament.phase import TournamentPhase
from sabot.tournament.refusal import TournamentCause, TournamentNo
from sabot.tournament.seats import draw
from sabot.tournament.sittings.demands import the_round
from sabot.tournament.sittings.finding import is_over, sources, start_of
from sabot.tournament.state import EntrantStatus, TournamentState

LOTS = "lots"
WILD_CARDS = "wild-cards"
PRIZES = "prizes"
_EQUAL = "CROWN 12.1.1"
_MINUTE_MS = 60_000
_Events = tuple[e.TournamentEvent, ...]


def seats_label(state: TournamentState, name: str) -> str:
    return f"{state.tournament}/{name}"


def lots_label(state: TournamentState, name: str, what: str = LOTS) -> str:
    return f"{state.tournament}/{name}/{what}"


# Commitments


def commit_draw(state: TournamentState, act: acts.CommitDraw, stamp: Stamp) -> _Events:
    """The commitment is published once it is settled who is drawn, and replaced only before the draw (a lost seed)."""
    if state.commitments.get(act.draw) == act.commitment:
        return ()
    _check_label(state, act.draw, stamp.at_ms)
    return (e.DrawCommitted(draw=act.draw, commitment=act.commitment, by=stamp.by, at_ms=stamp.at_ms, clause=_EQUAL),)


def _check_label(state: TournamentState, label: str, at_ms: int) -> None:
    tournament, _, rest = label.partition("/")
    name, _, what = rest.partition("/")
    if tournament != state.tournament or what not in ("", LOTS, WILD_CARDS):
        raise TournamentNo(TournamentCause.UNKNOWN_ROUND, round=rest or label, session=1)
    if (name, what) == (PRIZES, LOTS):
        if state.phase is not TournamentPhase.DECIDED:
            raise TournamentNo(TournamentCause.LIST_OPEN, draw=label)
        return
    part = the_round(state, name)
    if what:
        _check_lots_open(state, name, label)
    else:
        check_undrawn(state, name)
        check_list_closed(state, part, at_ms)


def _check_lots_open(state: TournamentState, name: str, label: str) -> None:
    if state.progress(name).confirmed:
        raise TournamentNo(TournamentCause.CONFIRMED_ALREADY, round=name)
    if not is_over(state, name):
        raise TournamentNo(TournamentCause.LIST_OPEN, draw=label)


def opened_seed(state: TournamentState, label: str, words: str, stamp: Stamp) -> bytes:
    """The seed behind a commitment, once words were drawn before witnesses."""
    published = state.commitments.get(label)
    if published is None:
        raise TournamentNo(TournamentCause.NOT_COMMITTED, draw=label)
    if not draw.words_are_enough(words):
        raise TournamentNo(TournamentCause.TOO_FEW_WORDS)
    try:
        seed = bytes.fromhex(stamp.seed)
    except ValueError:
        seed = b""
    if len(seed) != draw.SEED_BYTES or draw.commitment_of(seed, label) != published:
        raise TournamentNo(TournamentCause.WRONG_SEED, draw=label)
    return seed


def seat_draws_due(state: TournamentState, at_ms: int) -> tuple[str, ...]:
    """The draws of seats whose commitment is to be published now."""
    due = []
    for part in state.conditions.rounds if state.versions else ():
        label = seats_label(state, part.name)
        if label not in state.commitments and state.progress(part.name).drawn is None:
            try:
                check_list_closed(state, part, at_ms)
            except TournamentNo:
                continue
            if to_be_seated(state, part):
                due.append(label)
    return tuple(due)


# Who is drawn


def check_undrawn(state: TournamentState, name: str) -> None:
    progress = state.progress(name)
    if progress.confirmed:
        raise TournamentNo(TournamentCause.CONFIRMED_ALREADY, round=name)
    if progress.drawn is not None:
        raise TournamentNo(TournamentCause.DRAWN_ALREADY, round=name)


def check_list_closed(state: TournamentState, part: RoundPart, at_ms: int) -> None:
    """Nobody can come to the round any more, or drop out of its list other than by leaving the tournament."""
    for name in sorted(sources(part)):
        if not state.progress(name).confirmed:
            raise TournamentNo(TournamentCause.ROUND_UNCONFIRMED, round=name)
    entering = state.phase not in (TournamentPhase.READY, TournamentPhase.IN_SESSION)
    buying = any(line.bought_back_after for line in part.from_) and at_ms < buy_back_until(state)
    if entering or buying:
        raise TournamentNo(TournamentCause.LIST_OPEN, draw=seats_label(state, part.name))


def buy_back_until(state: TournamentState) -> int:
    """When buying back ends (CROWN 12.2.1(e))."""
    rule = state.conditions.buy_back
    return start_of(state, rule.into, 1) - rule.until_minutes_before * _MINUTE_MS


def to_be_seated(state: TournamentState, part: RoundPart) -> tuple[int, ...]:
    """The entrants of a round that is not drawn yet, by its lines, in rising order."""
    return tuple(sorted({number for line in part.from_ for number in _come(state, part.name, line)}))


def _come(state: TournamentState, name: str, line: From) -> list[int]:
    if line.entrants:
        return [number for number, _ in by_number(state, {EntrantStatus.ENTERED})]
    if line.bought_back_after:
        return [
            int(one) for one, entrant in state.entrants.whole().items() if entrant.status is EntrantStatus.BOUGHT_BACK
        ]
    if line.missed:
        caught = state.conditions.attendance.absent.outcome is AbsentOutcome.CATCH_UP
        numbers, status = state.progress(line.missed).absent if caught else (), EntrantStatus.ABSENT
    elif line.eliminated_in:
        numbers, status = state.progress(line.eliminated_in).eliminated, EntrantStatus.ELIMINATED
    else:
        numbers, status = state.progress(line.round).through.get(name, ()), EntrantStatus.THROUGH
    return [number for number in numbers if state.entrants[str(number)].status is status]


# The draw


def draw_seats(state: TournamentState, act: acts.DrawSeats, stamp: Stamp) -> _Events:
    part = the_round(state, act.round)
    check_undrawn(state, part.name)
    check_list_closed(state, part, stamp.at_ms)
    numbers = to_be_seated(state, part)
    if not numbers:
        raise TournamentNo(TournamentCause.NOBODY_TO_SEAT, round=part.name)
    stations = _tables_for(state, part, len(numbers))
    label = seats_label(state, part.name)
    seed = opened_seed(state, label, act.words, stamp)
    order = draw.drawn_order(seed, label, numbers, act.words)
    return (
        e.SeatsDrawn(
            round=part.name,
            commitment=state.commitments[label],
            seed=stamp.seed,
            words=act.words,
            order=order,
            places=draw.places(order, part.seats, part.sessions, stations),
            by=stamp.by,
            at_ms=stamp.at_ms,
            clause=_EQUAL,
        ),
    )


def in_order(tables: list[str]) -> list[str]:
    """T2 before T10."""
    return sorted(tables, key=lambda name: (len(name), name))


def _tables_for(state: TournamentState, part: RoundPart, entrants: int) -> dict[str, tuple[str, ...]]:
    """The designated tables that the round uses, each with its stations; there must be enough for everybody."""
    sizes = draw.sitting_sizes(entrants, part.seats, part.sessions)
    largest = max(size for session in sizes for size in session)
    stations = {name: state.tables[name].stations for name in in_order(list(state.tables))}
    fit = [name for name, held in stations.items() if len(held) >= largest][: part.tables]
    if len(fit) < max(map(len, sizes)):
        found = sum(min(part.seats, len(stations[name])) for name in fit) * part.sessions
        raise TournamentNo(TournamentCause.TOO_FEW_SEATS, needed=entrants, found=found)
    return {name: stations[name] for name in fit}


def alter_start(state: TournamentState, act: acts.AlterStart, stamp: Stamp) -> _Events:
    """Another start, with reasonable notice (G-107)."""
    the_round(state, act.round, act.session)
    if act.session in state.progress(act.round).called:
        raise TournamentNo(TournamentCause.SESSION_CALLED, session=act.session, round=act.round)
    notice = state.conditions.conduct.start_notice_minutes
    if act.to_ms < stamp.at_ms + notice * _MINUTE_MS:
        raise TournamentNo(TournamentCause.NOTICE_TOO_SHORT, minutes=notice)
    return (
        e.StartAltered(
            round=act.round,
            session=act.session,
            to_ms=act.to_ms,
            by=stamp.by,
            at_ms=stamp.at_ms,
            clause="CROWN 12.3.4",
        ),
    )
