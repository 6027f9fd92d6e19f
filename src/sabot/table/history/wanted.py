"""What a decision needs of the past when the state does not hold it any more."""

from typing import Literal

import msgspec

from sabot.basics.bounds import AmountSaid, CountSaid, NameSaid, TimeTold

WantedKind = Literal["coup", "session", "patron", "won", "ticket", "buy_ins", "slip", "sitting"]
"""A coup, a control session, a patron's sessions, the coups since a time in which a patron had wagers, a ticket, the
buy-ins at a station, a slip, or a session of a tournament."""


class Wanted(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    kind: WantedKind
    number: CountSaid = 0
    """The coup or the control session."""
    name: NameSaid = ""
    """The patron, ticket, station, slip or sitting."""
    since_ms: TimeTold = 0
    """From when on coups count."""
    cents: AmountSaid = 0
    """The amount of the buy-ins."""
    tender: NameSaid = ""


class Elsewhere(Exception):
    """The act cannot be decided before this is brought back into the state; it is neither accepted nor refused."""

    def __init__(self, wanted: Wanted) -> None:
        super().__init__(str(wanted))
        self.wanted = wanted
