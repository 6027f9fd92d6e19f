"""What went wrong with the cards, and the lawful resolutions."""
