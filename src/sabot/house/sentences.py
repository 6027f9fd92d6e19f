"""The house's events in plain words."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from sabot.basics.money import write_amount
from sabot.house import events as e
from sabot.house.state import SlipDirection


def sentence(event: e.HouseEvent) -> str:
    """What happened, in one sentence, with the clause where there is one."""
    told = _TOLD[type(event)](event)
    clause = getattr(event, "clause", None)
    return f"{told} ({clause})" if clause else told


def _locked_out(x: e.PersonLockedOut) -> str:
    where = f" at {x.console}" if x.console else ""
    how_long = "" if x.until_ms is None else f" for {(x.until_ms - x.at_ms) // 60_000} min"
    return f"ALARM: {x.person} is locked out{where}{how_long} after {x.failures} wrong PINs"


_TOLD: dict[type[e.HouseEvent], Callable[[Any], str]] = {
    e.HouseConfigured: lambda x: (
        f"{x.by} sets the house up: days start at {x.gaming_day_starts} in {x.time_zone}, "
        + (f"tickets are good for {x.ticket_validity_days} days" if x.ticket_validity_days else "tickets stay good")
    ),
    e.TableEntered: lambda x: f"Table {x.table} is a table of the house",
    e.TableBusy: lambda x: f"A coup {'begins' if x.busy else 'has ended'} at {x.table}",
    e.OptionOrdered: lambda x: f"{x.by} orders option {x.choice} of {x.option} for all tables",
    e.OptionChanged: lambda x: f"All tables that offer it play {x.option} by option {x.choice}",
    e.PersonAppointed: lambda x: f"{x.by} appoints {x.person} as {' and '.join(role.in_words for role in x.roles)}",
    e.PersonDismissed: lambda x: f"{x.by} dismisses {x.person}: {x.reason}",
    e.PersonLockedOut: _locked_out,
    e.SignOnAnnounced: lambda x: f"{x.person} signs on at {x.table} as {x.role.in_words}, sign-on {x.number}",
    e.SignOffNoted: lambda x: f"{x.person} is not signed on at {x.table} any more, sign-on {x.number}",
    e.PersonUnlocked: lambda x: f"{x.by} unlocks {x.person}: {x.reason}",
    e.DeviceEnrolled: lambda x: (
        f"{x.by} and {x.second} enrol {x.device} as a {'remote ' if x.remote else ''}{x.kind.replace('_', ' ')}"
        + (" of " if x.table else "")
        + (f"station {x.station} at " if x.station else "")
        + x.table
        + "".join(f", station {station} at {table}" for table, station in x.places.items())
        + f", approved as {x.approval}, key {x.key[:12]}…"
    ),
    e.DeviceRevoked: lambda x: f"{x.by} revokes {x.device}: {x.reason}",
    e.ExclusionMade: lambda x: (
        f"{x.by} excludes patron {x.patron} from the house "
        + ("for good" if x.until_ms is None else f"until {x.until_ms} ms")
        + f": {x.reason}"
        + (f", {x.source}" if x.source else "")
    ),
    e.PatronReadmitted: lambda x: f"{x.by} readmits patron {x.patron}: {x.reason}",
    e.TicketRequested: lambda x: f"Number {x.ticket} is kept for a ticket of {x.station} at {x.table}",
    e.TicketRegistered: lambda x: f"Ticket {x.ticket} of {x.table} for {write_amount(x.cents)} is registered",
    e.TicketPrinted: lambda x: f"{x.by} has printed ticket {x.ticket}",
    e.TicketClosedToTheCage: lambda x: f"Ticket {x.ticket} was not printed, and the cage no longer pays it: {x.fault}",
    e.TicketReleased: lambda x: f"Ticket {x.ticket} is released to {x.table} to be paid by hand, release {x.release}",
    e.TicketReleaseEnded: lambda x: f"Release {x.release} of ticket {x.ticket} was handed back unpaid",
    e.TicketSettledByHand: lambda x: f"Ticket {x.ticket} was paid by hand at its table",
    e.TicketRedeemed: lambda x: f"{x.by} redeems ticket {x.ticket} for {write_amount(x.cents)}",
    e.TicketVoided: lambda x: f"{x.by} and {x.second} void ticket {x.ticket} for {write_amount(x.cents)}: {x.reason}",
    e.TicketReinstated: lambda x: f"{x.by} and {x.second} make ticket {x.ticket} good again: {x.reason}",
    e.TicketExpired: lambda x: f"Ticket {x.ticket} for {write_amount(x.cents)} expires",
    e.WrongNumberTried: lambda x: f"{x.by} presents a number that is no ticket's",
    e.GuessingAlarmed: lambda x: f"ALARM: {x.by} has presented {x.tries} wrong numbers within ten minutes",
    e.SlipRegistered: lambda x: (
        f"Slip {x.slip} is registered: the cage is to {x.direction} {write_amount(x.cents)} "
        f"{'from' if x.direction is SlipDirection.TAKE else 'to'} entrant {x.entrant}, {x.purpose.replace('_', ' ')}"
    ),
    e.SlipTaken: lambda x: f"{x.by} takes {write_amount(x.cents)} for slip {x.slip} in {x.tender.replace('_', ' ')}",
    e.SlipPaid: lambda x: f"{x.by} and {x.second} pay {write_amount(x.cents)} for slip {x.slip}",
    e.SlipCancelled: lambda x: f"Slip {x.slip} for {write_amount(x.cents)} is cancelled",
    e.SlipHeld: lambda x: f"{x.by} holds slip {x.slip}: {x.reason}",
    e.SlipReleased: lambda x: f"{x.by} releases slip {x.slip}: {x.reason}",
    e.SlipForfeited: lambda x: f"{x.by} declares slip {x.slip} for {write_amount(x.cents)} forfeited: {x.reason}",
    e.SlipExpired: lambda x: f"Slip {x.slip} for {write_amount(x.cents)} expires",
    e.PoolRaised: lambda x: f"The house adds {write_amount(x.cents)} in all to the prizes of tournament {x.tournament}",
    e.StakesSettled: lambda x: (
        f"The house {'loses' if x.won_cents < 0 else 'wins'} {write_amount(abs(x.won_cents))} in all of {x.sitting}"
    ),
    e.TournamentClosed: lambda x: (
        f"The books of tournament {x.tournament} are closed, with fees of {write_amount(x.fees_cents)} earned"
    ),
    e.PapersPutAway: lambda x: (
        f"Tickets and slips that ended up to {date(1970, 1, 1) + timedelta(days=x.until_day)} are put away"
    ),
    e.PapersRecalled: lambda x: f"Put before the house again: {', '.join((*x.tickets, *x.slips))}",
    e.GamingDayOpened: lambda x: f"{x.by} opens gaming day {x.day}, {x.date}",
    e.GamingDayClosed: lambda x: (
        f"{x.by} closes gaming day {x.day}, {x.date}: tickets issued {write_amount(x.issued_cents)}, "
        f"paid {write_amount(x.paid_cents)}, by hand {write_amount(x.by_hand_cents)}, "
        f"void {write_amount(x.void_cents)}, expired {write_amount(x.expired_cents)}, "
        f"reinstated {write_amount(x.reinstated_cents)}, outstanding {write_amount(x.outstanding_cents)}; "
        f"slips taken {write_amount(x.slips_taken_cents)}, paid {write_amount(x.slips_paid_cents)}, "
        f"owed {write_amount(x.slips_owed_cents)}"
    ),
}
