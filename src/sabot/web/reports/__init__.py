"""Reports, records and figures of tables, made by a process of their own."""
