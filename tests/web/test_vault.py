"""The vault in both kinds of store, and what each refuses to be."""

import asyncio
import os
import resource
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import apsw
import asyncpg
import pytest

from sabot.journal.journal import Unusable
from sabot.web.identity import vault_postgres, vault_sqlite
from sabot.web.identity.vault import Unavailable, Vault
from sabot.web.identity.vault_tables import FORM
from tests.journal.postgres.conftest import Database
from tests.web.vault_contract import VaultContract


class TestSqliteVault(VaultContract):
    @pytest.fixture(autouse=True)
    def _file(self, tmp_path: Path) -> None:
        self.path = tmp_path / "vault"

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Vault]:
        async with vault_sqlite.open_vault(self.path) as vault:
            yield vault

    def test_only_its_owner_can_read_it_and_what_lies_beside_it(self) -> None:
        async def test(vault: Vault) -> None:
            await vault.set_pin("CS1", "one")
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in self.path.parent.iterdir()}
            assert set(modes) == {"vault", "vault-wal", "vault-shm"}
            assert set(modes.values()) == {0o600}

        before = os.umask(0)
        try:
            self.run(test)
        finally:
            os.umask(before)

    def test_a_file_that_others_can_read_is_refused(self) -> None:
        self.path.touch(mode=0o640)
        with pytest.raises(Unusable, match="can be read by others"):
            vault_sqlite.open_vault(self.path)

    def test_after_a_failure_of_the_disk_it_goes_on_by_itself(self) -> None:
        async def test(vault: Vault) -> None:
            await vault.set_pin("CS1", "one")
            soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
            try:
                for _ in range(2):
                    with pytest.raises(Unavailable):
                        await vault.set_pin("CS1", "two")
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            assert await vault.pin_of("CS1") == "one"
            await vault.set_pin("CS1", "three")
            assert await vault.pin_of("CS1") == "three"

        self.run(test)

    def test_a_database_of_another_kind_is_refused_and_left_alone(self) -> None:
        with apsw.Connection(str(self.path)) as db:
            db.execute("CREATE TABLE record (body TEXT)")
        db.close()
        self.path.chmod(0o600)
        with pytest.raises(Unusable, match="not a vault"):
            vault_sqlite.open_vault(self.path)
        with apsw.Connection(str(self.path)) as db:
            assert [name for (name,) in db.execute("SELECT name FROM sqlite_schema")] == ["record"]
        db.close()

    def test_what_is_no_database_is_refused(self) -> None:
        self.path.write_bytes(b"no database at all, but long enough to be looked at" * 20)
        self.path.chmod(0o600)
        with pytest.raises(Unusable, match="not a vault"):
            vault_sqlite.open_vault(self.path)
        with pytest.raises(Unusable, match="cannot be opened"):
            vault_sqlite.open_vault(self.path / "nowhere")

    def test_a_vault_of_a_newer_program_is_refused_and_left_alone(self) -> None:
        with apsw.Connection(str(self.path)) as db:
            db.pragma("application_id", vault_sqlite.APPLICATION)
            db.pragma("user_version", FORM + 1)
        db.close()
        self.path.chmod(0o600)
        before = self.path.read_bytes()
        with pytest.raises(Unusable, match=f"it has form {FORM + 1}, and this program knows none above {FORM}"):
            vault_sqlite.open_vault(self.path)
        assert self.path.read_bytes() == before

    def test_a_vault_of_the_first_release_opens_with_what_it_holds(self) -> None:
        async def test(vault: Vault) -> None:
            await vault.set_pin("CS1", "one")

        self.run(test)
        with apsw.Connection(str(self.path)) as db:
            db.pragma("user_version", 0)
        db.close()

        async def again(vault: Vault) -> None:
            assert await vault.pin_of("CS1") == "one"

        self.run(again)


class TestPostgresVault(VaultContract):
    @pytest.fixture(autouse=True)
    def _database(self, empty_database: Database) -> None:
        self.database = empty_database
        asyncio.run(vault_postgres.make_tables(empty_database.owner))

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Vault]:
        async with await vault_postgres.open_vault(self.database.application) as vault:
            yield vault

    def test_making_the_tables_again_changes_nothing(self) -> None:
        async def test(vault: Vault) -> None:
            await vault.set_pin("CS1", "one")
            await vault_postgres.make_tables(self.database.owner)
            assert await vault.pin_of("CS1") == "one"

        self.run(test)

    def test_a_vault_of_another_form_is_refused_and_one_of_the_first_release_is_made_anew(self) -> None:
        async def name(form: int | None) -> None:
            link = await asyncpg.connect(self.database.owner)
            await link.execute(f"SET search_path TO {vault_postgres.SCHEMA}")
            await (
                link.execute("DROP TABLE vault_form")
                if form is None
                else link.execute("UPDATE vault_form SET number = $1", form)
            )
            await link.close()

        async def test(vault: Vault) -> None:
            await vault.set_pin("CS1", "one")
            await name(FORM + 1)
            with pytest.raises(Unusable, match="made by a newer program"):
                await vault_postgres.open_vault(self.database.application)
            with pytest.raises(Unusable, match="made by a newer program"):
                await vault_postgres.make_tables(self.database.owner)
            await name(None)
            with pytest.raises(Unusable, match="make its tables anew"):
                await vault_postgres.open_vault(self.database.application)
            await vault_postgres.make_tables(self.database.owner)
            async with await vault_postgres.open_vault(self.database.application) as later:
                assert await later.pin_of("CS1") == "one"

        self.run(test)

    def test_a_database_that_went_away_is_unavailable(self, server_dsn: str) -> None:
        async def test(vault: Vault) -> None:
            await vault.set_pin("CS1", "one")
            link = await asyncpg.connect(server_dsn)
            await link.execute(f"ALTER DATABASE {self.database.name} WITH ALLOW_CONNECTIONS false")
            await link.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", self.database.name
            )
            await link.close()
            for _ in range(2):  # First the connection that broke, then one that is not let in.
                with pytest.raises(Unavailable):
                    await vault.pin_of("CS1")

        self.run(test)


def test_a_database_without_the_tables_is_no_vault(empty_database: Database) -> None:
    with pytest.raises(Unusable, match="holds no vault"):
        asyncio.run(vault_postgres.open_vault(empty_database.application))


def test_a_vault_that_lacks_tables_of_this_program_is_told_to_be_made_anew(empty_database: Database) -> None:
    async def of_an_earlier_program() -> None:
        await vault_postgres.make_tables(empty_database.owner)
        link = await asyncpg.connect(empty_database.owner)
        await link.execute("DROP TABLE sabot_vault.unlocking; DROP TABLE sabot_vault.vault_form")
        await link.close()
        with pytest.raises(Unusable, match="has form 1 and this program needs 2: make its tables anew"):
            await vault_postgres.open_vault(empty_database.application)
        await vault_postgres.make_tables(empty_database.owner)
        async with await vault_postgres.open_vault(empty_database.application) as vault:
            assert await vault.take_unlockings(0) == []

    asyncio.run(of_an_earlier_program())
