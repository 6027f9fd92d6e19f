"""Faults of a station or of the game system."""
