"""What happened in a tournament, in plain words."""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from sabot.basics.money import write_amount
from sabot.basics.role import Role
from sabot.tournament import events as e


def sentence(event: e.TournamentEvent) -> str:
    """One sentence with its clause."""
    return f"{_TOLD[type(event)](event)} ({event.clause})"


def _listed(items: Iterable[object]) -> str:
    """`1, 2 and 3`, or `nobody`."""
    *most, last = [str(item) for item in items] or ["nobody"]
    return f"{', '.join(most)} and {last}" if most else last


def _giver(by: str) -> str:
    return "The clock" if by == Role.CLOCK else by


def _because(reason: str) -> str:
    return f": {reason}" if reason else ""


def _moment(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _parts(parts: Mapping[str, int]) -> str:
    return _listed(f"{write_amount(cents)} {account.replace('_', ' ')}" for account, cents in parts.items())


def _seats(one: e.SittingCalled) -> str:
    seated = ", ".join(
        f"entrant {seat.entrant} at {station} with {write_amount(seat.credit)}" + ("" if seat.present else " (absent)")
        for station, seat in one.seats.items()
    )
    return f"{one.table} seats {seated or 'nobody'}"


def _bounds(bounds: Mapping[int, tuple[int, int]]) -> str:
    if not bounds:
        return ""
    reached = (
        f"entrant {entrant} from {write_amount(low)} to {write_amount(high)}" for entrant, (low, high) in bounds.items()
    )
    return f"; within reach: {', '.join(reached)}"


def _scores(event: e.ScoreNoted) -> str:
    if not event.scores:
        return ""
    newest = max(event.scores, key=lambda one: one.counted)
    told = ", ".join(f"entrant {entrant} has {write_amount(score)}" for entrant, score in newest.scores.items())
    return f": after coup {newest.counted} {told}"


def _through(through: Mapping[str, tuple[int, ...]]) -> str:
    return (
        "; ".join(f"entrants {_listed(entrants)} go to {name}" for name, entrants in through.items())
        or "nobody goes on"
    )


def _prize(one: e.PrizeAwarded) -> str:
    won = write_amount(one.cents) if one.cents else one.text.get("en", "")
    return f"place {one.place}{f' of {one.of}' if one.of else ''} to entrant {one.entrant}, {won}"


_PLANNED: dict[type[e.TournamentEvent], Callable[[Any], str]] = {
    e.TournamentCreated: lambda x: f"{x.by} plans tournament {x.tournament}, {x.name}",
    e.ConditionsSaved: lambda x: f"{x.by} saves version {x.version} of the conditions, digest {x.digest[:12]}…",
    e.DeputiesNamed: lambda x: (
        f"{x.by} names {x.person} as director in version {x.version} of the conditions, "
        + (f"with {_listed(x.deputies)} as deputies" if x.deputies else "without deputies")
    ),
    e.VersionWithdrawn: lambda x: f"{x.by} withdraws version {x.version} of the conditions",
    e.ConditionsApproved: lambda x: (
        f"{x.by} and {x.second} record the approval {x.reference} of version {x.version} of the conditions"
        + (f", dated {x.dated}" if x.dated else "")
        + f", digest {x.digest[:12]}…"
    ),
    e.DirectorAppointed: lambda x: f"{x.by} appoints {x.director} as Tournament Director",
    e.EntryOpened: lambda x: f"{_giver(x.by)} opens entry",
    e.EntryClosed: lambda x: f"{_giver(x.by)} closes entry with {x.entered} entrants",
    e.EntryLapsed: lambda x: f"The entry of entrant {x.entrant} lapses",
    e.EntrantRegistered: lambda x: f"{x.by} registers {x.player} as entrant {x.entrant}",
    e.Waitlisted: lambda x: f"{x.by} puts {x.player}, entrant {x.entrant}, on the list of alternates as {x.waiting}",
    e.AlternateAdmitted: lambda x: f"Alternate {x.entrant} gets a place",
    e.EntrantEntered: lambda x: f"Entrant {x.entrant} owes nothing and has entered",
    e.ApplicationRefused: lambda x: (
        f"{x.by} refuses {x.player}" + (f" by the criterion {x.criterion}" if x.criterion else "") + _because(x.reason)
    ),
    e.EntrantWithdrawn: lambda x: (
        f"Entrant {x.entrant} withdraws and is given back {write_amount(x.refund_cents)}"
        if x.refund_cents
        else f"Entrant {x.entrant} withdraws; nothing is given back"
    ),
    e.SignaturesRequired: lambda x: f"{x.by} {'requires' if x.on else 'requires no'} signatures",
    e.EntrantsBriefed: lambda x: f"{x.by} briefs entrants {_listed(x.entrants)} on version {x.version}",
    e.ConditionsSigned: lambda x: f"Entrant {x.entrant} signs version {x.version} of the conditions",
    e.SlipRaised: lambda x: (
        f"Slip {x.slip} for {write_amount(x.cents)} is to be {'taken from' if x.direction == 'take' else 'paid to'} "
        f"{x.player}, entrant {x.entrant}: {x.purpose.replace('_', ' ')}"
        + (f" of {x.of}" if x.of else "")
        + f", {_parts(x.parts)}"
    ),
    e.SlipWithdrawn: lambda x: f"Slip {x.slip} is not wanted any more",
    e.SlipNoted: lambda x: f"The house reports slip {x.slip} as {x.settled}" + (f" in {x.tender}" if x.tender else ""),
    e.DirectorPresent: lambda x: f"{x.person} is present as Director",
    e.DirectorAway: lambda x: f"{x.person} is no longer present",
    e.TablesDesignated: lambda x: f"{x.by} designates {_listed(x.tables)}",
    e.TablesReleased: lambda x: f"{x.by} releases {_listed(x.tables)}",
    e.TableNoted: lambda x: f"Table {x.table} is {x.state}{_because(x.why)}",
}

_PLAYED: dict[type[e.TournamentEvent], Callable[[Any], str]] = {
    e.DrawCommitted: lambda x: f"The draw {x.draw} is committed as {x.commitment[:12]}…",
    e.SeatsDrawn: lambda x: (
        f"{x.by} draws the seats of {x.round} with the words {x.words}: "
        + ", ".join(f"entrant {one.entrant} to {one.table}/{one.station} in session {one.session}" for one in x.places)
    ),
    e.StartAltered: lambda x: f"{x.by} moves session {x.session} of {x.round} to {_moment(x.to_ms)}",
    e.SessionCalled: lambda x: (
        f"{x.by} calls session {x.session} of {x.round} by version {x.version}: {'; '.join(map(_seats, x.sittings))}"
    ),
    e.SittingNoted: lambda x: f"The sitting {x.sitting} at {x.table} is {x.state}{_because(x.why)}",
    e.ScoreNoted: lambda x: (
        f"The sitting {x.sitting} has counted {x.counted} coups"
        + (f" and has {x.left} left" if x.left is not None else "")
        + _scores(x)
    ),
    e.SessionEnded: lambda x: f"Session {x.session} of {x.round} has ended",
    e.ArrivalRecorded: lambda x: f"Entrant {x.entrant} arrives{' late' if x.late else ''}",
    e.EntrantAbsent: lambda x: (
        f"Entrant {x.entrant} is absent from {x.round}; the outcome is {x.outcome.replace('_', ' ')}"
    ),
    e.SubstituteApproved: lambda x: f"{x.by} lets {x.substitute} play for entrant {x.entrant} to the end of {x.until}",
    e.SubstituteRefused: lambda x: (
        f"{x.by} does not let {x.substitute} play for entrant {x.entrant}{_because(x.reason)}"
    ),
    e.EntrantRetired: lambda x: f"Entrant {x.entrant} retires{_because(x.reason)}",
    e.EntrantDisqualified: lambda x: f"{x.by} disqualifies entrant {x.entrant} for {x.ground}{_because(x.reason)}",
    e.EntrantExcluded: lambda x: f"{x.player}, entrant {x.entrant}, is excluded and out{_because(x.reason)}",
    e.ConclusionOrdered: lambda x: (
        f"{x.by} concludes {x.sitting} after {x.counted} coups"
        + (", as all its players agree" if x.by_agreement else "")
        + _because(x.reason)
        + _bounds(x.bounds)
    ),
    e.ClosingOrdered: lambda x: f"{x.by} closes {_listed(x.sittings)}",
    e.SittingAbandoned: lambda x: (
        f"{x.by} and {x.second} abandon {x.sitting}{_because(x.reason)}; "
        + (f"to {x.outcome} as {x.moved_to.sitting}" if x.moved_to else f"it is to {x.outcome}")
    ),
    e.TieFound: lambda x: (
        f"Entrants {_listed(x.entrants)} of {x.round} are equal at a cut that lets {x.places} through; "
        f"play-off {x.play_off} is due"
    ),
    e.TieBroken: lambda x: (
        (
            f"Wild cards of {x.round} are drawn"
            if x.how == "wild_cards"
            else f"The tie in {x.round} is broken by {x.how.replace('_', ' ')}"
        )
        + f" in the order {', '.join(map(str, x.entrants))}"
        + (f", with the words {x.words}" if x.words else "")
    ),
    e.RoundConfirmed: lambda x: f"{x.by} confirms {x.round}: {_through(x.through)}; out: {_listed(x.eliminated)}",
    e.RoundReopened: lambda x: f"{x.by} and {x.second} reopen {x.round}{_because(x.reason)}",
    e.PlaceAdmitted: lambda x: (
        f"{x.by} admits entrant {x.entrant} to {x.round} at {x.table}/{x.station} with {write_amount(x.credit)}"
        + _because(x.reason)
    ),
    e.BuyBackAsked: lambda x: f"Entrant {x.entrant} asks to buy back",
    e.BoughtBack: lambda x: f"Entrant {x.entrant} has bought back into {x.into}",
    e.PrizesAwarded: lambda x: (
        f"{x.by} and {x.second} award the prizes of a pool of {write_amount(x.pool_cents)}"
        + (f", to which the house adds {write_amount(x.house_adds_cents)}" if x.house_adds_cents else "")
        + "".join(f"; {_prize(one)}" for one in x.prizes)
    ),
    e.StakesDue: lambda x: (
        f"The house {'wins' if x.won_cents >= 0 else 'loses'} {write_amount(abs(x.won_cents))} in {x.sitting}"
    ),
    e.TournamentCancelled: lambda x: f"{x.by} and {x.second} cancel the tournament{_because(x.reason)}",
    e.BooksClosed: lambda x: f"{x.by} closes the books of the tournament",
}
_TOLD = {**_PLANNED, **_PLAYED}
