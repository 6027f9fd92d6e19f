"""Compares what stations were told with the records, and keeps books of its own.

It knows three bets and how they pay, and nothing of the program's ledger. After each round every acknowledged command
must be on record once under its name, and every command that was called lost on none. Each station's sealed wagers must
be those that it was told were taken. Each purse that is shown must be what the oracle's own sum gives.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from sabot.cli.cluster.players import OutcomeUnknown, Player, RobotTouch
from sabot.floor.records.record_codec import read_answer, read_events, table_stream
from sabot.floor.table_owner.term import key_of
from sabot.journal.journal import ReadableJournal
from sabot.journal.record import Record
from sabot.ledger.ledger import Purse
from sabot.rules.rule_set import Bet
from sabot.table import events as e
from sabot.wire.frames import Answer, Lost, Name


class Checked(msgspec.Struct):
    """What a look at the records has found."""

    acknowledged: int = 0
    unknown: int = 0
    """Commands whose outcome a station was never told; they may be on record or not."""
    lost: list[str] = []
    doubled: list[str] = []
    wrong: list[str] = []
    """Sealed wagers, purses or coups that differ from what they should be."""
    purses: int = 0
    restarts: list[str] = []
    """How each coup was treated that a failure interrupted."""

    def __add__(self, other: "Checked") -> "Checked":
        return Checked(*(getattr(self, name) + getattr(other, name) for name in self.__struct_fields__))


class _Books:
    """One station's account: what it holds and what lies on the layout, and every balance that it had, in order."""

    def __init__(self) -> None:
        self.balance, self.layout = 0, dict[str, int]()
        self.balances = [0]
        self._shown = 0

    def had(self, balance: int) -> bool:
        """Whether the account had this balance when it last was shown one, or since."""
        try:
            self._shown = self.balances.index(balance, self._shown)
        except ValueError:
            return False
        return True


