"""The socket of a device."""
