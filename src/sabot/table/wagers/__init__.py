"""What a station does with its wagers."""
