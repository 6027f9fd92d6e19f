"""A serving process: the floor's file, self-checks, start and stop."""
