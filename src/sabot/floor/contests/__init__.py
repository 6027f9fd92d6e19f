"""A whole tournament played by robots, over the owners of a served floor: for its designer, and for the tests."""
