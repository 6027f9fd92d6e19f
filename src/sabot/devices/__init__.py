"""What is fitted to a table: note acceptors, ticket printers and scanning shoes, and how each is driven."""
