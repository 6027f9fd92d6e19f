"""What each audience sees."""
