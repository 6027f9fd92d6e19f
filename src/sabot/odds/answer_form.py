"""The form in which odds are told; apart from the count, so that who only passes them on loads no arithmetic."""

import msgspec


class BetOddsAnswer(msgspec.Struct, frozen=True):
    """Fractions are written `num/den` in lowest terms; a positive edge favours the house."""

    win: str
    push: str
    lose: str
    house_edge: str
    house_edge_decimal: float
    house_edge_resolved: str | None
    """Null where the bet always pushes."""
    sd: float


class OddsAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """Counts are ordered sequences of six cards, as text, because many JSON readers keep numbers as doubles."""

    rule_set: str
    decks: int
    cards: int
    total: str
    outcomes: dict[str, str]
    bets: dict[str, BetOddsAnswer]
    covariance: dict[str, dict[str, str]] | None = None
    """By two bets, of the nets of a unit on each; every pair of bets once, and each bet with itself."""
    removal: dict[str, dict[str, str]] | None = None
    """By bet and card, the change in the expected net of a unit staked when one such card is removed."""
