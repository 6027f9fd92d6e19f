"""What happened in a tournament, in plain words."""

from sabot.tournament import events as e


def sentence(event: e.TournamentEvent) -> str:
    """One sentence with its clause."""
    return f"{type(event).__name__} ({event.clause})"
