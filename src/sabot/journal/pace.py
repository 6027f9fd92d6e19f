"""How soon one commit may follow another.

A commit costs the same for one touch as for twenty. What comes after a pause is committed at once; while there is much
to write, what comes within this time of the last commit's beginning is committed together.
"""

PACE_S = 0.003
