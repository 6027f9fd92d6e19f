"""A tournament under CROWN rule 12, pure: conditions, entry, seats, sessions, progress and prizes.

A tournament is a stream of its own. Its tables play sessions in credits, its money is in the house's ledger.
"""
