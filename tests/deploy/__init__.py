"""The files for running a floor."""
