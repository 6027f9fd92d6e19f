"""An append that the server rolled back for another's sake is repeated; distributed engines ask for it all the time."""

import asyncio

import asyncpg
import pytest

from sabot.journal.journal import Appended, AppendOutcome, Unknown
from sabot.journal.postgres import PostgresJournal
from sabot.journal.postgres_append_queue import MOST_TRIES
from sabot.journal.record import start_of
from tests.journal.entries import entry
from tests.journal.postgres.conftest import Database

REFUSES_AT_FIRST = """
CREATE SEQUENCE sabot.tried;
CREATE FUNCTION sabot.refuse_at_first() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    IF nextval('sabot.tried') <= {times} THEN
        RAISE EXCEPTION 'restart the transaction' USING ERRCODE = '{sqlstate}';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER refuse_at_first BEFORE INSERT ON sabot.record FOR EACH STATEMENT
    EXECUTE FUNCTION sabot.refuse_at_first();
"""


@pytest.mark.parametrize(
    ("times", "sqlstate", "outcome"),
    [
        (1, "40001", Appended),
        (MOST_TRIES, "40P01", Appended),
        (MOST_TRIES + 1, "40001", Unknown),
        (1, "40003", Unknown),
    ],
)
def test_what_was_rolled_back_is_written_again_and_what_is_in_doubt_is_not(
    database: Database, times: int, sqlstate: str, outcome: type[AppendOutcome]
) -> None:
    """Completion unknown (40003) is of the same class, and means the opposite."""

    async def test() -> None:
        admin = await asyncpg.connect(database.admin)
        await admin.execute(REFUSES_AT_FIRST.format(times=times, sqlstate=sqlstate))
        await admin.close()
        journal = await PostgresJournal.open(database.application)
        try:
            records = start_of("table/T1").then(1, [entry("a")])
            assert isinstance(await journal.append("table/T1", 0, records), outcome)
            assert (await journal.head("table/T1")).version == (outcome is Appended)
        finally:
            await journal.close()

    asyncio.run(test())
