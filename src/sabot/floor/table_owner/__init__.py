"""The owner of one table, sans-I/O: a time and a message go in, effects come out."""
