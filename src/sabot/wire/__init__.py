"""The words on the wire: every frame that a device and the floor exchange, read strictly and described for others."""
