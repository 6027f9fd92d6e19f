"""Simulated nights at one table, honest or with a planted cheat, told as the records of a table are."""
