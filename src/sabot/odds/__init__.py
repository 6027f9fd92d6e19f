"""Odds: the exact distribution of the next coup for any shoe, and simulation of whole shoes."""
