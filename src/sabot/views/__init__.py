"""What each audience sees of a table and of the floor, pure: station, console, display, floor; recall and reports."""
