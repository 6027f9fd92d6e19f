"""A table's journal goes from a file to a server and back, and the table goes on at either."""

import asyncio
from pathlib import Path

from sabot.audit.verify import Against, verify
from sabot.journal.opening import open_journal, open_to_read
from tests.cli.proving_process import proved
from tests.cli.sabot import assert_one_clear_sentence, sabot
from tests.cli.test_journal import COUP, OPENING
from tests.cli.test_worker_processes import in_a_process
from tests.floor.nights import BUILD, begin, by, key_in, play, records_of
from tests.journal.postgres.conftest import Database


def test_a_journal_is_moved_to_a_server_and_back_by_command(tmp_path: Path, database: Database) -> None:
    place, back = str(tmp_path / "night.journal"), str(tmp_path / "back.journal")

    async def played() -> None:
        journal = await open_journal(place)
        await play(journal, key=key_in(tmp_path), coups=2)
        await journal.close()

    asyncio.run(played())
    ring = str(tmp_path / "casino.key.ring")
    for source, target in ((place, database.application), (database.application, back)):
        moved = sabot("journal", "migrate", source, target, "--json")
        assert moved.code == 0, moved.error
        assert sabot("journal", "verify", target, "--keys", ring).code == 0
    alone = proved(database.application, 1)
    assert alone.ok
    assert in_a_process(database.application, "2") == alone
    again = sabot("journal", "migrate", place, database.application)
    assert_one_clear_sentence(again)
    assert "is not empty" in again.error
    digests = {sabot("journal", "replay", one, "--json").json["digest"] for one in (place, database.application)}
    assert len(digests) == 1

    async def compared() -> None:
        first, second = await open_to_read(place), await open_to_read(back)
        for stream in ("house", "table/T1"):
            assert await records_of(first, stream) == await records_of(second, stream)
            assert await first.checkpoints(stream) == await second.checkpoints(stream)
        server = await open_journal(database.application)
        night = await begin(server, owner="who goes on at the server")
        await night.say(by("D1", "sign_off"))
        await night.close()
        assert (await verify(server, Against(BUILD), lambda *_: None)).ok
        await server.close()

    asyncio.run(compared())


def test_a_table_is_recorded_on_a_server_and_goes_on_there(tmp_path: Path, database: Database) -> None:
    anchor = str(tmp_path / "floor.anchor")
    sabot("keys", "new", str(tmp_path / "k.key"))
    table = ("table", "--journal", database.application, "--key", str(tmp_path / "k.key"), "--anchor", anchor)
    first = sabot(*table, given="D1 sign_on\nD1 open_table\n")
    assert (first.code, first.error) == (0, "")
    second = sabot(*table, given="D1 sign_on\n")
    assert "D1 is signed on already" in second.out
    verified = sabot("journal", "verify", database.application, "--anchor", anchor, "--keys", f"{tmp_path}/k.key.ring")
    assert verified.code == 0, verified.out


def test_a_server_that_cannot_be_reached_is_one_clear_sentence() -> None:
    nowhere = "postgresql://nobody@127.0.0.1:1/none"
    for words in (("journal", "verify", nowhere), ("table", "--journal", nowhere)):
        assert_one_clear_sentence(sabot(*words))


def test_a_journal_on_a_server_is_rotated_by_its_owner_and_its_table_goes_on(
    tmp_path: Path, database: Database
) -> None:
    key, ring = str(tmp_path / "casino.key"), str(tmp_path / "casino.key.ring")
    sabot("keys", "new", key)

    def play(script: str) -> None:
        place = ("--journal", database.application, "--key", key, "--anchor", str(tmp_path / "floor.anchor"))
        ran = sabot("table", *place, given=script)
        assert (ran.code, ran.error) == (0, "")

    play(OPENING + COUP)
    refused = sabot("journal", "rotate", database.application, "--key", key)
    assert_one_clear_sentence(refused)
    assert "only the owner of its tables may" in refused.error
    for number in (1, 2):
        assert sabot("journal", "rotate", database.owner, "--key", key, "--json").json["part"] == number
        play(COUP.partition("\n")[2])
        found = sabot("journal", "verify", database.application, "--keys", ring, "--json")
        assert (found.code, found.json["standing"]) == (0, "proved")
        assert [one["number"] for one in found.json["parts"]] == [*range(1, number + 2)]
    archive = tmp_path / "archive"
    archive.mkdir()
    for number in (1, 2):
        words = ("journal", "unload", database.owner, str(archive / "floor.journal"), "--keys", ring, "--json")
        moved = sabot(*words, "--drop")
        assert (moved.code, moved.json["part"], moved.json["dropped"]) == (0, number, True), moved.error
        alone = sabot("journal", "verify", moved.json["file"], "--keys", ring, "--json")
        assert (alone.code, alone.json["standing"]) == (0, "proved")
    play(COUP.partition("\n")[2])
    found = sabot("journal", "verify", database.application, "--keys", ring, "--json")
    assert (found.json["standing"], found.json["problems"]) == ("not_proved", [])
    nothing = sabot(*words)
    assert_one_clear_sentence(nothing)
    assert "the journal has no sealed part here" in nothing.error
