"""What an acceptor's events say of the note in escrow: where it is, what became of it, and what must be reported.

An event is two bytes: a kind of note with 1 where it is in escrow and 0 where it was stacked, or zero and a code.
Events are numbered by the acceptor's counter, so the number of its first event and its kind are the mark of a note.
"""

from typing import NamedTuple

from sabot.devices.cctalk.words import (
    BARCODE,
    FAULTS,
    FRAUDS,
    MENDED,
    REJECTED,
    RETURNED,
    ROUTE_RETURN,
    UNKNOWN_STACKED,
)
from sabot.devices.note_acceptor import (
    AcceptorReport,
    AcceptorState,
    Escrowed,
    Fate,
    Faulted,
    Mended,
    NoteGone,
    NoteReturned,
    Noticed,
    Stacked,
)


class BillEvent(NamedTuple):
    bill: int
    code: int


class Held(NamedTuple):
    mark: str
    bill: int
    cents: int | None
    ticket: str = ""
    is_ticket: bool = False


class Escrow:
    def __init__(self) -> None:
        self.values: dict[int, int] = {}
        """The kinds of notes, in cents."""
        self.held: Held | None = None
        self.route: int | None = None
        """Where the note in escrow is wanted, once that is decided."""
        self.fault = ""
        self._fates: dict[str, Fate] = {}
        self._earlier: tuple[int, Fate] | None = None
        """What became of a note from before the first event that can still be read: its kind, 0 for any."""
        self._reports: list[AcceptorReport] = []

    def state(self) -> AcceptorState:
        held = self.held
        if held is None:
            return AcceptorState(None, self.fault)
        return AcceptorState(held.cents, self.fault, held.mark, held.ticket)

    def reports(self) -> list[AcceptorReport]:
        reports, self._reports = self._reports, []
        return reports

    def report(self, report: AcceptorReport) -> None:
        self._reports.append(report)

    def fate_of(self, mark: str) -> Fate:
        """A mark from before a loss of the acceptor's power is of the one note that it held then.

        The acceptor takes no other before it is enabled, and the driver enables it only after it has asked what became
        of this one.
        """
        if mark in self._fates:
            return self._fates[mark]
        bill, held = _bill_of(mark), self.held
        if held is not None and held.bill in (bill, UNKNOWN):
            self.held = Held(mark, bill, self.values.get(bill), is_ticket=not bill)
            self._fates[mark] = "escrow"
            return "escrow"
        if self._earlier is not None and self._earlier[0] in (0, bill):
            (_, fate), self._earlier = self._earlier, None
            self._fates[mark] = fate
            return fate
        return "unknown"

    def forget_the_earlier(self) -> None:
        self._earlier = None

    def let_go_of_the_past(self) -> None:
        """A note that was stacked when the power came back, and of which no mark was asked for, may have no credit."""
        if self._earlier is not None and self._earlier[1] == "stacked":
            self.report(Stacked("", self.values.get(self._earlier[0])))
        self._earlier = None

    # What the acceptor says

    def see(self, number: int, event: BillEvent) -> None:
        if event.bill and event.code == 1:
            self._hold(Held(f"{number}-{event.bill}", event.bill, self.values.get(event.bill)))
        elif event.bill or event.code == UNKNOWN_STACKED:
            self.settle("stacked", event.bill)
        elif event.code == BARCODE:
            self._hold_ticket(f"{number}-0")
        elif event.code == RETURNED:
            self.settle("returned", 0)
        elif event.code in REJECTED:
            self.report(NoteReturned())
        elif event.code in FAULTS:
            self.break_down(FAULTS[event.code])
        elif event.code in FRAUDS:
            self.report(Noticed(f"the note acceptor saw fraud: {FRAUDS[event.code]}"))
        elif event.code in MENDED:
            self.mend()

    def read_ticket(self, number: str) -> None:
        if self.held is not None and self.held.is_ticket and not self.held.ticket:
            self.held = self.held._replace(ticket=number)
            self.report(Escrowed())

    def hold_unknown(self) -> None:
        """Something is in escrow of which no event can be read any more."""
        self.held = Held("", UNKNOWN, None)

    def settle(self, fate: Fate, bill: int) -> None:
        """The note in escrow was stacked or returned, or is not there and nobody knows why."""
        held, self.held, self.route = self.held, None, None
        if held is not None:
            self._fates[held.mark] = fate
            match fate:
                case "stacked":
                    self.report(Stacked(held.mark, held.cents, held.ticket))
                case "returned":
                    self.report(NoteReturned())
                case _:
                    self.report(NoteGone())
        elif not self._fates and self._earlier is None:
            self._earlier = bill, fate
        elif fate == "stacked":
            self.report(Stacked("", self.values.get(bill)))

    def break_down(self, fault: str) -> None:
        if not self.fault:
            self.fault = fault
            self.report(Faulted(fault))

    def mend(self) -> None:
        if self.fault:
            self.fault = ""
            self.report(Mended())

    def _hold_ticket(self, mark: str) -> None:
        """Reported anew after a loss of power it is the same one: no other was taken meanwhile."""
        if self.held is None or not self.held.is_ticket:
            self.held, self.route = Held(mark, 0, None, is_ticket=True), None
            self._fates[mark] = "escrow"

    def _hold(self, held: Held) -> None:
        before = self.held
        if before is not None and before.bill == held.bill:  # Reported anew after a loss of power.
            held = held._replace(mark=before.mark)
        else:
            self.route = None
        self.held, self._fates[held.mark] = held, "escrow"
        if held.cents is None:
            self.report(Noticed("a note of a kind that has no value is returned"))
            self.route = ROUTE_RETURN
        else:
            self.report(Escrowed())


UNKNOWN = -1
"""The kind of a note whose events are gone."""


def _bill_of(mark: str) -> int:
    return int(mark.partition("-")[2] or 0)
