"""Tables and house together. The running floor will live here; today it is the pit that one can talk to."""
