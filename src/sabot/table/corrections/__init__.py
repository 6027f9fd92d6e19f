"""Putting right what was settled on a wrong outcome."""
