"""Planning, entry, presence and slips of a tournament."""
