"""The durable record: append-only streams of hash-chained records, in memory, SQLite or PostgreSQL."""
