"""Gaming days, and the papers that are put away when they are some days old."""
