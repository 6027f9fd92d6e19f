"""The wire: HTTP and WebSocket, who may connect, and what each is told."""
