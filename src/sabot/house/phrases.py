"""The English sentences of the house's events, by the names of their classes, and of the parts of some."""

from typing import Final

PHRASES: Final[dict[str, str]] = {
    "HouseConfigured": "{by} sets the house up: days start at {gaming_day_starts} in {time_zone}, {validity}",
    "tickets_good_for": "tickets are good for {days} days",
    "tickets_stay_good": "tickets stay good",
    "TableEntered": "Table {table} is a table of the house",
    "TableBusy": "A coup has ended at {table}",
    "coup_begins": "A coup begins at {table}",
    "OptionOrdered": "{by} orders option {choice} of {option} for all tables",
    "OptionChanged": "All tables that offer it play {option} by option {choice}",
    "PersonAppointed": "{by} appoints {person} as {roles}",
    "role_named": "{role}",
    "PersonDismissed": "{by} dismisses {person}: {reason}",
    "PersonLockedOut": "ALARM: {person} is locked out{where}{how_long} after {failures} wrong PINs",
    "at_console": " at {console}",
    "for_minutes": " for {minutes} min",
    "SignOnAnnounced": "{person} signs on at {table} as {role}, sign-on {number}",
    "SignOffNoted": "{person} is not signed on at {table} any more, sign-on {number}",
    "PersonUnlocked": "{by} unlocks {person}: {reason}",
    "DeviceEnrolled": (
        "{by} and {second} enrol {device} as a {remote}{device_kind}{place}{other_places}, "
        "approved as {approval}, key {digest}…"
    ),
    "remote_device": "remote ",
    "place_of_station": " of station {station} at {table}",
    "other_place": ", station {station} at {table}",
    "place_of_table": " of {table}",
    "DeviceRevoked": "{by} revokes {device}: {reason}",
    "ExclusionMade": "{by} excludes patron {patron} from the house {until}: {reason}{by_source}",
    "for_good": "for good",
    "until_time": "until {until_ms} ms",
    "by_source": ", {source}",
    "PatronReadmitted": "{by} readmits patron {patron}: {reason}",
    "TicketRequested": "Number {ticket} is kept for a ticket of {station} at {table}",
    "TicketRegistered": "Ticket {ticket} of {table} for {cents} is registered",
    "TicketPrinted": "{by} has printed ticket {ticket}",
    "TicketClosedToTheCage": "Ticket {ticket} was not printed, and the cage no longer pays it: {fault}",
    "TicketReleased": "Ticket {ticket} is released to {table} to be paid by hand, release {release}",
    "TicketReleaseEnded": "Release {release} of ticket {ticket} was handed back unpaid",
    "TicketSettledByHand": "Ticket {ticket} was paid by hand at its table",
    "TicketRedeemed": "{by} redeems ticket {ticket} for {cents}",
    "TicketVoided": "{by} and {second} void ticket {ticket} for {cents}: {reason}",
    "TicketReinstated": "{by} and {second} make ticket {ticket} good again: {reason}",
    "TicketExpired": "Ticket {ticket} for {cents} expires",
    "WrongNumberTried": "{by} presents a number that is no ticket's",
    "GuessingAlarmed": "ALARM: {by} has presented {tries} wrong numbers within ten minutes",
    "SlipRegistered": "Slip {slip} is registered: the cage is to pay {cents} to entrant {entrant}, {purpose}",
    "slip_to_be_taken": "Slip {slip} is registered: the cage is to take {cents} from entrant {entrant}, {purpose}",
    "SlipTaken": "{by} takes {cents} for slip {slip} in {tender}",
    "SlipPaid": "{by} and {second} pay {cents} for slip {slip}",
    "SlipCancelled": "Slip {slip} for {cents} is cancelled",
    "SlipHeld": "{by} holds slip {slip}: {reason}",
    "SlipReleased": "{by} releases slip {slip}: {reason}",
    "SlipForfeited": "{by} declares slip {slip} for {cents} forfeited: {reason}",
    "SlipExpired": "Slip {slip} for {cents} expires",
    "PoolRaised": "The house adds {cents} in all to the prizes of tournament {tournament}",
    "StakesSettled": "The house wins {amount_cents} in all of {sitting}",
    "stakes_lost": "The house loses {amount_cents} in all of {sitting}",
    "TournamentClosed": "The books of tournament {tournament} are closed, with fees of {fees_cents} earned",
    "PapersPutAway": "Tickets and slips that ended up to {date} are put away",
    "PapersRecalled": "Put before the house again: {papers}",
    "GamingDayOpened": "{by} opens gaming day {day}, {date}",
    "GamingDayClosed": (
        "{by} closes gaming day {day}, {date}: tickets issued {issued_cents}, paid {paid_cents}, "
        "by hand {by_hand_cents}, void {void_cents}, expired {expired_cents}, reinstated {reinstated_cents}, "
        "outstanding {outstanding_cents}; "
        "slips taken {slips_taken_cents}, paid {slips_paid_cents}, owed {slips_owed_cents}"
    ),
}
