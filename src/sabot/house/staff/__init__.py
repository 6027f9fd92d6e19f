"""Who works in the house, in which roles, who is at work where, and who is locked out."""