class TableOracle:
    def __init__(self, table: str, stations: Iterable[str]) -> None:
        self.table = table
        self.version = 0
        self._books = {station: _Books() for station in stations}
        self._by_key: dict[str, Record] = {}
        self._settled: Counter[int] = Counter()
        self._sealed: dict[int, dict[str, dict[str, int]]] = {}
        self._coup, self._deadline_ms, self._is_closed = 0, 0, True
        self._looked_at: dict[str, int] = {}

    async def check(self, journal: ReadableJournal, players: Sequence[Player]) -> Checked:
        """What was answered before the look is compared; what is answered meanwhile may be behind what was read."""
        found = Checked()
        answered = {player.device: _answered(player.touches) for player in players}
        shown = {player.device: player.shown() for player in players}
        async for record in journal.read(table_stream(self.table), self.version):
            self._take(record, found)
            self.version = record.version
        for player in players:
            self._check_touches(player, answered[player.device], found)
            self._check_purse(player, shown[player.device], found)
        return found

    # The records

    def _take(self, record: Record, found: Checked) -> None:
        key = record.entry.key
        if key in self._by_key:
            found.doubled.append(f"{self.table}: {key} is record {self._by_key[key].version} and {record.version}")
        self._by_key[key] = record
        answer = read_answer(record)
        if not answer.accepted:
            return
        events = read_events(answer.accepted)
        for event in events:
            self._follow(event, events, found)
        for books in self._books.values():
            if books.balance != books.balances[-1]:
                books.balances.append(books.balance)

    def _follow(self, event: e.Event, events: Iterable[e.Event], found: Checked) -> None:
        match event:
            case e.BoughtIn():
                self._books[event.station].balance += event.cents
            case e.WageringOpened():
                self._coup, self._deadline_ms, self._is_closed = event.coup, event.deadline_ms, False
            case e.WagersChanged():
                self._relay(event.station, event.before, event.after)
            case e.WageringClosed():
                self._close(event)
            case e.CoupDecided():
                self._settle(event, found)
            case e.CoupVoided():
                self._void(event)
            case e.SystemRestarted():
                found.restarts.append(self._treated(event, events, found))

    def _relay(self, station: str, before: Mapping[Bet, int], after: Mapping[Bet, int]) -> None:
        books = self._books[station]
        for bet, cents in after.items():
            books.balance += before.get(bet, 0) - cents
            books.layout[bet] = cents

    def _close(self, event: e.WageringClosed) -> None:
        self._is_closed = True
        sealed = {
            station: {str(bet): cents for bet, cents in wagers.items()} for station, wagers in event.sealed.items()
        }
        self._sealed[event.coup] = sealed
        for station, books in self._books.items():
            kept = sealed.get(station, {})
            books.balance += sum(books.layout.values()) - sum(kept.values())
            books.layout = dict(kept)

    def _settle(self, event: e.CoupDecided, found: Checked) -> None:
        self._settled[event.coup] += 1
        if self._settled[event.coup] > 1:
            found.doubled.append(f"{self.table}: coup {event.coup} is decided twice")
        for books in self._books.values():
            for bet, cents in books.layout.items():
                books.balance += _paid(bet, cents, event.winner)
            books.layout = {}
        self._coup, self._is_closed = 0, True

    def _void(self, event: e.CoupVoided) -> None:
        self._sealed.pop(event.coup, None)
        for books in self._books.values():
            books.balance += sum(books.layout.values())
            books.layout = {}
        self._coup, self._is_closed = 0, True

    def _treated(self, event: e.SystemRestarted, events: Iterable[e.Event], found: Checked) -> str:
        """Void before the end of the wagering period, all returned; else confirmed from the records (CROWN 11.15)."""
        voided = any(isinstance(one, e.CoupVoided) for one in events)
        if not self._coup:
            how, right = "no coup under way", not voided
        elif not self._is_closed and event.last_sign_ms < self._deadline_ms:
            how, right = f"coup void, wagers returned ({event.clause})", voided and event.clause != "CROWN 11.15(b)"
        else:
            how, right = f"coup goes on by the records ({event.clause})", not voided and event.awaits_confirmation
        if not right:
            found.wrong.append(f"{self.table}: coup {self._coup} was treated wrongly after a failure: {event}")
        return f"{self.table}: {how}"

    # The stations

    def _check_touches(self, player: Player, answered: int, found: Checked) -> None:
        known = player.touches[self._looked_at.get(player.device, 0) : answered]
        self._looked_at[player.device] = answered
        later = {touch.coup for touch in player.touches[answered:]}  # Looked at when they are answered.
        self._check_sealed(player, [touch for touch in known if touch.coup not in later], found)
        for touch in known:
            outcome = touch.outcome
            if isinstance(outcome, Answer) and outcome.version:
                self._check_answer(player, touch, outcome, found)
            elif isinstance(outcome, Lost) and key_of(player.device, Name(outcome.epoch, outcome.n)) in self._by_key:
                found.doubled.append(f"{self.table}: {player.name} was told that {touch} is lost, and it is on record")

    def _check_answer(self, player: Player, touch: RobotTouch, outcome: Answer, found: Checked) -> None:
        found.acknowledged += outcome.accepted
        key = key_of(player.device, Name(outcome.epoch, outcome.n))
        record = self._by_key.get(key)
        if record is None:
            found.lost.append(f"{self.table}: {player.name} was answered, and {key} is not on record")
        elif outcome.accepted and not any(
            isinstance(event, e.WagersChanged) and event.after.get(touch.bet) == touch.cents  # type: ignore[call-overload]
            for event in read_events(read_answer(record).accepted or msgspec.Raw())
        ):
            found.wrong.append(f"{self.table}: record {record.version} is not what {player.name} asked for: {touch}")

    def _check_sealed(self, player: Player, touches: Sequence[RobotTouch], found: Checked) -> None:
        unclear = {touch.coup for touch in touches if isinstance(touch.outcome, OutcomeUnknown)}
        found.unknown += len(unclear)
        for coup in sorted({touch.coup for touch in touches} - unclear):
            asked = [touch for touch in player.touches if touch.coup == coup]
            taken = {touch.bet: touch.cents for touch in asked if touch.is_taken}
            sealed = self._sealed.get(coup)
            if sealed is not None and sealed.get(player.name, {}) != taken:
                what = f"{sealed.get(player.name, {})} sealed in coup {coup}, and {taken} was acknowledged"
                found.wrong.append(f"{self.table}: {player.name} has {what}")

    def _check_purse(self, player: Player, shown: Purse | None, found: Checked) -> None:
        if shown is None:
            return
        found.purses += 1
        books = self._books[player.name]
        if not books.had(shown.balance):
            found.wrong.append(f"{self.table}: {player.name} is shown {shown.balance} cents, and has {books.balance}")


def _answered(touches: Sequence[RobotTouch]) -> int:
    """How many there are; all but the last are answered, since a station asks for one thing at a time."""
    return len(touches) - (bool(touches) and touches[-1].outcome is None)


def _paid(bet: str, cents: int, winner: str) -> int:
    """What comes back to the purse of a wager: Crown's Traditional version."""
    if winner == "tie":
        return cents * 9 if bet == "tie" else cents
    if bet != winner:
        return 0
    return cents * 2 if bet == "player" else cents * 2 - cents // 20


def told(found: Checked) -> Iterator[str]:
    yield from (f"lost: {what}" for what in found.lost)
    yield from (f"doubled: {what}" for what in found.doubled)
    yield from (f"wrong: {what}" for what in found.wrong)
