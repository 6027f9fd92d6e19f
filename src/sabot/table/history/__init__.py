"""What a table's state keeps of the past, what falls out of it, and how it is brought back."""
