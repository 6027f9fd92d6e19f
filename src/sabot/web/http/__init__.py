"""HTTP: operations, routes, pages, monitoring."""
