"""A served floor, for the tests of every room that want one.

- `server.served`: a floor behind real sockets in the test's own process, on any journal; nobody is enrolled yet.
- `open_table.open_table`: the same with an open table, its dealer at a console, and stations of the client library.
- `process.serving`: `sabot serve` in a process of its own, from the file that `floor_file.staffed_floor` writes.
- `turned_clock`: the same by a clock that the test turns on, and `tournament_floor`: everybody of a tournament there.
- `identities.on_a_floor`: no server at all, but a clock to turn: signing on, enrolling, and what is remembered of it.
- `staff`: who works there, and their PINs. `device`: how a device is connected, or speaks frame by frame.
"""
