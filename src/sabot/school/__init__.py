"""The dealer school: lessons as data, what is staged, what is due by the table's own rules, and the marks for it."""
