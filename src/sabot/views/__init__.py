"""The views of each audience, pure: station, console, display, floor; recall and reports."""
