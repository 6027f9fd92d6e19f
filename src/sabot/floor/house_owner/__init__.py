"""The owner of the house, sans-I/O: a time and a message go in, effects come out."""
