"""Significant events have codes, meters have the names of standards, and both lists are whole."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.audit.event_codes import EventMark, Severity, code_of, event_codes, gravest
from sabot.audit.excerpt import ExcerptFilter, check_code, excerpt
from sabot.audit.not_there import NotThere
from sabot.audit.outbox import OutboxKeyEntered, OutboxOwnerTaken
from sabot.audit.record_story import RecordStory, tell
from sabot.audit.significant_events import HEADING_OF, NOT_TOLD
from sabot.journal.opening import open_to_read
from sabot.ledger.meters import Meters
from sabot.table.configuration import Configuration
from sabot.views.meter_names import METERED_MONEY, METERED_PLAY, by_standard, meter_names
from sabot.web.reports.report_words import ReportWords
from tests.cli.sabot import sabot

TENDERS = (*get_args(get_args(get_type_hints(Configuration)["tenders"])[0]), "notes")
WAYS_OUT = ("chips", "ticket", "manual")


def test_every_significant_event_has_one_code_and_no_other_event_has_any() -> None:
    significant = {kind.__name__ for kind in HEADING_OF} | {"OwnerTaken", "KeyEntered"}
    lacking = significant - set(event_codes())
    assert lacking == set(), "give each a row with the next code of its heading in src/sabot/audit/event_codes.tsv"
    assert set(event_codes()) - significant == set()
    assert not {kind.__name__ for kind in NOT_TOLD} & set(event_codes())
    assert code_of(OutboxOwnerTaken("a", 1)).code == 1590
    assert code_of(OutboxKeyEntered("a")).code == 1190


def test_codes_are_used_once_and_their_hundreds_are_the_heading() -> None:
    used = Counter(one.code for one in event_codes().values())
    assert [code for code, times in used.items() if times > 1] == []
    hundreds: dict[int, set[str]] = {}
    for kind, heading in HEADING_OF.items():
        hundreds.setdefault(event_codes()[kind.__name__].code // 100, set()).add(heading)
    assert [found for found in hundreds.values() if len(found) > 1] == []
    assert all(one.kind and one.name for one in event_codes().values())


def test_the_gravest_of_a_record_counts() -> None:
    locked, opened = event_codes()["TableLocked"], event_codes()["TableOpened"]
    assert gravest((opened, locked, opened)) is Severity.ALARM
    assert gravest(()) is Severity.NOTICE


def test_every_way_in_and_out_has_the_name_of_a_standard() -> None:
    named = {one.meter for one in meter_names()}
    assert named >= {f"came_in.{kind}" for kind in TENDERS} | {f"paid.{kind}" for kind in WAYS_OUT}
    plain = {one.meter.partition(".")[0] for one in meter_names() if one.meter}
    assert plain == set(Meters.__struct_fields__)


_CENTS = st.integers(0, 10**12)
_KINDS = st.sampled_from((*TENDERS, *WAYS_OUT, "credits", "something new"))
_METERS = st.builds(
    Meters,
    came_in=st.dictionaries(_KINDS, _CENTS),
    wagered=_CENTS,
    credited=_CENTS,
    commission=_CENTS,
    paid=st.dictionaries(_KINDS, _CENTS),
    adjusted=st.integers(-(10**9), 10**9),
    coups=st.integers(0, 10**6),
    moved=st.integers(-(10**9), 10**9),
)


@given(_METERS)
def test_the_credit_follows_from_the_others_whatever_came_in(meters: Meters) -> None:
    told = by_standard(meters)
    assert set(told) == {one.name for one in meter_names()}
    assert told["credit"] == meters.left() == sum(one.sign * told[one.name] for one in meter_names())


def test_the_command_lists_codes_and_the_events_of_a_journal() -> None:
    listed = sabot("journal", "events", "--json").json
    assert {one["event"] for one in listed["significant"]} == set(event_codes())
    assert "CardDealt" in listed["not_significant"]
    assert "1501  alarm" in sabot("journal", "events", "--severity", "alarm").out
    assert "1201" not in sabot("journal", "events", "--severity", "warning").out


def test_the_events_of_a_journal_have_codes_and_sentences(tmp_path: Path) -> None:
    place = str(tmp_path / "night.journal")
    assert sabot("table", "--journal", place, given="D1 sign_on\nD1 open_table\nGS1 check_cards 416\n").code == 0
    found = sabot("journal", "events", place, "--json").json
    opened = next(one for one in found if one["event"] == "TableOpened")
    assert (opened["code"], opened["severity"], opened["sentence"]) == (1201, "notice", "D1 opens the table")
    assert all(one["code"] and one["sentence"] for one in found)


def test_the_sheets_of_meters_have_every_name_and_the_words_of_the_standard() -> None:
    columns = [*METERED_PLAY, *METERED_MONEY]
    assert sorted(name for name, _ in columns) == sorted(one.name for one in meter_names())
    words = ReportWords("en")
    assert {one.title for one in meter_names() if words.say(f"meter_{one.name}") != one.title} == set()


def test_meters_of_a_report_add_up_to_the_credit_and_are_in_its_files(tmp_path: Path) -> None:
    place = str(tmp_path / "night.journal")
    assert sabot("table", "--journal", place, given=Path("examples/night.txt").read_text()).code == 0
    table = sabot("journal", "report", place, "--json").json
    assert table["meters"], "every station has its meters"
    for line in table["meters"]:
        assert line["meters"]["credit"] == sum(one.sign * line["meters"][one.name] for one in meter_names())
    turnover = sum(line["meters"]["turnover"] for line in table["meters"])
    assert turnover == table["shift"]["win"]["turnover"] > 0
    play, money = sabot("journal", "report", place, "--report", "meters", "--json").json["sheets"]
    assert (play["totals"][3], play["columns"][3]["key"]) == (turnover, "meter_turnover")
    assert [row[1] for row in play["rows"]] == [row[1] for row in money["rows"]]
    written = sabot("journal", "report", place, "--report", "meters", "--csv").out
    assert "Games played,Turnover,Total wins,Commission" in written
    assert "Cancelled credit" in written
    told = sabot("journal", "report", place, "--report", "meters", "--language", "zh-Hant").out
    assert "投注總額" in told


def test_records_are_found_by_code_and_by_severity(tmp_path: Path) -> None:
    place = str(tmp_path / "night.journal")
    lines = "D1 sign_on\nD1 open_table\nGS1 check_cards 416\nD1 new_shoe\nD1 system_failed\n"
    assert sabot("table", "--journal", place, given=lines).code == 0

    async def found(wanted: ExcerptFilter) -> list[RecordStory]:
        journal = await open_to_read(place)
        try:
            stream = (await journal.streams())[-1]
            return [tell(line) async for line in excerpt(journal, stream, wanted)]
        finally:
            await journal.close()

    every = asyncio.run(found(ExcerptFilter()))
    assert all(len(one.marks) == len(one.sentences) for one in every if one.refused is None)
    (opened,) = asyncio.run(found(ExcerptFilter(code=1201)))
    assert opened.marks == [EventMark(1201, Severity.NOTICE)]
    assert opened.sentences == ["D1 opens the table"]
    taken = asyncio.run(found(ExcerptFilter(code=1590)))
    assert [one.verb for one in taken] == ["owner_taken"]
    significant = asyncio.run(found(ExcerptFilter(severity=Severity.NOTICE)))
    assert 0 < len(significant) < len(every)
    with pytest.raises(NotThere, match="no significant event has the code 42"):
        check_code(ExcerptFilter(code=42))
