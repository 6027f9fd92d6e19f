"""How a decision says no, by a clause of the table's own document or house rules."""

from sabot.basics.figures import figures_of, in_english
from sabot.table.refusal import Cause, Refused
from sabot.table.state import TableState


class No(Exception):
    """Raised inside a decision, and caught by `decide`, which turns it into a refusal."""

    def __init__(self, cause: Cause, *, clause: str | None = None, alarm: str | None = None, **figures: object) -> None:
        super().__init__(cause.name)
        self.cause, self.clause, self.alarm, self.figures = cause, clause, alarm, figures_of(figures)

    def citing(self, clause: str) -> Refused:
        text = in_english(self.cause.sentence, self.figures)
        return Refused(self.cause.code, clause, text, self.alarm, self.figures)


def refused(state: TableState, no: No) -> Refused:
    return no.citing(state.cites(no.clause or _clause(state, no.cause)))


def _clause(state: TableState, cause: Cause) -> str:
    """The clause of the document that the table plays by."""
    rule_set, elsewhere = state.terms.rule_set, cause.elsewhere
    if rule_set.document == "CROWN":
        return cause.crown
    if rule_set.house_rules is not None and elsewhere.startswith("G-") and elsewhere != "G-82":
        return cause.crown
    if elsewhere.startswith(" "):
        return rule_set.document + elsewhere
    if elsewhere == "{late}":
        return rule_set.late_wagers.placed_clause
    if elsewhere == "{bets}":
        return rule_set.bets[next(iter(rule_set.bets))].clause
    return elsewhere
