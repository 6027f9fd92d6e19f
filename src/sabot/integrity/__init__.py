"""Live integrity: what the records of a table show, held against an honest floor.

`seen.py` is what a record tells, `reading.py` folds a table's events into it. Each detector (`detector.py`) takes what
was seen and gathers evidence (`evidence.py`); `watch.py` has all detectors of a table, and `budget.py` shares out how
often an honest floor may raise an alarm. `trial/` plays honest nights and planted cheats through the same watch.
"""
