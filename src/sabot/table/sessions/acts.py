"""What a tournament has done at a table. All but the patron's agreement is carried by the floor.

Each order of the tournament names the number of its record there, `order`, so that a repetition changes nothing.
"""

from sabot.basics.act import Act
from sabot.basics.bounds import AmountSaid, CountSaid, NameSaid, TextSaid
from sabot.rules.limits import Limits
from sabot.rules.rule_set import Bet
from sabot.table.sessions.terms import SessionSeat, SessionTerms


class ReserveTable(Act, frozen=True, kw_only=True):
    """Close the table to cash play for a tournament (CROWN 12.3.2), and show the limits of its sessions."""

    tournament: NameSaid
    title: dict[NameSaid, NameSaid]
    limits: dict[Bet, Limits]


class ReleaseTable(Act, frozen=True, kw_only=True):
    """Open the table to cash play again."""

    tournament: NameSaid


class OpenSession(Act, frozen=True, kw_only=True):
    """Put the money aside, and seat the entrants with their credits."""

    terms: SessionTerms
    seats: dict[NameSaid, SessionSeat]
    """By station."""


class AdmitSeat(Act, frozen=True, kw_only=True):
    """Seat an entrant after the session was opened: a late arrival, an admitted place, or a substitute."""

    sitting: NameSaid
    order: CountSaid
    station: NameSaid
    seat: SessionSeat
    penalty: bool = False
    """Whether the coups that were missed cost credits (CROWN 12.2.1(i))."""


class AddCredits(Act, frozen=True, kw_only=True):
    sitting: NameSaid
    order: CountSaid
    station: NameSaid
    credits: AmountSaid


class CloseSeat(Act, frozen=True, kw_only=True):
    """End an entrant's play: retirement, disqualification or exclusion. Wagers of a running coup are settled first."""

    sitting: NameSaid
    order: CountSaid
    station: NameSaid
    reason: TextSaid


class AgreeToConclude(Act, frozen=True, kw_only=True):
    """A patron agrees that the session ends now (CROWN 12.3.5(b)); it lapses when wagering opens again (G-128)."""

    station: NameSaid = ""


class ConcludeSession(Act, frozen=True, kw_only=True):
    """Open no further wagering: the session ends before its time (CROWN 12.3.5)."""

    sitting: NameSaid
    order: CountSaid
    counted: CountSaid
    """The counted coups that the order rests on; another count refuses it."""
    by_agreement: bool = False


class EndSession(Act, frozen=True, kw_only=True):
    """Dispose of the credits as the conditions say, and bring the money back."""

    sitting: NameSaid
    order: CountSaid


TournamentOrder = (
    ReserveTable | ReleaseTable | OpenSession | AdmitSeat | AddCredits | CloseSeat | ConcludeSession | EndSession
)
"""What the floor carries from a tournament to its tables."""
