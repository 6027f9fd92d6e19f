"""The cards, from the count to the cutting card."""
