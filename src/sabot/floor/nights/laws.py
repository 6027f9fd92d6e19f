"""What holds after every act of a night, whatever was done before it. What breaks a law raises `Violation`."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from sabot.floor.simulator.violation import insist
from sabot.floor.table_owner.effects import Happening
from sabot.ledger.audit import discrepancy
from sabot.rules.terms import Outcome, Settlement
from sabot.table import acts
from sabot.table import events as e
from sabot.table.accounts.tickets_in import escrow_of
from sabot.table.phase import Phase
from sabot.table.role import Role
from sabot.table.second_person import approval_due
from sabot.table.state import TableState

Authority = Mapping[str, Collection[Role]]
"""Which roles may give each verb, as a table of its own that the program does not read."""

SUPERVISORS = (Role.GAME_SUPERVISOR, Role.CASINO_SUPERVISOR)
PAST_A_FACT = (e.WageringOpened, e.CardDealt, e.CoupDecided, e.WagersSettled, e.TableClosed)
"""What must not happen while a stated fact waits for its resolution."""


class Laws:
    def __init__(self, authority: Authority) -> None:
        self._authority = authority
        self._settled: set[int] = set()
        self._told_otherwise: set[tuple[str, int]] = set()
        """Stations and coups of which the station told that it shows other wagers than are on record."""
        self._won: Counter[str] = Counter()
        """What winning wagers paid each patron, and what was seized of it."""
        self._paid: set[str] = set()
        """Tickets that the table has credited or paid by hand."""
        self._unresolved: TableState | None = None
        """The table as it stood before the newest resolution."""

    def check(self, before: TableState, happening: Happening) -> None:
        after = happening.state
        if happening.act is None or not happening.events:
            return
        self._check_authority(happening)
        _check_money(after)
        _check_cards(after)
        _check_fact(before, happening)
        _check_second(before, happening)
        _check_disputes(before, happening)
        if after.played is not before.played:
            _check_figures(before, after)
        for event in happening.events:
            self._check_event(before, happening, event)
        if any(isinstance(event, e.ResolutionTakenBack) for event in happening.events):
            assert self._unresolved is not None
            _check_taken_back(self._unresolved, before, after)

    def _check_authority(self, happening: Happening) -> None:
        act, stamp = happening.act, happening.stamp
        assert act is not None
        if stamp.role in (Role.CLOCK, Role.OPERATOR, Role.STATION):
            return
        insist(stamp.role in self._authority.get(act.verb, ()), f"a {stamp.role} gave {act.verb}")

    def _check_event(self, before: TableState, happening: Happening, event: e.Event) -> None:
        match event:
            case e.FactResolved():
                self._unresolved = before
            case e.WagersSettled():
                insist(event.coup not in self._settled, f"coup {event.coup} is settled twice")
                self._settled.add(event.coup)
                self._note_wins(before, event.settlements)
            case e.CoupRecalculated():
                self._note_wins(before, event.settlements)
            case e.WagersSeen() if not event.agrees:
                self._told_otherwise.add((event.station, event.coup))
            case e.WagersVoided() | e.WagersReversed() if isinstance(happening.act, acts.CannotConfirm):
                doubtful = (event.station, event.coup) in self._told_otherwise
                insist(doubtful, f"wagers of {event.station} that the records hold are undone")
                lost = isinstance(event, e.WagersReversed) or (before.coup is not None and bool(before.coup.cards))
                insist(not lost or happening.stamp.role in SUPERVISORS, "a dealer undid a coup after a card")
            case e.TicketCredited() | e.TicketPaidManually():
                if isinstance(event, e.TicketCredited):
                    used = escrow_of(before, event.station).number
                    insist(event.escrow > used, f"ticket {event.ticket} is credited without an escrow of its own")
                insist(event.ticket not in self._paid, f"ticket {event.ticket} is paid twice")
                known = before.tickets.get(event.ticket)
                insist(known is None or known.cents == event.cents, f"ticket {event.ticket} is paid otherwise")
                self._paid.add(event.ticket)
            case e.WinningsSeized():
                self._won[whom := _patron(before, event.station, event.control)] -= event.cents
                insist(self._won[whom] >= 0, f"more was seized from {event.station} than was won there")
            case _:
                pass

    def _note_wins(self, before: TableState, settlements: Mapping[str, Sequence[Settlement]]) -> None:
        for station, settled in settlements.items():
            won = sum(one.net_cents for one in settled if one.outcome is Outcome.WIN)
            self._won[_patron(before, station, before.stations[station].control)] += won


def _patron(state: TableState, station: str, control: int) -> str:
    """The patron by reference, or else the control session."""
    session = state.sessions.get(control)
    return session.patron if session is not None and session.patron else f"{station}/{control}"


def _check_disputes(before: TableState, happening: Happening) -> None:
    """A decision is booked to those who were there when the dispute was opened, never to one who came later."""
    for event in happening.events:
        if isinstance(event, e.DisputeDecided):
            came_later = [one.control for one in event.booked.values() if one.control > before.cases[event.case].as_of]
            insist(not came_later, "a dispute is decided for a patron who came later")


def _check_money(after: TableState) -> None:
    wrong = discrepancy(after.ledger, after.meters)
    insist(wrong is None or bool(after.locked), f"the books do not agree: {wrong}")
    for name, purse in after.ledger.purses.items():
        insist(min(purse.balance, purse.held, *purse.layout.values(), 0) >= 0, f"{name} is below zero")


def _check_figures(before: TableState, after: TableState) -> None:
    """What a patron is told of the own play changes as settled coups do, but not when they fall out or come back."""
    known, newest = {one.coup for one in before.played}, max((one.coup for one in before.played), default=0)
    looked_at = {one.coup for one in after.played if one.coup in known or one.coup > max(newest, before.fallen.coup)}
    for name, station in after.stations.items():
        if not station.control or before.stations[name].control != station.control:
            continue
        was, now = (_played_by(one, station.control, looked_at) for one in (before, after))
        told, said = (
            (care.coups, care.staked, care.won, care.lost) for care in (station.care, before.stations[name].care)
        )
        change, should = (tuple(a - b for a, b in zip(*pair, strict=True)) for pair in ((told, said), (now, was)))
        insist(change == should, f"{name} is told {change} more of the own play, and it is {should}")


def _played_by(state: TableState, control: int, coups: Collection[int]) -> tuple[int, int, int, int]:
    """How many coups a patron has wagered in, and what was staked, won and lost in them, as they stand."""
    own = [
        settled
        for played in state.played
        for seat, settled in played.settlements.items()
        if played.coup in coups and not played.invalid and played.controls[seat] == control and settled
    ]
    lines = [one for settled in own for one in settled]
    won = sum(one.net_cents for one in lines if one.outcome is Outcome.WIN)
    lost = sum(one.stake_cents for one in lines if one.outcome is Outcome.LOSE)
    return len(own), sum(one.stake_cents for one in lines), won, lost


def _check_cards(after: TableState) -> None:
    shoe, decks = after.shoe, after.configuration.decks
    insist(0 <= shoe.out <= shoe.cards, f"{shoe.out} of {shoe.cards} cards are out")
    for card, copies in shoe.census.items():
        insist(0 <= copies <= decks, f"{card} has left the shoe {copies} times")
    insist(sum(shoe.census.values()) <= shoe.out, "more cards are known than have left the shoe")


def _check_fact(before: TableState, happening: Happening) -> None:
    """A stated fact stays until it is resolved or withdrawn."""
    if before.fact is None or any(isinstance(event, e.FactResolved) for event in happening.events):
        return
    past = next((event for event in happening.events if isinstance(event, PAST_A_FACT)), None)
    insist(past is None, f"{type(past).__name__} happened past the stated fact {before.fact.kind}")


def _check_taken_back(stood: TableState, before: TableState, after: TableState) -> None:
    """Everything stands as it did before the resolution; wagers and what stations tell may have changed since."""
    for part in ("phase", "coups", "fact", "shoe", "cards_checked", "awaits_confirmation"):
        insist(getattr(after, part) == getattr(stood, part), f"{part} is not as before the resolution")
    was, now = stood.coup, after.coup
    insist(was is None or now == replace(was, shown=now.shown if now else {}), "the coup is not as before")
    told = {(one.coup, one.station) for one in after.doubts}
    insist(told >= {(one.coup, one.station) for one in stood.doubts}, "what was to be confirmed is forgotten")
    if before.phase is not Phase.WAGERING:
        insist(after.layouts() == stood.layouts(), "other wagers lie there than before the resolution")
    valid = {one.coup for one in stood.played if not one.invalid}
    insist(valid <= {one.coup for one in after.played if not one.invalid}, "a coup is still invalid")


def _check_second(before: TableState, happening: Happening) -> None:
    due = approval_due(before, happening.events)
    signed = [event for event in happening.events if isinstance(event, e.Countersigned)]
    insist(due is None or bool(signed), f"nobody approved what is for two: {due}")
    insist(all(event.second != event.by for event in signed), "somebody approved an act of their own")
