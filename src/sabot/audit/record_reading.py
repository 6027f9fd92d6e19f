"""What the records behind a place in a table's stream are read by, as it changes from record to record."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from sabot.audit.period_sum import PlayedTerms, SumPlace
from sabot.basics.role import Role
from sabot.rules.rule_set_file import write_rule_set
from sabot.table import events as e
from sabot.table.configuration import Configuration
from sabot.table.state import Unconfigured


class RecordReading:
    """What the records behind a place are read by, as it changes."""

    def __init__(self, at: SumPlace) -> None:
        self.version, self.at_ms, self._coup, self._coups = at.version, at.at_ms, at.coup, at.coups
        self._currency, self.time_zone, self.day_starts = at.currency, at.time_zone, at.day_starts
        self._stations = dict.fromkeys(at.stations)
        self.played_by, self.in_credits, self.rack_cents = at.played_by, at.in_credits, at.rack_cents
        self._signed_on: dict[str, Role] = dict(at.signed_on)
        self.metered = dict.fromkeys(at.metered)
        self.coup_dealer = at.coup_dealer
        self.seated: Mapping[str, str] = dict(at.seated)
        """The references of patrons, by station; it is replaced, never changed."""
        self.running = _running(at.dealer)

    @property
    def money_terms(self) -> PlayedTerms | None:
        """The terms of a coup that is settled for money; none while a session is on."""
        return None if self.in_credits else self.played_by

    def place(self) -> SumPlace:
        return SumPlace(
            version=self.version,
            at_ms=self.at_ms,
            coup=self._coup,
            coups=self._coups,
            currency=self._currency,
            time_zone=self.time_zone,
            day_starts=self.day_starts,
            stations=tuple(self._stations),
            played_by=self.played_by,
            signed_on=tuple(self._signed_on.items()),
            in_credits=self.in_credits,
            rack_cents=self.rack_cents,
            metered=tuple(self.metered),
            coup_dealer=self.coup_dealer,
            seated=tuple(sorted(self.seated.items())),
        )

    def take(self, event: e.Event) -> None:
        match event:
            case e.Configured():
                self._configured(event.configuration)
            case e.OptionTakenUp():
                assert self.played_by is not None
                options = {**dict(self.played_by.options), event.option: event.choice}
                self.played_by = msgspec.structs.replace(self.played_by, options=tuple(options.items()))
            case e.SessionOpened():
                self.in_credits = True
            case e.SessionClosed():
                self.in_credits = False
            case e.WageringOpened():
                self._coups, self.coup_dealer = event.coup, event.dealer
            case e.DummyCoupDeclared():
                if event.coup != self._coups:  # Its wagering was never opened.
                    self._coups, self.coup_dealer = event.coup, self.running.get("", "")
            case _:
                self._people_changed(event)

    def _people_changed(self, event: e.Event) -> None:
        match event:
            case e.SignedOn():
                self._signed_on[event.who] = event.role
                self._find_dealer()
            case e.SignedOff():
                self._signed_on.pop(event.who, None)
                self._find_dealer()
            case e.AccountOpened():
                self._seat({event.station: event.patron})
            case e.AccountClosed():
                self._seat({event.station: ""})
            case e.PatronMoved():
                self._seat({event.station: "", event.target: self.seated.get(event.station, "")})

    def _configured(self, wanted: Configuration) -> None:
        self._currency, self.time_zone = wanted.currency, wanted.time_zone
        self.day_starts = wanted.gaming_day_starts
        self._stations |= dict.fromkeys(wanted.stations)
        own = write_rule_set(wanted.own_rule_set) if wanted.own_rule_set else None
        self.played_by = PlayedTerms(wanted.rule_set, own, wanted.decks, tuple(wanted.options.items()))

    def _find_dealer(self) -> None:
        self.running = _running(Unconfigured(signed_on=self._signed_on).dealer)

    def _seat(self, changed: Mapping[str, str]) -> None:
        seated = {**self.seated, **changed}
        self.seated = {station: patron for station, patron in seated.items() if patron}

    def name_coup(self, events: Sequence[e.Event]) -> None:
        """A correction names an earlier coup; what follows it belongs to the newest."""
        named = _last_named(events)
        self._coup = max(self._coup, named)


def _running(dealer: str | None) -> Mapping[str, str]:
    """Who runs the game, by the place: there is one."""
    return {} if dealer is None else {"": dealer}


def _last_named(events: Sequence[e.Event]) -> int:
    named: Iterator[int] = (coup for event in reversed(events) if (coup := getattr(event, "coup", 0)))
    return next(named, 0)
