"""ccTalk without a port: messages survive any line, and what is credited is what is stacked."""

import random
from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.devices.cctalk.host import SILENT, AcceptorHost
from sabot.devices.cctalk.message import Checksum, Message, MessageReader, write_message
from sabot.devices.cctalk.simulated import NOTES, AfterPower, SimulatedValidator
from sabot.devices.cctalk.words import ROUTE_RETURN, ROUTE_STACK, cents_of
from sabot.devices.note_acceptor import AcceptorReport, Escrowed, Faulted, Mended, NoteGone, NoteReturned, Stacked
from tests.devices.noisy_line import NoisyLine

HOST, DEVICE = 1, 40
checks: st.SearchStrategy[Checksum] = st.sampled_from(("crc", "sum"))
messages = st.builds(Message, st.just(HOST), st.integers(0, 255), st.binary(max_size=20))


def test_a_message_of_the_specification_is_written_as_it_stands_there() -> None:
    """Request serial number, to 2 from 1, and the CRC that a public implementation shows for a reply."""
    assert write_message(Message(2, 242), 1, "sum") == bytes((2, 0, 1, 242, 11))
    assert write_message(Message(1, 0, bytes((31, 0))), 40, "crc") == bytes((1, 2, 116, 0, 31, 0, 84))


@given(messages, checks)
def test_every_message_is_read_as_it_was_written(message: Message, check: Checksum) -> None:
    assert MessageReader(HOST, DEVICE, check).feed(write_message(message, DEVICE, check)) == [message]


@given(st.lists(messages, max_size=4), st.integers(1, 7), checks)
def test_messages_are_found_however_the_bytes_are_cut(said: list[Message], size: int, check: Checksum) -> None:
    written = b"".join(write_message(one, DEVICE, check) for one in said)
    reader = MessageReader(HOST, DEVICE, check)
    read = [one for at in range(0, len(written), size) for one in reader.feed(written[at : at + size])]
    assert read == said


@given(messages, checks)
def test_a_host_does_not_take_its_own_echo_for_an_answer(answer: Message, check: Checksum) -> None:
    echo = write_message(Message(DEVICE, 159), HOST, check)
    reader = MessageReader(HOST, DEVICE, check)
    assert reader.feed(echo + write_message(answer, DEVICE, check)) == [answer]


@given(messages, st.data())
def test_one_wrong_bit_is_noticed_by_either_check(message: Message, data: st.DataObject) -> None:
    check = data.draw(checks)
    written = bytearray(write_message(message, DEVICE, check))
    at = data.draw(st.integers(2, len(written) - 1))
    written[at] ^= 1 << data.draw(st.integers(0, 7))
    assert message not in MessageReader(HOST, DEVICE, check).feed(bytes(written))


@given(st.binary(max_size=200), messages)
def test_noise_before_a_question_is_over_when_the_next_is_asked(noise: bytes, message: Message) -> None:
    reader = MessageReader(HOST, DEVICE, "crc")
    reader.feed(noise)
    reader.clear()
    assert reader.feed(write_message(message, DEVICE, "crc")) == [message]


def test_values_follow_from_the_identifier_and_the_scale_of_its_country() -> None:
    assert cents_of("AU0050A", 100, 2) == 5_000
    assert cents_of("JP0010A", 100, 0) == 100_000
    assert cents_of(".......", 100, 2) == 0


