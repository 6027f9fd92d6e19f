"""What goes between a table's stream and the house's."""
