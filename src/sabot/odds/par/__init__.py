"""PAR sheets: the probabilities and returns of a rule set, to hand to a test laboratory."""
