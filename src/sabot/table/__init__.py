"""One gaming table, pure: commands, events, refusals, phases, decide and evolve."""
