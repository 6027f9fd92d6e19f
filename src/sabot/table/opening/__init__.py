"""Setting up, opening and closing a table."""
