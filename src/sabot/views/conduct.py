"""Reminders of duties that the rules place on patrons and staff and no program can enforce (the DUTY clauses).

Only CROWN's document has such clauses.
"""

from sabot.table.configuration import Configuration
from sabot.views.message import ScreenMessage, say


def for_patrons(document: str, configuration: Configuration) -> tuple[ScreenMessage, ...]:
    """On the conduct page of every station."""
    if document != "CROWN":
        return ()
    return (
        say("duty_seat", "CROWN 4.4"),
        say("duty_harass", "CROWN 4.5"),
        say("duty_devices", "CROWN 13.1"),
        say("duty_influence", "CROWN 13.6"),
        say("duty_complaint", "CROWN 13.11", regulator=configuration.regulator_named),
        say("duty_side_bets", "CROWN 13.12"),
    )


def for_ticket_holders(document: str) -> tuple[ScreenMessage, ...]:
    """On a station that prints tickets, and on the ticket itself."""
    if document != "CROWN":
        return ()
    return (say("duty_ticket", "CROWN 6.7.2(a)"), say("ticket_lost", "CROWN 6.7.2(c)"))


def for_staff(document: str) -> tuple[ScreenMessage, ...]:
    """On the console's help page."""
    if document != "CROWN":
        return ()
    return (
        say("duty_no_advice", "CROWN 13.5"),
        say("duty_signs", "CROWN 5.1"),
        say("duty_penalty", "CROWN 5 footnote penalty"),
    )
