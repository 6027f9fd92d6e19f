"""A journal that an earlier release wrote opens, verifies and goes on; one that a newer program wrote is left alone."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sabot.audit.journal_copy import copy
from sabot.audit.stretch import Finding, Stretch, prove
from sabot.audit.verify import Against, Depth, ProvingWorkers, Standing, Verdict, verify
from sabot.floor.records.older_forms import in_present_form
from sabot.floor.records.program_digest import program_digest
from sabot.floor.records.record_codec import Answered, read_act_of, read_answer, read_happened
from sabot.journal.journal import NewerProgram, ReadableJournal
from sabot.journal.keys import read_ring
from sabot.journal.opening import create, open_to_read, open_to_write
from sabot.journal.postgres import PostgresJournal
from sabot.journal.record import (
    FORMAT,
    OLDEST,
    Entry,
    Head,
    NewerForm,
    Record,
    UnknownForm,
    body_of,
    head_after,
    link_of,
    read_body,
    start_of,
)
from sabot.table.fixtures import fixture
from sabot.web.serving.toml_text import toml_text
from tests.audit.forgery import TABLE, forged
from tests.audit.release_journals import FLOOR, figures_of, read_figures, releases, unpack
from tests.cli.sabot import assert_one_clear_sentence, sabot
from tests.floor.nights import BUILD, played, records_of
from tests.journal.postgres.conftest import (  # noqa: F401  Fixtures.
    Database,
    database,
    migrated_template,
    own_server,
    server_dsn,
)


def _quiet(*_: object) -> None:
    """Reports no progress."""


@pytest.mark.parametrize("release", releases())
def test_the_journals_of_a_release_verify_and_come_to_the_same_figures(release: str, tmp_path: Path) -> None:
    """Every act, event and refusal that a scenario of that release leads to."""
    wanted = figures_of(release)

    async def scene() -> list[Verdict]:
        verdicts = []
        for path in unpack(release, tmp_path):
            journal = await open_to_read(str(path))
            assert await read_figures(journal) == wanted.pop(path.name), path.name
            verdicts.append(await verify(journal, Against(program_digest()), _quiet))
            await journal.close()
        return verdicts

    verdicts = asyncio.run(scene())
    assert not wanted
    assert [one.problems for one in verdicts if one.problems] == []
    older = sum(stream.older for one in verdicts for stream in one.streams)
    assert older > 1_000, "the decisions of an earlier form are counted"
    assert any("were taken as recorded" in sentence for sentence in verdicts[0].unproved)


@pytest.mark.parametrize("release", releases())
def test_a_floor_of_a_release_agrees_with_its_signatures_and_goes_on(release: str, tmp_path: Path) -> None:
    """Its table plays on: records of both forms stand in one stream, and only those of the earlier are not decided.

    Its key is not kept with it, so nobody vouches for what follows, nor for its house, which that release did not sign.
    """
    unpack(release, tmp_path)
    place, ring = str(tmp_path / FLOOR), tmp_path / "signing.key.ring"
    before = figures_of(release)[FLOOR]["table/DEMO"]
    configuration = tmp_path / "demo.toml"
    configuration.write_text(toml_text({**msgspec.to_builtins(fixture("crown"), enc_hook=str), "table": "DEMO"}))
    played = sabot("table", "--config", str(configuration), "--journal", place, "--unsigned", given="GS1 sign_on\n")
    assert played.code == 0, played.error

    async def scene() -> Verdict:
        journal = await open_to_read(place)
        forms = [record.form async for record in journal.read("table/DEMO")]
        assert forms == sorted(forms), "forms never fall"
        assert (forms[before["version"] - 1], forms[-1]) == (OLDEST, FORMAT)
        figures = (await read_figures(journal))["table/DEMO"]
        assert figures["books"] == before["books"]
        return await verify(journal, Against(program_digest(), read_ring(ring)), _quiet)

    verdict = asyncio.run(scene())
    assert verdict.problems == []
    assert verdict.standing is Standing.NOT_PROVED
    [table] = [one for one in verdict.streams if one.stream == "table/DEMO"]
    assert table.records > before["version"] >= table.vouched > 0
    assert before["version"] > table.older > 0


@pytest.mark.parametrize("release", releases())
def test_a_floor_of_a_release_moves_to_postgresql_byte_for_byte(
    release: str,
    tmp_path: Path,
    database: Database,  # noqa: F811
) -> None:
    unpack(release, tmp_path)

    async def scene() -> None:
        source = await open_to_read(str(tmp_path / FLOOR))
        target = await PostgresJournal.open(database.application)
        try:
            await copy(source, target, _quiet)
            assert await read_figures(target) == figures_of(release)[FLOOR]
            assert (await verify(target, Against(program_digest()), _quiet)).ok
        finally:
            await target.close()

    asyncio.run(scene())


# Going back


def _newer(head: Head) -> Record:
    """A record as a program of the next form would write it, whose entry this one cannot even read."""
    entry = Entry("by a newer program", "", "", 0, msgspec.Raw(b"{}"))
    body = body_of(head.epoch, entry, FORMAT + 1)
    link = link_of(head.stream, head.version + 1, body, head.hash)
    return Record(head.stream, head.version + 1, head.epoch, entry, head.hash, link, FORMAT + 1)


async def _write_newer(place: str) -> bytes:
    async with create(place) as journal:
        head = await journal.head("table/T1")
        record = _newer(head)
        await journal.append("table/T1", 0, [record])
    return record.hash


def test_a_program_that_is_gone_back_to_writes_nothing_and_says_why(tmp_path: Path) -> None:
    place = tmp_path / "newer.journal"
    asyncio.run(_write_newer(str(place)))
    before = place.read_bytes()
    with pytest.raises(NewerProgram, match=f"has form {FORMAT + 1}, and this program knows none above {FORMAT}"):
        asyncio.run(open_to_write(str(place)))
    ran = sabot("table", "--journal", str(place), given="D1 sign_on\n")
    assert_one_clear_sentence(ran)
    assert "a newer program wrote it" in ran.error
    assert place.read_bytes() == before


def test_a_program_that_is_gone_back_to_writes_nothing_into_a_database(database: Database) -> None:  # noqa: F811
    async def scene() -> None:
        journal = await PostgresJournal.open(database.application)
        record = _newer(await journal.head("table/T1"))
        await journal.append("table/T1", 0, [record])
        await journal.close()
        with pytest.raises(NewerProgram, match="a newer program wrote it"):
            await open_to_write(database.application)

    asyncio.run(scene())


# Reading


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b'[%d,{"another":"shape"}]' % (FORMAT + 1), "a newer program wrote it"),
        (b"[%d,1,2,3,4]" % (FORMAT + 7), "a newer program wrote it"),
        (b'[1,1,["k","","",0,{}]]', "knows none below"),
        (b"[3,1]", "cannot be read"),
        (b"", "cannot be read"),
        (b"\xff\xfe", "cannot be read"),
    ],
)
def test_a_body_that_cannot_be_read_says_whether_a_newer_program_wrote_it(body: bytes, why: str) -> None:
    with pytest.raises(UnknownForm, match=why) as raised:
        read_body(body)
    assert isinstance(raised.value, NewerForm) is ("newer" in why)


def test_an_answer_goes_through_every_step_from_its_form_on() -> None:
    def renamed(answer: dict[str, Any]) -> dict[str, Any]:
        return {**answer, "accepted": [{**event, "event": "Renamed"} for event in answer["accepted"]]}

    def counted(answer: dict[str, Any]) -> dict[str, Any]:
        return {**answer, "accepted": [{**event, "cents": 1} for event in answer["accepted"]]}

    stored = msgspec.Raw(b'{"accepted":[{"event":"Old"}]}')
    both = in_present_form(FORMAT - 2, stored, {FORMAT - 2: renamed, FORMAT - 1: counted})
    assert msgspec.json.decode(both) == {"accepted": [{"event": "Renamed", "cents": 1}]}
    assert in_present_form(FORMAT - 1, stored, {FORMAT - 2: renamed}) is stored
    assert in_present_form(FORMAT, stored, {FORMAT - 1: counted}) is stored


def test_every_way_of_reading_a_record_knows_its_form() -> None:
    """The quick readers of stored bodies give what the reader of records gives, of either form."""
    answer = msgspec.Raw(b'{"act":{"do":"leave"},"stamp":{"by":"A1","role":"station"},"accepted":[]}')
    entry = Entry("ask/A1/1/1", "A1", "", 0, answer)
    for form in range(OLDEST, FORMAT + 1):
        body = body_of(1, entry, form)
        record = Record("table/T1", 1, 1, entry, b"", b"", form)
        assert record.body == body
        assert isinstance(read_answer(record), Answered)
        assert read_act_of(body) is not None
        assert read_happened(body) == ((), None)


# Forms never fall


def _with_forms(records: list[Record], form_of: Callable[[int], int]) -> list[Record]:
    """The same entries, each in the form that its version is given, chained anew as a skilled forger would."""
    head, written = start_of(TABLE), list[Record]()
    for record in records:
        form = form_of(record.version)
        link = link_of(TABLE, record.version, body_of(record.epoch, record.entry, form), head.hash)
        written.append(Record(TABLE, record.version, record.epoch, record.entry, head.hash, link, form))
        head = head_after(written[-1])
    return written


@pytest.mark.parametrize("depth", Depth)
@pytest.mark.parametrize("hands", [1, 3])
def test_a_record_that_passes_for_an_older_one_is_found_whatever_is_verified(depth: Depth, hands: int) -> None:
    """It would not be decided again, so a forger would like to write it."""
    journal, _ = played(coups=3)

    async def verdict(form_of: Callable[[int], int]) -> Verdict:
        night = await forged(journal)
        night.unsign()
        night.records()[:] = _with_forms(night.records(), form_of)
        workers = ProvingWorkers(lambda stretches: _prove_all(night, stretches), hands)
        return await verify(night, Against(BUILD), _quiet, depth=depth, workers=workers)

    last = len(asyncio.run(records_of(journal)))
    upgraded = asyncio.run(verdict(lambda version: OLDEST if version <= last // 2 else FORMAT))
    assert upgraded.ok, upgraded.problems
    for place in (2, last // 2, last):
        forgery = asyncio.run(verdict(lambda version, place=place: OLDEST if version == place else FORMAT))  # type: ignore[misc]
        assert [(one.version, "forms never fall" in one.why) for one in forgery.problems] == [(place, True)]


async def _prove_all(journal: ReadableJournal, stretches: Sequence[Stretch]) -> list[Finding]:
    return [await prove(journal, stretch, _quiet) for stretch in stretches]
