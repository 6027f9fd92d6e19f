"""Records of tables and the house: their form, and the way back from them to a state."""
