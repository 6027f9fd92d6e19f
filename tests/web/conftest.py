"""What the web's tests share: the PostgreSQL server that the journal's tests use."""

from tests.journal.postgres.conftest import database, empty_database, migrated_template, own_server, server_dsn

__all__ = ["database", "empty_database", "migrated_template", "own_server", "server_dsn"]
