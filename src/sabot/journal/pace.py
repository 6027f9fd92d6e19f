"""How soon one commit may follow another.

A commit costs the same for one touch as for twenty. What comes after a pause is committed at once; while there is much
to write, what comes within this time of the last commit's beginning is committed together. A file has a shorter time
than a database: there 3 ms took a quarter more CPU time a wager than 1 ms (`./sabot bench touch`, closed loop).

Where appends of several tables shared the last commit of a file, the next waits longer, since others will come: with
4 ms for every commit, forty tables of fifty stations at ten times the real pace took 345 µs of CPU time a wager, with
1 ms 422 (one turn each). One table's next append comes only after its last is durable, so that a longer wait would
bring it nothing.
"""

FILE_PACE_S, SHARED_FILE_PACE_S = 0.001, 0.004
DATABASE_PACE_S = 0.003
