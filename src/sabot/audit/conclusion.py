"""The conclusion from stretches that were proved one by one, each under the condition that all before it is true.

The first stretch has nothing before it. Where a stretch holds, and ends with the very record that the next one begins
behind, the condition of the next one is met. So the first problem in order is the first problem of the stream; where
there is none, the stream is proved as if it had been gone through in one go.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sabot.audit.chain import Chain, short_of
from sabot.audit.problem import Problem
from sabot.audit.replay import HouseTicket
from sabot.audit.segment import Finding
from sabot.journal.journal import SignedCheckpoint
from sabot.journal.record import Head, start_of
from sabot.table.state import Ticket


class Proof(NamedTuple):
    """What is proved of a stream, and what is wrong with it."""

    chain: Chain
    signed: frozenset[SignedCheckpoint]
    """The checkpoints that were found signed by one of the keys that were tried."""
    replayed: int
    problem: Problem | None
    """What is wrong with what its records say."""
    issued: Mapping[str, Ticket]
    registered: Mapping[str, HouseTicket]


def joined(end: Head, findings: Sequence[Finding]) -> Proof | None:
    """The proof of a stream up to its head; nothing where the stretches do not fit, so that it must be done in one go.

    They do not fit where two of them read a record differently, where a key stands in both, or where records could not
    be believed that were proved. Going through all in one go then says what is wrong, if anything is.
    """
    chain = Chain(start_of(end.stream), {}, 0, [], None)
    replayed, wrong = 0, None
    keys: set[str] = set()
    signed: set[SignedCheckpoint] = set()
    for one in findings:
        fits = one.before == chain.head and (one.believed or wrong is not None)
        if not fits or not keys.isdisjoint(one.keys):
            return None
        keys.update(one.keys)
        signed.update(one.signed)
        hashes, owners, started = chain.hashes | one.hashes, chain.owners + one.owners, chain.started + one.started
        chain = Chain(one.head, hashes, owners, started, one.broken)
        if wrong is None:
            replayed, wrong = one.replayed, one.wrong
        if one.broken is not None:
            break
    problem = chain.problem or short_of(end, chain.head)
    chain = chain._replace(problem=problem)
    return Proof(chain, frozenset(signed), replayed, wrong or one.unbalanced, one.issued, one.registered)
