"""Alarms of the tables' integrity."""
