"""The client library: stations, consoles and displays over the wire, for robots, load tests and integrators."""
