"""The chips in the dealer's rack: fills, credits, and the count of the float."""
