"""Signs: the limits that each location shows, and signs that are taken down."""
