"""The wire to the outside: pages, identities, sockets and routes, with Starlette."""
