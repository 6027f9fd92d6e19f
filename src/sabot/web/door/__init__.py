"""The door of a process: who may connect, for how long, and how much of it each may use."""
