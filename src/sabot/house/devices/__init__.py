"""Devices of the floor, each enrolled under a key of its own."""
