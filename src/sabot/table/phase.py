"""The phases of a table, as one table of transitions.

A table is closed, between coups, or in a coup. In a coup wagering is open, or closed with no card dealt, or cards are
being dealt until the result is confirmed. Only events move it, and only as written here. An event that is not listed
for a phase leaves the phase alone. `decide` says what may be commanded in a phase. Two events go back instead of on:
`CardTakenBack`, when a coup's only card was never drawn, to no more bets, and `ResolutionTakenBack` to where the table
stood before the resolution. docs/table.md shows the diagram that `diagram` makes of it.
"""

import enum


class Phase(enum.StrEnum):
    CLOSED = "closed"
    BETWEEN_COUPS = "between_coups"
    WAGERING = "wagering"
    NO_MORE_BETS = "no_more_bets"
    DEALING = "dealing"


TRANSITIONS: dict[Phase, dict[str, Phase]] = {
    Phase.CLOSED: {
        "TableOpened": Phase.BETWEEN_COUPS,
    },
    Phase.BETWEEN_COUPS: {
        "WageringOpened": Phase.WAGERING,
        "DummyCoupDeclared": Phase.DEALING,
        "TableClosed": Phase.CLOSED,
    },
    Phase.WAGERING: {
        "WageringClosed": Phase.NO_MORE_BETS,
        "DummyCoupDeclared": Phase.DEALING,
        "CoupVoided": Phase.BETWEEN_COUPS,
    },
    Phase.NO_MORE_BETS: {
        "CardDealt": Phase.DEALING,
        "DummyCoupDeclared": Phase.DEALING,
        "CoupVoided": Phase.BETWEEN_COUPS,
    },
    Phase.DEALING: {
        "CoupDecided": Phase.BETWEEN_COUPS,
        "CoupVoided": Phase.BETWEEN_COUPS,
    },
}


def diagram() -> str:
    """The transitions as a Mermaid state diagram, for the documents."""
    lines = ["stateDiagram-v2", f"    [*] --> {Phase.CLOSED}"]
    lines += [f"    {phase} --> {to}: {event}" for phase, events in TRANSITIONS.items() for event, to in events.items()]
    return "\n".join(lines)
