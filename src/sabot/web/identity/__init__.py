"""Identities of devices and staff: keys, PINs, sessions, the vault of secrets."""