class Bench:
    """A host and an acceptor on one line, and a bank in place of driver and table: it credits, then stacks."""

    def __init__(self, seed: int, check: Checksum, after_power: AfterPower, trouble: float) -> None:
        self.chance = random.Random(seed)
        self.line = NoisyLine(self.chance, trouble)
        self.check = check
        self.acceptor = SimulatedValidator(check, after_power=after_power)
        self.credited: list[int] = []
        self.looked_for: list[int] = []
        """Credited notes that are not in the stacker, as an attendant was told."""
        self.uncredited: list[int] = []
        """Notes in the stacker that are not credited, as an attendant was told."""
        self.last_credited = ""
        self.pending: tuple[str, int] | None = None
        """The memory of the driver: a note whose credit is recorded, until it is stacked."""
        self.heard: list[AcceptorReport] = []
        self.host = AcceptorHost(check)
        self.is_up = True

    def exchange(self) -> None:
        """One question and its answer, or none."""
        self.acceptor.pause()
        answer = self.line.carry(self.acceptor.hear(self.line.carry(self.host.ask())))
        half = len(answer) // 2
        if not (self.host.hear(answer[:half]) or self.host.hear(answer[half:])):
            self.host.give_up()
        for report in self.host.reports():
            self.heard.append(report)
            if self.is_up:
                self._see_to(report)

    def _see_to(self, report: AcceptorReport) -> None:
        state = self.host.escrow.state()
        if isinstance(report, Stacked) and report.mark != self.last_credited:
            self.uncredited.append(report.cents or 0)
        match report:
            case Escrowed() if self.pending is None and state.escrow is not None:
                self.host.enable(wanted=False)
                if state.escrow == 7_700:
                    self.host.route(ROUTE_RETURN)
                    return
                self.pending, self.last_credited = (state.mark, state.escrow), state.mark
                self.credited.append(state.escrow)
                self.host.route(ROUTE_STACK)
            case Stacked() | NoteReturned() | NoteGone() | Mended():
                self.conclude()

    def conclude(self) -> None:
        if self.pending is not None:
            mark, cents = self.pending
            match self.host.fate_of(mark):
                case "escrow":
                    self.host.route(ROUTE_STACK)
                    return
                case "returned" | "unknown":
                    self.looked_for.append(cents)
            self.pending = None
        if self.host.escrow.held is None:
            self.host.enable(wanted=True)

    def lose_the_hosts_power(self) -> None:
        self.host = AcceptorHost(self.check)
        self.acceptor.power_on()
        self.is_up = False
        self.until(lambda: self.host.is_ready)
        self.is_up = True
        self.conclude()
        self._see_to(Escrowed())

    def until(self, happened: Callable[[], object], most: int = 20_000) -> None:
        for _ in range(most):
            if happened():
                return
            self.exchange()
        pytest.fail("it never came to that")

    def settle(self) -> None:
        """Everything is repaired, and the line is quiet."""
        self.line.trouble = 0.0
        self.acceptor.power_on()
        self.acceptor.jams_next = False
        if self.acceptor.is_jammed:
            self.acceptor.mend()
        self.until(lambda: self.pending is None and self.acceptor.takes_notes and self.host.is_ready)
        for _ in range(100):
            self.exchange()


def _started(
    seed: int = 0, check: Checksum = "crc", after_power: AfterPower = "returns", trouble: float = 0.0
) -> Bench:
    bench = Bench(seed, check, after_power, trouble)
    bench.until(lambda: bench.host.is_ready)
    bench.host.enable(wanted=True)
    bench.until(lambda: bench.acceptor.takes_notes)
    return bench


def test_an_acceptor_takes_no_note_before_it_is_enabled_and_holds_each_in_escrow() -> None:
    bench = Bench(0, "crc", "returns", 0.0)
    assert not bench.acceptor.insert(5_000)
    bench.until(lambda: bench.host.is_ready)
    assert not bench.acceptor.insert(5_000)
    bench.host.enable(wanted=True)
    bench.until(lambda: bench.acceptor.insert(5_000))
    bench.until(lambda: bench.acceptor.stacker == [5_000] and bench.pending is None)
    assert bench.heard == [Escrowed(), Stacked("1-4", 5_000)]


def test_a_note_that_nobody_decides_on_is_held_longer_than_the_acceptor_would() -> None:
    bench = _started()
    bench.pending = ("nobody", 0)
    assert bench.acceptor.insert(5_000)
    for _ in range(1_000):
        bench.exchange()
    assert bench.acceptor.holds == 5_000


def test_a_silent_acceptor_is_a_fault_and_is_set_up_anew_when_it_answers() -> None:
    bench = _started()
    bench.acceptor.power_off()
    for _ in range(20):
        bench.exchange()
    assert Faulted(SILENT) in bench.heard
    bench.acceptor.power_on()
    bench.until(lambda: bench.acceptor.takes_notes)
    assert bench.heard[-1] == Mended()
    assert bench.acceptor.insert(500)
    bench.until(lambda: bench.acceptor.stacker == [500])


@pytest.mark.parametrize("after_power", ["returns", "stacks", "holds"])
@pytest.mark.parametrize("whose", ["the acceptor's", "the host's", "both"])
def test_power_that_fails_between_escrow_and_stack_neither_loses_nor_doubles_a_note(
    after_power: AfterPower, whose: str
) -> None:
    bench = _started(after_power=after_power)
    bench.acceptor.moves_after = 5
    assert bench.acceptor.insert(5_000)
    bench.until(lambda: bench.credited)
    if whose != "the host's":
        bench.acceptor.power_off()
        bench.acceptor.power_on()
    if whose != "the acceptor's":
        bench.lose_the_hosts_power()
    bench.settle()
    came_back = after_power == "returns" and whose != "the host's"
    assert (bench.acceptor.stacker, bench.looked_for) == (([], [5_000]) if came_back else ([5_000], []))
    assert bench.credited == [5_000]


