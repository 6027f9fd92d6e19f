"""Faults planted on purpose, one small change each, to prove that the simulator sees them."""
