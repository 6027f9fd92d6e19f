"""What the web's tests share: the PostgreSQL server that the journal's tests use."""

from tests.journal.postgres.conftest import empty_database, own_server, server_dsn

__all__ = ["empty_database", "own_server", "server_dsn"]
