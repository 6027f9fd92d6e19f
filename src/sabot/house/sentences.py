"""The house's events in plain words, and as phrases for every language of the pages."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from sabot.basics.phrase import Phrase, either, in_english, listed, part, phrase, with_clause
from sabot.basics.phrase import of as sentence_of
from sabot.house import events as e
from sabot.house.phrases import PHRASES
from sabot.house.state import SlipDirection


def told(event: e.HouseEvent) -> Phrase:
    """What happened, with the clause where there is one."""
    return with_clause(_TOLD.get(type(event), _of)(event), getattr(event, "clause", None))


def sentence(event: e.HouseEvent) -> str:
    """The same in one English sentence."""
    return in_english(told(event), PHRASES)


def _of(event: e.HouseEvent, **values: str | int | Phrase) -> Phrase:
    return sentence_of(event, PHRASES, **values)


def _locked_out(x: e.PersonLockedOut) -> Phrase:
    minutes = 0 if x.until_ms is None else (x.until_ms - x.at_ms) // 60_000
    return _of(
        x,
        where=part(x.console, "at_console", console=x.console),
        how_long=part(x.until_ms is not None, "for_minutes", minutes=minutes),
    )


def _enrolled(x: e.DeviceEnrolled) -> Phrase:
    place = "place_of_station" if x.station else "place_of_table"
    return _of(
        x,
        remote=part(x.remote, "remote_device"),
        device_kind=x.kind.replace("_", " "),
        place=part(x.table, place, table=x.table, station=x.station),
        other_places=listed(
            (phrase("other_place", table=table, station=station) for table, station in x.places.items()),
            *("joined", "nothing_at_all"),
        ),
        digest=x.key[:12],
    )


def _light(x: e.LightRaised | e.LightSeenTo) -> Phrase:
    code = f"light_{x.kind}" if f"light_{x.kind}" in PHRASES else "light_other"
    return _of(x, light=phrase(code, kind=x.kind.replace("_", " "), subject=x.subject))


def _excluded(x: e.ExclusionMade) -> Phrase:
    until = phrase("for_good") if x.until_ms is None else phrase("until_time", until_ms=x.until_ms)
    return _of(x, until=until, by_source=part(x.source, "by_source", source=x.source))


def _set_up(x: e.HouseConfigured) -> Phrase:
    days = x.ticket_validity_days
    return _of(x, validity=phrase("tickets_good_for", days=days) if days else phrase("tickets_stay_good"))


_TOLD: dict[type[e.HouseEvent], Callable[[Any], Phrase]] = {
    e.HouseConfigured: _set_up,
    e.TableBusy: lambda x: either(_of(x), x.busy, "coup_begins"),
    e.PersonAppointed: lambda x: _of(
        x, roles=listed((phrase("role_named", role=role.in_words) for role in x.roles), "and_all")
    ),
    e.PersonLockedOut: _locked_out,
    e.LightRaised: _light,
    e.LightSeenTo: _light,
    e.ServiceMade: lambda x: _of(x, scopes=listed((phrase(f"scope_{scope.value}") for scope in x.scopes), "and_all")),
    e.SignOnAnnounced: lambda x: _of(x, role=x.role.in_words),
    e.DeviceEnrolled: _enrolled,
    e.ExclusionMade: _excluded,
    e.SlipRegistered: lambda x: either(
        _of(x, purpose=x.purpose.replace("_", " ")), x.direction is SlipDirection.TAKE, "slip_to_be_taken"
    ),
    e.SlipTaken: lambda x: _of(x, tender=x.tender.replace("_", " ")),
    e.StakesSettled: lambda x: either(_of(x, amount_cents=abs(x.won_cents)), x.won_cents < 0, "stakes_lost"),
    e.PapersPutAway: lambda x: _of(x, date=str(date(1970, 1, 1) + timedelta(days=x.until_day))),
    e.PapersRecalled: lambda x: _of(x, papers=listed((*x.tickets, *x.slips), empty="nothing_at_all")),
}
