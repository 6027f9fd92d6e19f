"""The conditions of a tournament (CROWN 12.2.1): everything that its operator decides, as one value.

Money is in cents, credits in hundredths, times are local to the house (`2026-06-06T13:00`). A value of these types is
not checked yet: `tournament/conditions/check.py` says what is wrong with it, `tournament/conditions/file.py` reads one.
"""

import enum
from typing import Annotated

import msgspec

from sabot.rules.limits import Limits
from sabot.rules.rule_set import Bet

_Count = Annotated[int, msgspec.Meta(ge=0, le=10**6)]
Amount = Annotated[int, msgspec.Meta(ge=-(10**13), le=10**13)]
"""Cents or hundredths of a credit; the checks refuse what is below zero, each with its clause."""
LocalTime = Annotated[str, msgspec.Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}$")]
Text = dict[str, str]
"""A sentence in every language that the conditions are printed in: `en` and `zh` at least."""


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A part of the conditions: it never changes, and a key that it does not know is refused."""


class EachCoup(enum.StrEnum):
    """What an entrant must wager in each coup (CROWN 12.2.1(c))."""

    NONE = "none"
    MINIMUM = "minimum"
    """An entrant who wagers, wagers at least `credits` in all."""
    COMPULSORY = "compulsory"


class Missed(enum.StrEnum):
    """What follows from a compulsory wager that was not made (G-102)."""

    FORFEIT = "forfeit"
    WARNING = "warning"
    DISQUALIFICATION = "disqualification"


class WagersShownWhen(enum.StrEnum):
    AFTER_CLOSE = "after_close"
    AFTER_RESULT = "after_result"


class RoundKind(enum.StrEnum):
    ROUND = "round"
    REPECHAGE = "repechage"
    CATCH_UP = "catch_up"
    SECONDARY = "secondary"


class Balances(enum.StrEnum):
    """What becomes of the credits at the end of a round (CROWN 12.2.1(b))."""

    CANCELLED = "cancelled"
    CARRIED = "carried"
    CASH = "cash"


class ScoreRule(enum.StrEnum):
    BALANCE = "balance"
    TOTAL = "total"
    BEST = "best"


class TieBreak(enum.StrEnum):
    COUNT_BACK = "count_back"
    EARLIER_ROUNDS = "earlier_rounds"
    PLAY_OFF = "play_off"
    LOTS = "lots"


class PrizeTies(enum.StrEnum):
    SHARE = "share"
    TIE_BREAK = "tie_break"


class WildCardsBy(enum.StrEnum):
    SCORE = "score"
    DRAW = "draw"


class RetiredScore(enum.StrEnum):
    STANDS = "stands"
    ZERO = "zero"
    UNRANKED = "unranked"


class AbsentOutcome(enum.StrEnum):
    ELIMINATED = "eliminated"
    CATCH_UP = "catch_up"


class VoidCoups(enum.StrEnum):
    REPLAYED = "replayed"
    COUNTED = "counted"


class Interrupted(enum.StrEnum):
    """What becomes of a sitting that cannot go on at its table."""

    RESUME = "resume"
    REPLAY = "replay"
    STAND = "stand"


class AfterNextRound(enum.StrEnum):
    """What a correction does once the next round has begun (G-133)."""

    PLACES_STAND = "places_stand"
    ADDS_A_PLACE = "adds_a_place"


class ApprovalPart(_Part, frozen=True, kw_only=True):
    """The regulator's written approval, once there is one (CROWN 12.1.3). It approves nothing by itself."""

    reference: str = ""
    dated: str = ""
    by: str = ""


class DirectorPart(_Part, frozen=True, kw_only=True):
    person: str
    deputies: tuple[str, ...] = ()


class EntryPart(_Part, frozen=True, kw_only=True):
    fee_cents: Amount
    to_pool_cents: Amount = 0
    opens: LocalTime
    closes: LocalTime
    withdraw_free_until: LocalTime
    minimum_players: _Count
    maximum_players: _Count
    alternates: _Count = 0
    form: tuple[str, ...]
    terms: Text


class Criterion(_Part, frozen=True, kw_only=True):
    id: str
    text: Text


class EligibilityPart(_Part, frozen=True, kw_only=True):
    may_refuse: bool
    criteria: tuple[Criterion, ...] = ()


class GamePart(_Part, frozen=True, kw_only=True):
    rule_set: str
    decks: int
    options: dict[str, int] = {}
    side_bets: tuple[Bet, ...] = ()
    period_ms: int
    fresh_shoe: bool = False
    limits: dict[Bet, Limits]


