"""How a decision says no, by a clause of the table's own document or house rules."""

from functools import lru_cache

from sabot.basics.figures import figures_of, in_english
from sabot.basics.stamp import Withheld
from sabot.table.refusal import Cause, Refused
from sabot.table.state import TableState


class No(Exception):
    """Raised inside a decision, and caught by `decide`, which turns it into a refusal."""

    def __init__(self, cause: Cause, *, clause: str | None = None, alarm: str | None = None, **figures: object) -> None:
        super().__init__(cause)
        self.cause, self.clause, self.alarm = cause, clause, alarm
        self.figures = figures_of(figures) if figures else {}

    def citing(self, clause: str) -> Refused:
        if not self.figures:
            return _plain(self.cause, clause, self.alarm)
        text = in_english(self.cause.sentence, self.figures)
        return Refused(self.cause.code, clause, text, self.alarm, self.figures)


class NotGranted(No):
    """The same where the house has refused what the act needs, in the house's own words."""

    def __init__(self, cause: Cause, withheld: Withheld) -> None:
        super().__init__(cause, clause=withheld.clause)
        self._withheld = withheld

    def citing(self, clause: str) -> Refused:
        return Refused(self._withheld.code, clause, self._withheld.text, values=self._withheld.values)


@lru_cache(maxsize=512)
def _plain(cause: Cause, clause: str, alarm: str | None) -> Refused:
    """Cached, since every station is told the same where there are no figures."""
    return Refused(cause.code, clause, cause.sentence.format(), alarm)


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
