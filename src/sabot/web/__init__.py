"""The wire: HTTP and the socket, who is at the other end of them, and what protects them."""
