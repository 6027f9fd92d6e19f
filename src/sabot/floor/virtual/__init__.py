"""Virtual tables: shoe, dealer and robots."""
