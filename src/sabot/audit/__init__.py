"""Verifies journals (chain, signatures, money, decisions) and reads them for reports, excerpts and copies."""
