"""What happened in a tournament, in plain words."""

from sabot.basics.money import write_amount
from sabot.tournament import events as e


def sentence(event: e.TournamentEvent) -> str:
    """One sentence with its clause."""
    return f"{_told(event)} ({event.clause})"


def _told(event: e.TournamentEvent) -> str:
    match event:
        case e.TournamentCreated():
            return f"{event.by} plans the tournament {event.tournament}: {event.name}"
        case e.ConditionsSaved():
            figures = f"{write_amount(event.entry_fee_cents)} to enter, credit {event.starting_credit}"
            return f"Version {event.version} of the conditions is saved: {figures}, {event.coups} coups"
        case e.ConditionsApproved():
            return f"Version {event.version} of the conditions is approved: {event.reference}"
        case e.DirectorAppointed():
            return f"{event.director} is the Tournament Director of {event.tournament}"
        case e.EntrantRegistered():
            return f"Entrant {event.entrant} is registered for {write_amount(event.fee_cents)}"
    assert isinstance(event, e.SessionStarted)
    return f"Session {event.session} starts with {len(event.seats)} entrants and credit {event.credit} for each"
