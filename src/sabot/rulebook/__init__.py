"""The executable rulebook: every clause of the five documents, and the scenarios that prove them."""
