"""Ranks, progress from round to round, and prizes."""
