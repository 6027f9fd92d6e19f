"""Money in and out, and who sits where."""
