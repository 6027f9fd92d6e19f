"""Devices of a table: note acceptors, ticket printers, card readers and scanning shoes, with their drivers."""
