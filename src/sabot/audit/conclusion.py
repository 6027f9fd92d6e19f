"""Combines the findings of stretches into the proof of a stream.

Each stretch is proved on the condition that all records before it are right; the first has no condition. Where a
stretch is right and ends with the record that the next one begins behind, the next one's condition is met. So the first
problem in order is the first problem of the stream, and without any the stream is proved as if in one pass.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sabot.audit.agreement import NoteOnRecord, ScoreOnRecord, SlipOnRecord
from sabot.audit.chain import Chain, short_of
from sabot.audit.problem import Problem
from sabot.audit.shared_replay import HouseTicket
from sabot.audit.stretch import Finding
from sabot.journal.journal import SignedCheckpoint
from sabot.journal.record import Head, start_of
from sabot.table.accounts.state import TableTicket


class Proof(NamedTuple):
    """The result for a whole stream."""

    chain: Chain
    signed: frozenset[SignedCheckpoint]
    """The checkpoints signed by one of the keys that were tried."""
    replayed: int
    problem: Problem | None
    """The problem of its records' content."""
    issued: Mapping[str, TableTicket]
    registered: Mapping[str, HouseTicket]
    scored: list[ScoreOnRecord]
    notes: list[NoteOnRecord]
    slips: Mapping[str, SlipOnRecord]
    older: int
    """How many decisions of an earlier form were taken as recorded."""


def joined(end: Head, findings: Sequence[Finding]) -> Proof | None:
    """The proof of a stream up to its head; nothing where the stretches do not fit, so that one pass is needed.

    They do not fit where two of them read a record differently, where both hold one key, or where a stretch could not
    be reached over records that were proved. One pass then finds out what is wrong, if anything is.
    """
    chain = Chain(start_of(end.stream), {}, 0, [], None)
    replayed, wrong = 0, None
    keys: set[str] = set()
    signed: set[SignedCheckpoint] = set()
    scored: list[ScoreOnRecord] = []
    for one in findings:
        fits = one.before == chain.head and (one.believed or wrong is not None)
        if not fits or not keys.isdisjoint(one.keys):
            return None
        keys.update(one.keys)
        signed.update(one.signed)
        scored += one.scored
        hashes, owners, started = chain.hashes | one.hashes, chain.owners + one.owners, chain.started + one.started
        chain = Chain(one.head, hashes, owners, started, one.broken)
        if wrong is None:
            replayed, wrong = one.replayed, one.wrong
        if one.broken is not None:
            break
    problem = chain.problem or short_of(end, chain.head)
    chain = chain._replace(problem=problem)
    told = (one.issued, one.registered, scored, one.notes, one.slips, sum(each.older for each in findings))
    return Proof(chain, frozenset(signed), replayed, wrong or one.unbalanced, *told)
