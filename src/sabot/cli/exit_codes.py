"""The exit codes of the commands, beside 0 and 1."""

WRONG_INPUT = 2
RECORDS_LOST = 70
"""A served floor ended because acknowledged records are gone from its journal; its keeper starts it again, and the
checks at the start decide."""
OUTPUT_FAILED = 74
INTERRUPTED = 130
"""Ctrl-C ended the work."""
