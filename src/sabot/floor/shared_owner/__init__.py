"""The owner of a stream that several processes write without a lease, sans-I/O: the house's, and each tournament's."""
