"""Combines the findings of stretches into the proof of a stream.

Each stretch is proved on the condition that all records before it are right; the first has no condition. Where a
stretch is right and ends with the record that the next one begins behind, the next one's condition is met. So the first
problem in order is the first problem of the stream, and without any the stream is proved as if in one pass.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import NamedTuple

from sabot.audit.agreement import NoteOnRecord, ScoreOnRecord, SlipOnRecord
from sabot.audit.chain import Chain, short_of
from sabot.audit.checkpoint_check import CheckpointFinding
from sabot.audit.key_order import KeySpan, both, follows
from sabot.audit.problem import Problem
from sabot.audit.shared_replay import HouseTicket
from sabot.audit.stretch import Finding
from sabot.audit.tickets_in import CreditOnRecord, Escrows
from sabot.journal.record import Head
from sabot.table.accounts.state import TableTicket


class Proof(NamedTuple):
    """The result for a whole stream."""

    chain: Chain
    checkpoints: CheckpointFinding
    replayed: int
    problem: Problem | None
    """The problem of its records' content."""
    issued: Mapping[str, TableTicket]
    registered: Mapping[str, HouseTicket]
    scored: list[ScoreOnRecord]
    credited: list[CreditOnRecord]
    escrows: Escrows
    notes: list[NoteOnRecord]
    slips: Mapping[str, SlipOnRecord]
    named: tuple[str, ...]
    """The streams that the house knows of, in the proof of the house."""
    older: int
    """How many decisions of an earlier form were taken as recorded."""
    other_rule_sets: int
    """How often another program configured the table with a rule set of another digest than this program's."""


def joined(begin: Head, end: Head, findings: Sequence[Finding]) -> Proof | None:
    """The proof of a stream up to its head; nothing where the stretches do not fit, so that one pass is needed.

    `begin` is the start of the stream, or the record at which the first part opens that is here.

    They do not fit where two of them read a record differently, where both may hold one key, or where a stretch could
    not be reached over records that were proved. One pass then finds out what is wrong, if anything is.
    """
    chain = Chain(begin, {}, 0, (), None)
    replayed, wrong, keys = 0, None, KeySpan()
    scored: list[ScoreOnRecord] = []
    credited: list[CreditOnRecord] = []
    for one in findings:
        fits = one.before == chain.head and (one.believed or wrong is not None)
        if not fits or one.keys is None or not follows(keys, one.keys):
            return None
        keys = both(keys, one.keys, same_epoch=one.head.epoch == chain.head.epoch)
        scored += one.scored
        credited += one.credited
        hashes, owners = chain.hashes | one.hashes, chain.owners + one.owners
        chain = Chain(one.head, hashes, owners, tuple(dict.fromkeys((*chain.rings, *one.rings))), one.broken)
        if wrong is None:
            replayed, wrong = one.replayed, one.wrong
        if one.broken is not None:
            break
    checkpoints = reduce(CheckpointFinding.then, (each.checkpoints for each in findings))
    problem = chain.problem or short_of(end, chain.head)
    chain = chain._replace(problem=problem)
    told = (one.issued, one.registered, scored, credited, one.escrows, one.notes, one.slips, one.named)
    older = sum(each.older for each in findings)
    other = sum(each.other_rule_sets for each in findings)
    return Proof(chain, checkpoints, replayed, wrong or one.unbalanced, *told, older, other)
