"""Tournament sessions at a table (CROWN rule 12): reserved, played in credits, with the money put aside meanwhile."""
