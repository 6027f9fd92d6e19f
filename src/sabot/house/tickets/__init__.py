"""Tickets, from the number that is kept for one to its end."""
