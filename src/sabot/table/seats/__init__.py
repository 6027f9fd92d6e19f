"""Seats: stations out of service, patrons who are moved, and seats that are taken back."""
