"""What a patron sees of the own play and sets for it: figures, limits, breaks, checks; and calls for an attendant."""
