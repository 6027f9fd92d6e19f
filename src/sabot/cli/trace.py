"""`sabot trace`: the clauses of the documents and the scenarios that prove them."""

from sabot.cli.arguments import Flag, Json


def trace(*clause: str, missing: Flag = False, summary: Flag = False, json: Json = False) -> int:
    """Show each clause of the five rule documents, the scenarios that prove it, and whether they passed.

        sabot trace

        sabot trace CROWN 10.1

        sabot trace G-50

        sabot trace --missing --json

        sabot trace --summary --json

    Proved: all its scenarios passed. By reading: they passed, but what they assert is said by one of our readings or by
    a house rule, since the document's words do not say it. Layout of our own: they passed, on a layout that we drew,
    since our copy lacks the document's picture. Failing: a scenario did not pass. Absent: what the clause demands is
    not built yet. The status is that of the last run of all scenarios, if it was of this exact program; otherwise they
    are run now.

    Parameters
    ----------
    clause
        A clause id or the beginning of one, such as CROWN 9, or one of our readings, such as G-18.
    missing
        Only clauses that fail or are absent.
    summary
        Only how many clauses have each status, by document.
    """
    from sabot.cli.trace_report import print_trace

    return print_trace(" ".join(clause), missing=missing, summary=summary, json=json)
