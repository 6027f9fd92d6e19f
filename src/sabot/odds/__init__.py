"""The exact distribution of the next coup for any shoe, simulation of whole shoes, PAR sheets, integrity figures.

The names below are the public API for Python and notebooks; `docs/handbook/mathematician.md` explains them. What
stands in other modules may change from one release to the next.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sabot.odds.api import (
        Composition,
        Covariances,
        EdgesOverShoes,
        OddsArrays,
        OddsTable,
        ParSheet,
        Removals,
        RuleSet,
        Simulated,
        arrays,
        edges_over_shoes,
        examples,
        odds,
        par_sheet,
        read_rule_set,
        rule_set,
        rule_sets,
        shoe,
        simulate,
        unseen_before_coups,
        with_bet,
    )

__all__ = [
    "Composition",
    "Covariances",
    "EdgesOverShoes",
    "OddsArrays",
    "OddsTable",
    "ParSheet",
    "Removals",
    "RuleSet",
    "Simulated",
    "arrays",
    "edges_over_shoes",
    "examples",
    "odds",
    "par_sheet",
    "read_rule_set",
    "rule_set",
    "rule_sets",
    "shoe",
    "simulate",
    "unseen_before_coups",
    "with_bet",
]


if not TYPE_CHECKING:  # A type checker must find a name that is not there.

    def __getattr__(name: str) -> object:
        """Loads the API when it is used: many modules import a part of this room, and few need all of it."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from sabot.odds import api  # noqa: PLC0415  As the docstring says.

        return getattr(api, name)

    def __dir__() -> list[str]:
        return __all__
