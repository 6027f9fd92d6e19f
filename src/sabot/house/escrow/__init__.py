"""Tickets in the escrow of a station's acceptor."""
