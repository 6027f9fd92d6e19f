"""Slips by which tournaments and the cage pay each other, and the books of a tournament at the house."""
