"""What programs of others rest on: the descriptions of HTTP and of the socket, and clients made from them."""
