"""The server of a floor: HTTP, the socket, identities of devices and staff, and their protection."""
