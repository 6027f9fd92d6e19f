"""The exact distribution of the next coup for any shoe, simulation of whole shoes, PAR sheets, integrity figures."""
