"""The exit codes of the commands, beside 0 and 1."""

WRONG_INPUT = 2
OUTPUT_FAILED = 74
INTERRUPTED = 130
"""Ctrl-C ended the work."""
