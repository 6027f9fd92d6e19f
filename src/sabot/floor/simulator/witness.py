"""A witness to everything that becomes durable: it holds each record to the invariants as it is written.

It keeps its own count of money, coups and epochs, so that a fault shows at the record that carries it.
"""

from collections.abc import Mapping

import msgspec

from sabot.floor.records.record_codec import read_answer, read_events
from sabot.floor.simulator.oracle import net
from sabot.floor.simulator.violation import insist
from sabot.journal.ownership import taking_of
from sabot.journal.record import Head, Record, head_after, link_of
from sabot.rules.limits import Limits
from sabot.rules.rule_set import Bet
from sabot.table import events as e
from sabot.table.evolve import evolve
from sabot.table.faults.deciding import RENEWAL_MS
from sabot.table.state import UNCONFIGURED, AnyTable, TableState


class OpenCoup:
    """A coup under way, as the witness has seen it."""

    def __init__(self, opened: e.WageringOpened, epoch: int) -> None:
        self.number, self.deadline_ms, self.epoch = opened.coup, opened.deadline_ms, epoch
        self.closed = False
        self.confirmed = True
        """Whether the records were confirmed since the last taking, if there was one."""
        self.hands: dict[str, list[str]] = {"player": [], "banker": []}


class Witness:
    def __init__(self, head: Head, signs: dict[int, int]) -> None:
        self.head = head
        self.state: AnyTable = UNCONFIGURED
        self.outcomes: dict[str, bool] = {}
        """For each command's key whether it was accepted."""
        self.coups: dict[int, str] = {}
        """How each coup ended."""
        self.arrivals: dict[str, set[int]] = {}
        """When each command reached the owner of its epoch, by the table's clock."""
        self._signs = signs
        self._coup: OpenCoup | None = None
        self._newest_ms: dict[int, int] = {}
        """The time of the newest record of each epoch, which is a sign of life too."""
        self._needs_restart = False
        self._paid_in = 0
        self._won_by_house = 0

    def see(self, record: Record) -> None:
        self._place(record)
        if taking_of(record) is not None:
            self._needs_restart = self._coup is not None
            if self._coup is not None:
                self._coup.confirmed = False
            return
        answer = read_answer(record)
        if answer.act is not msgspec.UNSET:
            name, accepted = _name_in(record.entry.key), answer.accepted is not msgspec.UNSET
            insist(name not in self.outcomes, f"record {record.version} is a command that is on record already")
            self.outcomes[name] = accepted
            self._command(record, () if answer.accepted is msgspec.UNSET else read_events(answer.accepted))

    def _place(self, record: Record) -> None:
        head, at = self.head, f"record {record.version}"
        insist(record.version == head.version + 1, f"{at} leaves a gap")
        insist(record.previous == head.hash, f"{at} is not chained to the one before it")
        insist(
            record.hash == link_of(record.stream, record.version, record.body, record.previous),
            f"{at} does not carry the hash of its content",
        )
        if taking_of(record) is not None:
            insist(record.epoch > head.epoch, f"{at} takes the table without a new epoch")
        else:
            insist(record.epoch == head.epoch, f"{at} is of epoch {record.epoch} after the taking of {head.epoch}")
        self.head = head_after(record)
        self._newest_ms[record.epoch] = record.entry.at_ms

    def _command(self, record: Record, events: tuple[e.Event, ...]) -> None:
        entry = record.entry
        times = self.arrivals.get(_name_in(entry.key))
        if entry.key.startswith("ask/"):
            insist(
                times is not None and entry.at_ms in times, f"record {record.version} has not the time it came in at"
            )
        for event in events:
            if self._needs_restart:
                insist(
                    type(event) is e.SystemRestarted, f"record {record.version} goes on with a coup without a restart"
                )
            self._event(record, event, events)
            self.state = evolve(self.state, event)
        if events:
            self._money(record.version)

    def _money(self, version: int) -> None:
        purses = self.state.ledger.purses
        owed = sum(purse.total for purse in purses.values())
        insist(owed == self._paid_in - self._won_by_house, f"the money does not add up at record {version}")
        insist(all(purse.balance >= 0 for purse in purses.values()), f"an account is overdrawn at record {version}")
        insist(self.state.ledger.is_balanced, f"the books do not balance at record {version}")

    def _event(self, record: Record, event: e.Event, together: tuple[e.Event, ...]) -> None:
        match event:
            case e.BoughtIn() | e.NoteStacked():
                self._paid_in += event.cents
            case e.WageringOpened():
                self._opened(record, event)
            case e.WagersChanged() if isinstance(self.state, TableState):
                self._wagered(record, event, self.state.limits)
            case e.CardDealt():
                self._dealt(record, event)
            case e.SystemRestarted():
                self._restarted(record, event, together)
            case e.WageringClosed() | e.RecordsConfirmed():
                self._closed_or_confirmed(self._under_way(record), event)
            case e.WagersSettled() | e.CoupVoided() | e.CoupDecided():
                self._finished(record, event)
            case _:
                pass

    def _closed_or_confirmed(self, coup: OpenCoup, event: e.WageringClosed | e.RecordsConfirmed) -> None:
        if isinstance(event, e.RecordsConfirmed):
            coup.confirmed = True
            return
        insist(not coup.closed, f"coup {coup.number} is closed twice")
        coup.closed = True

    def _finished(self, record: Record, event: e.WagersSettled | e.CoupVoided | e.CoupDecided) -> None:
        if isinstance(event, e.WagersSettled):
            self._settled(record, event)
        elif isinstance(event, e.CoupVoided):
            insist(event.refunds == self.state.layouts(), f"the void of coup {event.coup} returns other stakes")
            self._ended(record, "void")
        elif event.dummy:
            self._ended(record, "dummy")

    def _opened(self, record: Record, event: e.WageringOpened) -> None:
        insist(self._coup is None, f"coup {event.coup} is opened during another")
        insist(event.coup not in self.coups, f"coup {event.coup} is opened a second time")
        self._coup = OpenCoup(event, record.epoch)

    def _wagered(self, record: Record, event: e.WagersChanged, limited: Mapping[Bet, Limits]) -> None:
        coup = self._under_way(record)
        insist(not coup.closed, f"record {record.version} is a wager after the close of coup {coup.number}")
        insist(record.entry.at_ms < coup.deadline_ms, f"record {record.version} is a wager after the deadline")
        insist(
            record.epoch == coup.epoch, f"record {record.version} is a wager under another owner than opened the coup"
        )
        for bet, cents in event.after.items():
            limits = limited[bet]
            allowed = cents == 0 or (limits.minimum <= cents <= limits.maximum and cents % limits.step == 0)
            insist(allowed, f"record {record.version} has a stake of {cents} on {bet}")

    def _dealt(self, record: Record, event: e.CardDealt) -> None:
        coup = self._under_way(record)
        insist(coup.closed, f"a card is dealt in coup {coup.number} before its close")
        insist(coup.confirmed, f"a card is dealt in coup {coup.number} before its records were confirmed")
        coup.hands[event.hand].append(event.card)

    def _restarted(self, record: Record, event: e.SystemRestarted, together: tuple[e.Event, ...]) -> None:
        """An owner that died before the deadline, as far as its signs of life tell, voids the coup (CROWN 11.15).

        They are dated by the journal's clock; where that jumped, the record of the jump brings them to the table's.
        """
        self._needs_restart = False
        coup = self._coup
        if coup is None or coup.closed:
            return
        ahead_ms = self.state.journal_ahead_ms if isinstance(self.state, TableState) else 0
        last_sign = max(self._signs.get(coup.epoch, 0) - ahead_ms, self._newest_ms.get(coup.epoch, 0))
        died_before = last_sign + RENEWAL_MS < coup.deadline_ms
        is_void = any(isinstance(one, e.CoupVoided) for one in together)
        insist(is_void or not died_before, f"coup {coup.number} goes on though its owner died before the deadline")
        insist(event.last_sign_ms <= max(last_sign, record.entry.at_ms), "a sign of life lies in the future")

    def _settled(self, record: Record, event: e.WagersSettled) -> None:
        coup, stakes = self._under_way(record), self.state.layouts()
        insist(coup.confirmed, f"coup {coup.number} is settled before its records were confirmed")
        insist(set(event.settlements) == set(stakes), f"coup {coup.number} is settled for other stations than wagered")
        for station, settled in event.settlements.items():
            staked = {str(one.bet): one.stake_cents for one in settled}
            insist(staked == stakes[station], f"coup {coup.number} settles other stakes than {station} has")
            for one in settled:
                due = net(one.bet, one.stake_cents, coup.hands)
                insist(one.net_cents == due, f"coup {coup.number} pays {one.net_cents} on {one.bet}, and {due} is due")
                self._won_by_house -= due
        self._ended(record, "settled")

    def _ended(self, record: Record, how: str) -> None:
        coup = self._under_way(record)
        insist(coup.number not in self.coups, f"coup {coup.number} ends twice")
        self.coups[coup.number] = how
        self._coup = None

    def _under_way(self, record: Record) -> OpenCoup:
        coup = self._coup
        insist(coup is not None, f"record {record.version} is about a coup, and none is under way")
        assert coup is not None
        return coup


def _name_in(key: str) -> str:
    """A command's name is in its key, whatever else is."""
    return "/".join(key.split("/")[:4])