def test_a_jam_and_a_full_stacker_keep_the_note_and_the_note_goes_in_when_it_is_mended() -> None:
    bench = _started()
    bench.acceptor.jams_next = True
    assert bench.acceptor.insert(5_000)
    bench.until(lambda: Faulted("the stacker is jammed") in bench.heard)
    bench.acceptor.mend()
    bench.until(lambda: bench.acceptor.stacker == [5_000] and bench.pending is None)
    assert Mended() in bench.heard


def test_a_credited_note_that_was_taken_out_by_hand_is_looked_for() -> None:
    bench = _started()
    bench.acceptor.jams_next = True
    assert bench.acceptor.insert(5_000)
    bench.until(lambda: bench.acceptor.is_jammed)
    bench.acceptor.mend(take_the_note=True)
    bench.until(lambda: bench.looked_for == [5_000])


def test_a_note_that_a_patron_pulls_back_is_not_credited_and_called_fraud() -> None:
    bench = _started()
    bench.pending = ("nobody", 0)
    assert bench.acceptor.insert(5_000)
    bench.acceptor.pull_back()
    bench.until(lambda: any("fraud" in str(report) for report in bench.heard))
    assert bench.acceptor.given_back == [5_000]


def test_a_ticket_is_read_in_escrow_and_stacked_or_returned() -> None:
    bench = _started()
    for number, way in (("123456789012345678", ROUTE_STACK), ("876543210987654321", ROUTE_RETURN)):
        bench.until(partial(bench.acceptor.insert_ticket, number))
        bench.until(lambda: bench.host.escrow.state().ticket)
        bench.host.route(way)
        bench.until(lambda: bench.host.escrow.held is None)
    assert bench.acceptor.tickets == ["123456789012345678"]
    assert bench.acceptor.tickets_given_back == ["876543210987654321"]


def _something_happens(bench: Bench) -> None:
    chance, acceptor = bench.chance, bench.acceptor
    match chance.randrange(14):
        case 0:
            acceptor.power_off()
        case 1 | 2:
            acceptor.power_on()
        case 3:
            bench.lose_the_hosts_power()
        case 4:
            acceptor.jams_next = True
        case 5:
            acceptor.insert_unreadable()
        case 6:
            acceptor.pull_back()
        case 7:
            acceptor.moves_after = chance.randrange(6)
        case 8 | 9:
            if acceptor.is_jammed:
                acceptor.mend(take_the_note=chance.random() < 0.3)


def _night(seed: int, after_power: AfterPower, check: Checksum) -> tuple[Bench, Counter[int]]:
    bench = _started(seed, check, after_power, trouble=0.25)
    inserted = Counter[int]()
    for _ in range(60):
        if bench.acceptor.insert(cents := bench.chance.choice(list(NOTES.values()))):
            inserted[cents] += 1
        for _ in range(bench.chance.randrange(12)):
            bench.exchange()
        _something_happens(bench)
        if bench.chance.random() < 0.5:
            bench.acceptor.power_on()
    bench.settle()
    return bench, inserted


@pytest.mark.parametrize("check", ["crc", "sum"])
@pytest.mark.parametrize("after_power", ["returns", "stacks", "holds"])
def test_what_is_credited_is_what_is_stacked_over_any_line(after_power: AfterPower, check: Checksum) -> None:
    """Noise, lost, doubled and late bytes, losses of power on both sides, jams and pulled notes in any order.

    A credited note is in the stacker, or an attendant was told to look for it. A note in the stacker is credited. Only
    an acceptor that stacks by itself when its power comes back can, where it fails again at once, swallow one unseen.
    """
    taken = 0
    for seed in range(40):
        bench, inserted = _night(seed, after_power, check)
        acceptor = bench.acceptor
        credited, stacked = Counter(bench.credited), Counter(acceptor.stacker)
        assert credited - stacked <= Counter(bench.looked_for), seed
        if after_power != "stacks":
            assert stacked - credited <= Counter(bench.uncredited), seed
        assert stacked + Counter(acceptor.given_back) + Counter(acceptor.taken_by_hand) == inserted, seed
        taken += stacked.total()
    assert taken > 150


@pytest.mark.parametrize("check", ["crc", "sum"])
def test_noise_alone_loses_no_note_and_calls_nobody(check: Checksum) -> None:
    for seed in range(20):
        bench = _started(seed, check, trouble=0.4)
        inserted = [cents for cents in list(NOTES.values()) * 3 if cents != 7_700]
        for cents in inserted:
            bench.until(partial(bench.acceptor.insert, cents))
            if bench.chance.random() < 0.3:
                bench.lose_the_hosts_power()
        bench.settle()
        assert bench.credited == bench.acceptor.stacker == inserted
        assert not bench.looked_for
        assert not bench.uncredited
