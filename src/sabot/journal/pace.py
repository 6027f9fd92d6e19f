"""How soon one commit may follow another.

A commit costs the same for one touch as for twenty. What comes after a pause is committed at once; while there is much
to write, what comes within this time of the last commit's beginning is committed together. A file has a shorter time
than a database: there 3 ms took a quarter more CPU time a wager than 1 ms (`./sabot bench touch`, closed loop).
"""

FILE_PACE_S = 0.001
DATABASE_PACE_S = 0.003
