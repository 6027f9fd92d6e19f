"""What went wrong, as a console shows it: facts, their lawful resolutions, and outcomes that can be put right."""

from itertools import islice

import msgspec

from sabot.rules.rule_set import IrregularityName
from sabot.table.irregularities.deciding import Resolution, resolutions
from sabot.table.irregularities.ways import FACTS
from sabot.table.sessions.standing import is_hidden_coup
from sabot.table.state import StatedFact, TableState

MOST_CORRECTABLE = 30
"""Of the coups that are listed with their cards; the number of an older one is typed."""


class FactKind(msgspec.Struct, frozen=True):
    kind: IrregularityName
    clause: str
    effect: str


class CoupOnRecord(msgspec.Struct, frozen=True):
    """A settled coup whose outcome may be put right, with the cards that were drawn in it, in shoe order."""

    coup: int
    cards: tuple[str, ...]


class TroubleShown(msgspec.Struct, frozen=True):
    """Irregularities: the facts that can be stated, the stated fact, and its lawful resolutions."""

    facts: tuple[FactKind, ...]
    stated: StatedFact | None
    resolutions: tuple[Resolution, ...]
    """Each with its clause, the card order and its effect on every account, to be seen before one is chosen."""
    hidden: bool
    """Whether no amounts are told before the result of the coup."""
    frozen: bool
    correctable: tuple[CoupOnRecord, ...]
    """While the accounts are frozen: the newest coups with their cards as they are on record, newest first."""
    correcting: int | None
    """The coup whose corrected outcome is still to be recalculated."""
    corrected_cards: tuple[str, ...]


def _correctable(state: TableState) -> tuple[CoupOnRecord, ...]:
    if state.frozen_at_ms is None:
        return ()
    newest = sorted(state.played, key=lambda played: played.coup, reverse=True)
    found = (one for one in newest if not one.invalid and not one.proved)
    return tuple(CoupOnRecord(one.coup, (*one.cards, *one.left_over)) for one in islice(found, MOST_CORRECTABLE))


def _resolutions(state: TableState) -> tuple[Resolution, ...]:
    """In a coup whose wagers are shown after its result only, no amounts are told before it."""
    ways = resolutions(state, state.fact) if state.fact else []
    hidden = is_hidden_coup(state)
    return tuple(msgspec.structs.replace(way, effects=()) if hidden else way for way in ways)


def trouble_of(state: TableState) -> TroubleShown:
    known = state.terms.rule_set.irregularities
    number, cards, _ = state.correction or (None, (), ())
    return TroubleShown(
        facts=tuple(FactKind(kind, one.clause, one.effect) for kind, one in known.items() if kind in FACTS),
        stated=state.fact,
        resolutions=_resolutions(state),
        hidden=is_hidden_coup(state),
        frozen=state.frozen_at_ms is not None,
        correctable=_correctable(state),
        correcting=number,
        corrected_cards=cards,
    )
