"""How soon one commit may follow another, in a file and in a database.

A commit costs the same for one touch as for twenty. What comes after a pause is committed at once; while there is much
to write, what comes within this time of the last commit's beginning is committed together.

One table's next append comes only after its last is durable, so that a longer wait would bring it nothing: fifty
stations that touch as soon as they are answered cost a floor on PostgreSQL 45 µs of CPU time a wager with 3 ms and 34
µs with 1 ms, and it answered 7,400 and 21,000 touches a second. Where appends of several tables shared the last
commit, the next waits longer, since others will come. Forty tables of fifty stations at ten times the real pace, three
turns each: on PostgreSQL 246 µs a wager with 4 ms, 236 with 5 and 241 with 6, and on a file 289 with 4 and 277 with 6.
The slowest touch of a hundred takes 13, 14 and 15 ms with these, and 20 to 40 with 8.
"""

ALONE_PACE_S, SHARED_PACE_S = 0.001, 0.005
