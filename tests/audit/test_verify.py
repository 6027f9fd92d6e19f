"""Verify passes what is as it was written, and names the first bad record of what is not."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from sabot.audit.problem import Problem, ProblemKind
from sabot.audit.verify import Against, Depth, Standing, Verdict, verify
from sabot.floor.records.recovery import house_mark, recover_house, recover_table, snapshot_at, table_mark
from sabot.floor.shared_owner.keeping import mark_at_once
from sabot.journal.checkpoint import sign
from sabot.journal.journal import Appended, ReadableJournal
from sabot.journal.key_ring import KEYS, RecordedRing
from sabot.journal.keys import SigningKey, read_ring, ring_path, rotate
from sabot.journal.memory import MemoryJournal
from sabot.journal.record import Head
from sabot.rules.shipped import digest_of
from sabot.table.state import TableState
from tests.audit.forgery import TABLE, Forged, again, forged, reworded
from tests.floor.nights import BUILD, Line, begin, by, key_in, memory, play, played


def proved(journal: ReadableJournal, against: Against | None = None, depth: Depth = Depth.DECIDED) -> Verdict:
    against = against or Against(BUILD)
    return asyncio.run(verify(journal, against, lambda *_: None, depth=depth))


def the_problem(verdict: Verdict, stream: str = TABLE) -> Problem:
    assert not verdict.ok
    found = [one for one in verdict.problems if one.stream == stream]
    assert len(found) == 1, verdict
    return found[0]


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> tuple[MemoryJournal, SigningKey, dict[str, Head]]:
    """A night that was signed, its key, and its heads as an anchor would know them."""
    key = key_in(tmp_path_factory.mktemp("keys"))
    journal, _ = played(key)
    heads = {name: asyncio.run(journal.head(name)) for name in ("house", TABLE)}
    return journal, key, heads


Signed = tuple[MemoryJournal, SigningKey, dict[str, Head]]


def test_a_night_as_it_was_written_is_proved(signed: Signed) -> None:
    journal, key, heads = signed
    verdict = proved(journal, Against(BUILD, key.ring, heads))
    assert (verdict.ok, verdict.problems, verdict.unproved) == (True, [], [])
    table = next(one for one in verdict.streams if one.stream == TABLE)
    assert table.records == table.replayed == table.vouched == heads[TABLE].version
    assert table.checkpoints >= 3


def test_what_cannot_be_proved_is_said(signed: Signed) -> None:
    journal, _, _ = signed
    assert len(proved(journal).unproved) == 2
    plain, _ = played()
    verdict = proved(plain, depth=Depth.CHAIN)
    assert verdict.ok
    assert [sentence for sentence in verdict.unproved if "written anew" in sentence]
    assert [sentence for sentence in verdict.unproved if "not replayed" in sentence]


def _some_of(cents: int) -> Line:
    return by("D1", "buy_in", station="A1", cents=cents)


@pytest.mark.parametrize("depth", Depth)
def test_what_nobody_signed_is_not_proved_to_who_names_keys(signed: Signed, depth: Depth) -> None:
    _, key, _ = signed
    plain, _ = played()
    verdict = proved(plain, Against(BUILD, key.ring), depth)
    assert (verdict.ok, verdict.standing, verdict.problems) == (False, Standing.NOT_PROVED, [])
    assert {said.split(":")[0] for said in verdict.unsigned} == {"house", TABLE}
    assert proved(plain, depth=depth).standing is Standing.UNVOUCHED


@pytest.mark.parametrize("stream", ["house", TABLE, KEYS])
def test_signatures_that_were_removed_from_one_stream_leave_the_journal_unproved(signed: Signed, stream: str) -> None:
    journal, key, heads = signed
    changed = asyncio.run(forged(journal))
    assert proved(changed, Against(BUILD, key.ring, heads)).standing is Standing.PROVED
    changed.unsign(stream)
    verdict = proved(changed, Against(BUILD, key.ring, heads))
    assert (verdict.ok, verdict.standing, verdict.problems) == (False, Standing.NOT_PROVED, [])
    [said] = verdict.unsigned
    assert said.startswith(f"{stream}: nobody has signed any of its ")


def test_a_house_that_is_missing_leaves_the_journal_unproved(signed: Signed) -> None:
    journal, key, _ = signed
    changed = asyncio.run(forged(journal))
    changed.lose("house")
    verdict = proved(changed, Against(BUILD, key.ring), Depth.CHAIN)
    assert (verdict.standing, verdict.unsigned) == (
        Standing.NOT_PROVED,
        ["house: nothing is on record, though every floor has a house"],
    )


@pytest.mark.parametrize("depth", Depth)
def test_a_table_that_was_removed_with_its_signatures_is_noticed_at_any_depth(signed: Signed, depth: Depth) -> None:
    journal, key, _ = signed
    changed = asyncio.run(forged(journal))
    changed.lose(TABLE)
    changed.unsign(TABLE)
    verdict = proved(changed, Against(BUILD, key.ring), depth)
    assert verdict.standing is Standing.NOT_PROVED
    assert f"{TABLE}: nothing is on record, though the house or a seal knows of it" in verdict.unsigned


def test_an_unsigned_end_is_not_proved_unless_the_floor_runs_and_it_is_short(tmp_path: Path) -> None:
    key = key_in(tmp_path)

    async def begun(later_ms: int) -> MemoryJournal:
        journal = memory()
        night = await begin(journal, key)
        await night.open()
        await night.coup()
        for stream in ("house", KEYS):
            await journal.save_checkpoint(sign(await journal.head(stream), 1, key))
        await night.try_(_some_of(1_000))
        await night.try_({**_some_of(2_000), "at_ms": night.table.now_ms + later_ms})
        return journal

    for later_ms, live in ((1_000, Standing.PROVED), (600_000, Standing.NOT_PROVED)):
        journal = asyncio.run(begun(later_ms))
        verdict = proved(journal, Against(BUILD, key.ring))
        end = asyncio.run(journal.head(TABLE)).version
        assert verdict.standing is Standing.NOT_PROVED
        assert any(f" of {end:,}; the rest, " in said for said in verdict.unsigned), verdict.unsigned
        assert proved(journal, Against(BUILD, key.ring, tail_ms=120_000)).standing is live


def test_a_key_that_no_key_of_the_ring_vouches_for_does_not_count_and_is_seen(signed: Signed, tmp_path: Path) -> None:
    journal, key, _ = signed
    changed = asyncio.run(forged(journal))
    stranger = key_in(tmp_path)
    ring = RecordedRing()
    asyncio.run(ring.read_on(changed))
    assert isinstance(asyncio.run(ring.enter(changed, stranger.ring, "nobody", 1)), Appended)
    changed.sign_head(stranger)
    problem = the_problem(proved(changed, Against(BUILD, key.ring)))
    assert (problem.kind, stranger.public.id in problem.why) == (ProblemKind.SIGNATURE, True)
    assert the_problem(proved(changed, Against(BUILD, key.ring)), KEYS).version == ring.head.version + 1


def _flip(journal: Forged, at: int) -> None:
    journal.records()[at - 1] = reworded(journal.records()[at - 1], lambda text: text.replace(b"D1", b"D2"))


def _swap(journal: Forged, at: int) -> None:
    records = journal.records()
    records[at - 1], records[at] = records[at], records[at - 1]


def _drop(journal: Forged, at: int) -> None:
    del journal.records()[at - 1]


def _insert(journal: Forged, at: int) -> None:
    journal.records().insert(at - 1, again(journal.records()[at - 2], "line/9999"))


def _change_a_hash(journal: Forged, at: int) -> None:
    records = journal.records()
    records[at - 1] = replace(records[at - 1], hash=bytes(32))


@pytest.mark.parametrize(
    ("tamper", "kind"),
    [
        (_flip, ProblemKind.CHAIN),
        (_swap, ProblemKind.GAP),
        (_drop, ProblemKind.GAP),
        (_insert, ProblemKind.CHAIN),
        (_change_a_hash, ProblemKind.CHAIN),
    ],
)
@pytest.mark.parametrize("depth", Depth)
def test_the_first_bad_record_is_named(
    signed: Signed, tamper: Callable[[Forged, int], None], kind: ProblemKind, depth: Depth
) -> None:
    journal = asyncio.run(forged(signed[0]))
    at = journal.place_of(b'"TableOpened"')
    tamper(journal, at)
    problem = the_problem(proved(journal, depth=depth))
    assert (problem.kind, problem.version) == (kind, at)


@pytest.mark.parametrize("stream", [TABLE, KEYS])
def test_a_stream_that_is_gone_with_its_signatures_leaves_the_journal_unproved(signed: Signed, stream: str) -> None:
    """The house knows of every table, and a journal that is signed has a ring of keys."""
    journal, key, _ = signed
    changed = asyncio.run(forged(journal))
    changed.lose(stream)
    verdict = proved(changed, Against(BUILD, key.ring))
    assert (verdict.ok, verdict.standing, verdict.problems) == (False, Standing.NOT_PROVED, [])
    [said] = verdict.unsigned
    assert said.startswith(f"{stream}: nothing is on record, though ")


def test_a_table_whose_records_are_gone_and_whose_signatures_stayed_is_cut(signed: Signed) -> None:
    journal, key, _ = signed
    changed = asyncio.run(forged(journal))
    changed.records().clear()
    problem = the_problem(proved(changed, Against(BUILD, key.ring)))
    assert (problem.stream, problem.kind, problem.version) == (TABLE, ProblemKind.CUT, 1)


def test_a_cut_tail_is_seen_by_a_checkpoint_and_behind_it_by_an_anchor(signed: Signed) -> None:
    journal, key, heads = signed
    cut = asyncio.run(forged(journal))
    del cut.records()[-4:]
    end = len(cut.records())
    problem = the_problem(proved(cut, Against(BUILD, key.ring)))
    assert (problem.kind, problem.version) == (ProblemKind.CUT, end + 1)
    cut.sign_anew(key)  # As if there had been no checkpoint behind the cut, and one at it.
    cut.sign_head(key)
    assert proved(cut, Against(BUILD, key.ring)).ok
    problem = the_problem(proved(cut, Against(BUILD, key.ring, heads)))
    assert (problem.kind, problem.version) == (ProblemKind.CUT, end + 1)


def test_a_stream_that_is_gone_altogether_is_seen_by_the_anchor(signed: Signed) -> None:
    _, key, heads = signed
    problem = the_problem(proved(memory(), Against(BUILD, key.ring, heads)))
    assert (problem.kind, problem.version) == (ProblemKind.CUT, 1)


def test_another_night_in_the_place_of_this_one_is_seen_by_its_checkpoints(signed: Signed) -> None:
    """A journal that was written anew from end to end is right in itself."""
    journal, key, heads = signed
    other, _ = played(seed=99)
    anew = asyncio.run(forged(other))
    assert proved(anew).ok
    assert the_problem(proved(anew, Against(BUILD, key.ring, heads))).kind is ProblemKind.CHECKPOINT
    original = asyncio.run(journal.checkpoints(TABLE))
    anew._checkpoints[TABLE] = [one for one in original if one.head.version <= len(anew.records())]  # noqa: SLF001
    assert the_problem(proved(anew, Against(BUILD, key.ring))).kind is ProblemKind.CHECKPOINT


def test_a_change_that_is_chained_anew_is_seen_between_two_checkpoints(signed: Signed) -> None:
    journal, key, _ = signed
    changed = asyncio.run(forged(journal))
    versions = [one.head.version for one in asyncio.run(changed.checkpoints(TABLE))]
    at = versions[0] + 1
    changed.records()[at - 1] = again(changed.records()[at - 1], "line/777")
    changed.chain_anew()
    problem = the_problem(proved(changed, Against(BUILD, key.ring), depth=Depth.CHAIN))
    assert (problem.kind, problem.version) == (ProblemKind.CHECKPOINT, at)
    assert f"{at} to {versions[1]}" in problem.why


def test_a_change_that_is_signed_with_another_key_is_seen_by_who_trusts_the_first(
    signed: Signed, tmp_path: Path
) -> None:
    journal, key, _ = signed
    changed = asyncio.run(forged(journal))
    changed.records()[-1] = again(changed.records()[-1], "line/777")
    changed.chain_anew()
    stranger = key_in(tmp_path)
    changed.sign_anew(stranger)
    problem = the_problem(proved(changed, Against(BUILD, key.ring), depth=Depth.CHAIN))
    assert problem.kind is ProblemKind.SIGNATURE
    assert stranger.public.id in problem.why


def test_a_signature_under_a_trusted_name_must_be_by_its_key(signed: Signed, tmp_path: Path) -> None:
    journal, key, _ = signed
    changed = asyncio.run(forged(journal))
    changed.sign_anew(key_in(tmp_path))
    named = [replace(one, key_id=key.public.id) for one in asyncio.run(changed.checkpoints(TABLE))]
    changed._checkpoints[TABLE] = named  # noqa: SLF001
    assert the_problem(proved(changed, Against(BUILD, key.ring))).kind is ProblemKind.SIGNATURE


def test_who_trusts_the_first_key_follows_every_rotation(tmp_path: Path) -> None:
    async def two_owners() -> MemoryJournal:
        journal = memory()
        await play(journal, key=key_in(tmp_path), coups=1)
        night = await begin(journal, rotate(tmp_path / "casino.key"))
        await night.another_shoe()
        await night.coup()
        await night.close()
        return journal

    journal = asyncio.run(two_owners())
    ring = read_ring(ring_path(tmp_path / "casino.key"))
    assert proved(journal, Against(BUILD, ring[:1])).ok
    assert not proved(journal, Against(BUILD, key_in(tmp_path, "stranger.key").ring)).ok


REPLAYED = (Depth.RECORDED, Depth.DECIDED)


@pytest.mark.parametrize("depth", REPLAYED)
def test_a_coup_settled_twice_is_seen_however_well_it_is_chained(signed: Signed, depth: Depth) -> None:
    journal = asyncio.run(forged(signed[0]))
    at = journal.place_of(b'"WagersSettled"')
    journal.records().insert(at, again(journal.records()[at - 1], "line/9999"))
    journal.chain_anew()
    journal.unsign()
    problem = the_problem(proved(journal, depth=depth))
    assert (problem.kind, problem.version) == (ProblemKind.SETTLED_TWICE, at + 1)
    assert f"coup 1 is settled a second time, after record {at}" in problem.why


@pytest.mark.parametrize(
    ("sign", "change"),
    [
        (b'"BoughtIn"', lambda text: text.replace(b"500000", b"900000")),
        (b'"set_wager"', lambda text: text.replace(b'"clause":"CROWN 4.1"', b'"clause":"CROWN 4.2"')),
        (b'"WagersSettled"', lambda text: text.replace(b'"outcome":"lose"', b'"outcome":"push"', 1)),
        (b'"refused"', lambda text: text.replace(b'"text":"', b'"text":"by no means: ')),
        (b'"CardDealt"', lambda text: text.replace(b'"position":2', b'"position":3')),
    ],
)
def test_a_record_that_the_rules_do_not_give_is_seen_however_well_it_is_chained(
    signed: Signed, sign: bytes, change: Callable[[bytes], bytes]
) -> None:
    journal = asyncio.run(forged(signed[0]))
    at = journal.place_of(sign)
    changed = reworded(journal.records()[at - 1], change)
    events_only = changed if sign != b'"BoughtIn"' else reworded(changed, _as_it_was_asked)
    journal.records()[at - 1] = events_only
    journal.chain_anew()
    journal.unsign()
    problem = the_problem(proved(journal))
    assert (problem.kind, problem.version) == (ProblemKind.DECISION, at)


def test_a_rule_set_of_another_digest_is_said_where_another_program_recorded_it_and_wrong_otherwise(
    signed: Signed,
) -> None:
    """A shipped rule set has another digest as soon as its file has one more line."""
    journal = asyncio.run(forged(signed[0]))
    own, earlier = digest_of("crown-traditional").encode(), b"0" * 64
    for place, record in enumerate(journal.records()):
        if own in bytes(record.entry.answer):
            journal.records()[place] = reworded(record, lambda text: text.replace(own, earlier))
    journal.chain_anew()
    journal.unsign()
    at = journal.place_of(b'"Configured"')
    problem = the_problem(proved(journal))
    assert (problem.kind, problem.version) == (ProblemKind.DECISION, at)
    verdict = proved(journal, Against("another program"))
    assert verdict.ok
    assert any("another program configured table/T1" in sentence for sentence in verdict.unproved)
    wider = reworded(journal.records()[at - 1], lambda text: text.replace(b'"accepted":[{', b'"accepted":[{"keeps":7,'))
    journal.records()[at - 1] = wider
    journal.chain_anew()
    problem = the_problem(proved(journal, Against("another program")))
    assert (problem.kind, problem.version) == (ProblemKind.DECISION, at)


def test_money_that_a_record_makes_is_seen_without_deciding_anything_again(signed: Signed) -> None:
    journal = asyncio.run(forged(signed[0]))
    at = journal.place_of(b'"WagersSettled"')
    journal.records()[at - 1] = reworded(
        journal.records()[at - 1], lambda text: re.sub(rb'"net_cents":-?[0-9]+', b'"net_cents":777', text, count=1)
    )
    journal.chain_anew()
    journal.unsign()
    problem = the_problem(proved(journal, depth=Depth.RECORDED))
    assert (problem.kind, problem.version) == (ProblemKind.MONEY, at)


def test_what_only_the_rules_can_tell_is_left_to_deciding_again_and_said_so(signed: Signed) -> None:
    journal = asyncio.run(forged(signed[0]))
    at = journal.place_of(b'"set_wager"')
    journal.records()[at - 1] = reworded(
        journal.records()[at - 1], lambda text: text.replace(b'"clause":"CROWN 4.1"', b'"clause":"CROWN 4.2"')
    )
    journal.chain_anew()
    journal.unsign()
    verdict = proved(journal, depth=Depth.RECORDED)
    assert verdict.ok
    assert any("not made again" in sentence for sentence in verdict.unproved)
    assert not proved(journal).ok


@pytest.mark.parametrize("depth", REPLAYED)
def test_a_snapshot_that_is_not_what_the_records_come_to_is_seen(signed: Signed, depth: Depth) -> None:
    """A table starts from its snapshot, so changing one gives money away without touching a record."""
    journal = asyncio.run(forged(signed[0]))
    state, head, n, now_ms, _ = asyncio.run(recover_table(journal, TABLE, "no snapshot"))
    assert isinstance(state, TableState)
    ledger, purse = state.ledger, state.purse("A1")
    purses = {**ledger.purses, "A1": replace(purse, balance=purse.balance + 100_000)}
    richer = replace(state, ledger=replace(ledger, purses=purses))
    for kept, ok in ((state, True), (richer, False)):
        asyncio.run(journal.save_snapshot(snapshot_at(head, table_mark(kept, n, now_ms))))
        verdict = proved(journal, depth=depth)
        assert verdict.ok == ok
    assert (the_problem(verdict).kind, the_problem(verdict).version) == (ProblemKind.SNAPSHOT, head.version)
    elsewhere = replace(head, hash=bytes(32))
    asyncio.run(journal.save_snapshot(snapshot_at(elsewhere, table_mark(richer, n, now_ms))))
    assert proved(journal, depth=depth).ok, "a start passes it over, too"


def test_a_snapshot_of_the_house_that_is_not_what_its_records_come_to_is_seen(signed: Signed) -> None:
    journal = asyncio.run(forged(signed[0]))
    state, head, _, now_ms, _ = asyncio.run(recover_house(journal, "no snapshot"))
    for kept, ok in ((state, True), (replace(state, staff={}), False)):
        asyncio.run(journal.save_snapshot(snapshot_at(head, mark_at_once(house_mark(kept, now_ms)))))
        verdict = proved(journal, depth=Depth.RECORDED)
        assert verdict.ok == ok
    assert the_problem(verdict, "house").kind is ProblemKind.SNAPSHOT


def _as_it_was_asked(text: bytes) -> bytes:
    """The events are forged, the command is not."""
    return text.replace(b'"cents":900000', b'"cents":500000', 1)


@pytest.mark.parametrize("depth", REPLAYED)
@pytest.mark.parametrize("stream", [TABLE, "house"])
def test_a_record_that_is_not_utf_8_is_damaged(signed: Signed, depth: Depth, stream: str) -> None:
    journal = asyncio.run(forged(signed[0]))
    at = journal.place_of(b'"by":"', stream)
    journal.records(stream)[at - 1] = reworded(
        journal.records(stream)[at - 1], lambda text: text.replace(b'"by":"', b'"by":"\xff', 1)
    )
    journal.chain_anew(stream)
    journal.unsign(stream)
    assert the_problem(proved(journal, depth=depth), stream).version == at


def test_a_record_under_another_name_is_seen(signed: Signed) -> None:
    journal = asyncio.run(forged(signed[0]))
    at = journal.place_of(b'"WagersSettled"')
    record = journal.records()[at - 1]
    journal.records()[at - 1] = replace(record, entry=replace(record.entry, actor="D2"))
    journal.chain_anew()
    journal.unsign()
    assert the_problem(proved(journal)).version == at


@pytest.mark.parametrize("depth", REPLAYED)
def test_a_record_that_is_left_out_is_seen_by_what_comes_after(signed: Signed, depth: Depth) -> None:
    journal = asyncio.run(forged(signed[0]))
    at = journal.place_of(b'"BoughtIn"')
    del journal.records()[at - 1]
    journal.chain_anew()
    journal.unsign()
    problem = the_problem(proved(journal, depth=depth))
    assert problem.kind in (ProblemKind.DECISION, ProblemKind.IMPOSSIBLE)
    assert problem.version >= at


def test_an_owner_that_had_been_replaced_is_seen() -> None:
    journal, _ = played(coups=1)
    asyncio.run(begin(journal, owner="the second owner"))
    changed = asyncio.run(forged(journal))
    changed.records()[-1] = replace(changed.records()[-1], epoch=1)
    changed.chain_anew()
    problem = the_problem(proved(changed))
    assert (problem.kind, problem.version) == (ProblemKind.EPOCH, len(changed.records()))


def test_a_key_that_is_used_twice_is_seen(signed: Signed) -> None:
    journal = asyncio.run(forged(signed[0]))
    first = journal.records()[5]
    journal.records().append(first)
    journal.chain_anew()
    problem = the_problem(proved(journal, depth=Depth.CHAIN))
    assert (problem.kind, problem.version) == (ProblemKind.REPEATED, len(journal.records()))


@pytest.mark.parametrize("sign", [b'"TicketRedeemed"', b'"TicketRegistered"'])
def test_a_ticket_is_registered_and_paid_once(signed: Signed, sign: bytes) -> None:
    journal = asyncio.run(forged(signed[0]))
    at = journal.place_of(sign, "house")
    journal.records("house").append(again(journal.records("house")[at - 1], "line/9999"))
    journal.chain_anew("house")
    journal.unsign("house")
    problem = the_problem(proved(journal), "house")
    assert (problem.kind, problem.version) == (ProblemKind.TICKET, len(journal.records("house")))


async def _a_night_with_a_slip(journal: MemoryJournal) -> None:
    night = await begin(journal)
    raised = {"slip": "SPRING-000001", "tournament": "SPRING", "direction": "take", "purpose": "fee", "entrant": 1}
    parts = {"prize_pool": 5_000, "tournament_fees": 1_000}
    await night.say(by("clock", "register_slip", **raised, cents=6_000, parts=parts))
    await night.say(by("CA1", "take_slip", slip="SPRING-000001"))
    await night.close()


def test_a_slip_is_settled_once_and_for_what_it_was_registered() -> None:
    plain = memory()
    asyncio.run(_a_night_with_a_slip(plain))
    assert proved(plain).ok
    twice = asyncio.run(forged(plain))
    at = twice.place_of(b'"SlipTaken"', "house")
    twice.records("house").append(again(twice.records("house")[at - 1], "line/9999"))
    twice.chain_anew("house")
    problem = the_problem(proved(twice), "house")
    assert (problem.kind, problem.version) == (ProblemKind.MONEY, len(twice.records("house")))
    assert "a second time" in problem.why
    other = asyncio.run(forged(plain))
    taken = other.records("house")[at - 1]
    other.records("house")[at - 1] = reworded(taken, lambda text: text.replace(b"6000", b"6100"))
    other.chain_anew("house")
    problem = the_problem(proved(other), "house")
    assert (problem.kind, problem.version) == (ProblemKind.MONEY, at)


def test_a_ticket_that_no_table_issued_is_seen(signed: Signed) -> None:
    journal = asyncio.run(forged(signed[0]))
    at = journal.place_of(b'"TicketRegistered"', "house")
    for place, record in enumerate(journal.records("house")):
        if b'"cents":10000' in bytes(record.entry.answer):
            more = reworded(record, lambda text: text.replace(b'"cents":10000', b'"cents":99999'))
            journal.records("house")[place] = more
    journal.chain_anew("house")
    journal.unsign("house")
    problem = the_problem(proved(journal), "house")
    assert (problem.kind, problem.version) == (ProblemKind.TICKET, at)


async def _a_night_with_a_payment_by_hand(journal: MemoryJournal) -> None:
    night = await begin(journal)
    await night.open()
    await night.say(by("R1", "leave"))
    number = next(iter(night.floor.house.tickets))
    await night.say(by("TE1", "print_failed", ticket=number, fault="jam"))
    await night.say(by("CS1", "manual_pay", ticket=number, reason="jam"))
    await night.close()


@pytest.mark.clause("CROWN 6.7.2(b)")
def test_a_payment_by_hand_without_a_release_of_the_house_is_named() -> None:
    plain = memory()
    asyncio.run(_a_night_with_a_payment_by_hand(plain))
    assert proved(plain).ok
    changed = asyncio.run(forged(plain))
    del changed.records("house")[changed.place_of(b'"TicketReleased"', "house") - 1]
    changed.chain_anew("house")
    problem = the_problem(proved(changed), "house")
    assert problem.kind is ProblemKind.TICKET
    assert "on a release that the house has not given" in problem.why


def test_a_live_table_is_verified_up_to_where_it_was_found() -> None:
    """Records that come in while the journal is looked at do no harm."""

    async def scene() -> None:
        journal = memory()
        night = await begin(journal)
        await night.open()
        found: list[int] = []

        class Live(Forged):
            async def head(self, stream: str) -> Head:
                head = await super().head(stream)
                if not found and stream == TABLE:
                    found.append(head.version)
                    await night.say(by("D1", "open", at_ms=90_000))
                return head

        live = Live(journal._streams, journal._checkpoints)  # noqa: SLF001
        verdict = await verify(live, Against(BUILD), lambda *_: None)
        assert verdict.ok, verdict.problems
        assert [one.records for one in verdict.streams if one.stream == TABLE] == found

    asyncio.run(scene())
