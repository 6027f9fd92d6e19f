"""How a decision says no, and how that becomes a refusal with the clause of the table's own document."""

from sabot.basics.figures import figures_of, in_english
from sabot.table.refusal import Cause, Refused
from sabot.table.state import TableState


class No(Exception):
    """Raised inside a decision, and caught by `decide`, which turns it into a refusal."""

    def __init__(self, cause: Cause, *, clause: str | None = None, alarm: str | None = None, **figures: object) -> None:
        super().__init__(cause.name)
        self.cause, self.clause, self.alarm, self.figures = cause, clause, alarm, figures_of(figures)


def refused(state: TableState, no: No) -> Refused:
    text = in_english(no.cause.sentence, no.figures)
    return Refused(no.cause.code, no.clause or _clause(state, no.cause), text, no.alarm, no.figures)


def _clause(state: TableState, cause: Cause) -> str:
    """The clause of the document that the table plays by."""
    if state.terms is None or state.terms.rule_set.document == "CROWN":
        return cause.crown
    rule_set = state.terms.rule_set
    elsewhere = cause.elsewhere
    if elsewhere.startswith(" "):
        return rule_set.document + elsewhere
    if elsewhere == "{late}":
        return rule_set.late_wagers.placed_clause
    if elsewhere == "{bets}":
        return rule_set.bets[next(iter(rule_set.bets))].clause
    return elsewhere
