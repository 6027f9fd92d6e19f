"""Draws: places, lots and wild cards, each by chance that nobody chooses and everybody can check (CROWN 12.1.1).

The edge draws a seed and publishes a commitment to it when the list of those to be drawn is closed. Then the Director
types what was drawn before witnesses. Neither side can steer the order: the seed was fixed before the words, and the
words are not known to who keeps the seed. The commitment binds the seed to one draw by its label, such as
`SPRING/heats`; so a seed serves no other draw. A decision works the order out again, and so does every replay.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from sabot.rules.cards import CARDS
from sabot.rules.chance import permuted, uniform
from sabot.rules.chance import words as stream_of
from sabot.tournament.events import Placed

SEED_BYTES = 32
FEWEST_WORDS = 6
"""Cards or digits."""
_COMMITMENT = b"\x02"
"""Tells this digest from those of a virtual shoe, whose leaves and nodes begin with 0 and 1."""


def commitment_of(seed: bytes, label: str) -> str:
    """What is published of the seed before the words are drawn."""
    return hashlib.sha256(_COMMITMENT + seed + label.encode()).hexdigest()


def words_are_enough(words: str) -> bool:
    """Whether at least six cards or digits are among the words; a number counts once for each of its digits."""
    return sum(1 if word in CARDS else _digits(word) for word in words.split()) >= FEWEST_WORDS


def drawn_order(seed: bytes, label: str, numbers: Collection[int], words: str) -> tuple[int, ...]:
    """The entrant numbers in the order of the draw; the order in which they are given plays no part."""
    rising = sorted(numbers)
    listed = hashlib.sha256(",".join(map(str, rising)).encode()).digest()
    entropy = seed + label.encode() + b"\x00" + listed + words.encode()
    return tuple(permuted(rising, uniform(stream_of(entropy))))


def places(
    order: Sequence[int], seats: int, sessions: int, stations: Mapping[str, Sequence[str]]
) -> tuple[Placed, ...]:
    """Where each of the drawn sits, in the order of the draw: sittings differ by one seat at most (G-121).

    There are as many sittings as the entrants need at `seats` each. The stations of each table are in their order, and
    so are the tables. Who draws more entrants than there are seats has checked it before.
    """
    sittings = list(_sittings(-(-len(order) // seats), sessions, list(stations)))
    return tuple(
        Placed(entrant, session, table, stations[table][j // len(sittings)])
        for j, entrant in enumerate(order)
        for session, table in (sittings[j % len(sittings)],)
    )


def sitting_sizes(entrants: int, seats: int, sessions: int) -> tuple[tuple[int, ...], ...]:
    """How many sit at each table, session by session; `places` deals out the same."""
    needed = -(-entrants // seats)
    sizes = iter([entrants // needed + (at < entrants % needed) for at in range(needed)] if needed else [])
    return tuple(tuple(next(sizes) for _ in range(tables)) for tables in _spread(needed, sessions))


def _sittings(needed: int, sessions: int, tables: Sequence[str]) -> Iterator[tuple[int, str]]:
    for session, count in enumerate(_spread(needed, sessions), 1):
        assert count <= len(tables), f"{count} tables are needed in a session and there are {len(tables)}"
        yield from ((session, table) for table in tables[:count])


def _spread(needed: int, sessions: int) -> Iterable[int]:
    """Sittings for each session, as even as they can be, more of them in earlier sessions."""
    return (needed // sessions + (session < needed % sessions) for session in range(sessions))


def _digits(word: str) -> int:
    return len(word) if word.isascii() and word.isdigit() else 0
