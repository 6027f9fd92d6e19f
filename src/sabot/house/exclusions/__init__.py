"""Patrons who may not play at any table of the house."""
