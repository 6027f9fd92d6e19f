"""Tests of what the wire carries: identities, routes, protection."""
