"""Reads journals and proves them: the chain, the signatures, the money, and that each record follows from the rules."""
