"""Devices of a table: note acceptors, ticket printers and scanning shoes, with their drivers."""