class WagersPart(_Part, frozen=True, kw_only=True):
    each_coup: EachCoup
    credits: Amount = 0
    missed: Missed | None = None
    warnings: _Count = 0
    """So many warnings are given; the next miss disqualifies."""
    shown: WagersShownWhen = WagersShownWhen.AFTER_CLOSE
    hidden_last_coups: _Count = 0


class From(_Part, frozen=True, kw_only=True):
    """Where players of a round come from; one line says one way."""

    entrants: str = ""
    """`all`: everybody who entered."""
    round: str = ""
    top_per_table: _Count = 0
    top_overall: _Count = 0
    wild_cards: _Count = 0
    by: WildCardsBy | None = None
    bought_back_after: str = ""
    missed: str = ""
    """Those who were absent from this round."""
    eliminated_in: str = ""


class RoundPart(_Part, frozen=True, kw_only=True):
    name: str
    kind: RoundKind = RoundKind.ROUND
    from_: tuple[From, ...] = msgspec.field(name="from")
    sessions: _Count = 1
    tables: _Count
    seats: _Count
    coups: _Count | None = None
    minutes: _Count | None = None
    credit: Amount = 0
    buy_in_cents: Amount = 0
    balances: Balances
    starts: tuple[LocalTime, ...]


class PlayOffPart(_Part, frozen=True, kw_only=True):
    coups: _Count
    credit: Amount


class RankingPart(_Part, frozen=True, kw_only=True):
    score: ScoreRule
    tie_breaks: tuple[TieBreak, ...]
    play_off: PlayOffPart | None = None
    prize_ties: PrizeTies


class BuyBackPart(_Part, frozen=True, kw_only=True):
    allowed: bool
    after: str = ""
    into: str = ""
    each: _Count = 0
    in_all: _Count = 0
    price_cents: Amount = 0
    to_pool_cents: Amount = 0
    until_minutes_before: _Count = 0


class RetirementPart(_Part, frozen=True, kw_only=True):
    allowed: bool
    refund_percent: int = 0
    score: RetiredScore = RetiredScore.STANDS


class Ground(_Part, frozen=True, kw_only=True):
    """A ground of disqualification (CROWN 12.2.1(h))."""

    id: str
    text: Text
    refund_percent: int = 0


class LeavingPart(_Part, frozen=True, kw_only=True):
    retirement: RetirementPart
    grounds: tuple[Ground, ...]


class LatePart(_Part, frozen=True, kw_only=True):
    admitted: bool
    penalty_credits: Amount = 0
    """Taken off for each counted coup that was missed."""
    latest_coup: _Count | None = None
    """The last coup before which a late arrival is seated."""


class AbsentPart(_Part, frozen=True, kw_only=True):
    outcome: AbsentOutcome
    refund_percent: int = 0
    buy_in_refund_percent: int = 0


class AttendancePart(_Part, frozen=True, kw_only=True):
    grace_minutes: _Count = 0
    late: LatePart
    absent: AbsentPart


class SubstitutesPart(_Part, frozen=True, kw_only=True):
    allowed: bool
    latest_coup: _Count = 1


class ConductPart(_Part, frozen=True, kw_only=True):
    signature: bool
    substitutes: SubstitutesPart
    start_notice_minutes: _Count
    void_coups: VoidCoups
    interrupted: Interrupted
    after_next_round: AfterNextRound


class AccountsPart(_Part, frozen=True, kw_only=True):
    """Which clauses of rule 6 do not apply, or apply in another way (CROWN 12.2.2)."""

    excluded: tuple[str, ...] = ()
    modified: dict[str, Text] = {}


class PoolPart(_Part, frozen=True, kw_only=True):
    added_cents: Amount = 0
    guaranteed_cents: Amount = 0


class Prize(_Part, frozen=True, kw_only=True):
    place: _Count
    share: int | None = None
    """Per cent of the pool."""
    cents: Amount | None = None
    text: Text | None = None
    of: str = ""
    """The secondary round whose places it is for; the tournament's own unless given."""


class Conditions(_Part, frozen=True, kw_only=True):
    id: Annotated[str, msgspec.Meta(pattern=r"^[A-Z][A-Z0-9-]{0,19}$")]
    title: Text
    document: str
    statements: tuple[str, ...]
    prizes: tuple[Prize, ...]
    approval: ApprovalPart | None = None
    director: DirectorPart
    entry: EntryPart
    eligibility: EligibilityPart
    game: GamePart
    wagers: WagersPart
    rounds: tuple[RoundPart, ...]
    ranking: RankingPart
    buy_back: BuyBackPart
    leaving: LeavingPart
    attendance: AttendancePart
    conduct: ConductPart
    accounts: AccountsPart
    pool: PoolPart = PoolPart()

    def round(self, name: str) -> RoundPart:
        return next(one for one in self.rounds if one.name == name)
