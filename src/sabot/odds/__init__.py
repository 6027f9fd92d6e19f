"""The game studied: exact odds for any shoe, simulation, PAR sheets, and how a live table compares with them."""
