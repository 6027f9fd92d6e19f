"""asyncio around owners: the tables of a process, the house, the views, the virtual dealer."""
