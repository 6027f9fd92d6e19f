"""Refusals: when the rules say no. An ordered enumeration, in the order in which the checks come.

Each names the clause of CROWN, whose document says most, and what stands in its place under the other documents. That
is a clause of theirs, written with a leading blank for their prefix, or the reading by which they borrow CROWN's
procedure.
"""

import enum
from typing import NamedTuple

import msgspec

from sabot.basics.figures import Figure


class _Cause(NamedTuple):
    crown: str
    elsewhere: str
    sentence: str


class Cause(_Cause, enum.Enum):
    """Why a command is refused; the sentence's gaps are filled with the figures of the case."""

    # Who asks
    UNKNOWN_PERSON = ('CROWN 1.1 "Dealer"', "G-118", "{who} is not on the staff list as {role}")
    NOT_SIGNED_ON = ('CROWN 1.1 "Dealer"', "G-109", "{who} is not signed on at this table")
    SIGNED_ON_ALREADY = ('CROWN 1.1 "Dealer"', "G-109", "{who} is signed on already")
    WRONG_ROLE = ("CROWN 1.2", "G-118", "this is for a {needed}, not a {role}")
    OWN_DEALER = ('CROWN 1.1 "Casino Supervisor"', "G-99", "{who} is signed on as {role} of this table")
    NOT_THIS_STATION = ("CROWN 4.9", "G-07", "only station {station} itself can do this")
    NOT_ANNOUNCED = ("G-99", "G-99", "the house does not know yet that {who} signs on here; try again")
    SECOND_PERSON_DUE = ("G-99", "G-99", "nobody does this alone: name a second person, who is a {needed}")
    SAME_PERSON = ("G-99", "G-99", "{who} cannot approve what {who} does")
    SECOND_ROLE = (
        "G-99",
        "G-99",
        "{who} cannot approve this: the second person is a {needed}, and not the dealer here",
    )
    REASON_MISSING = ("CROWN 3.5.4", "G-118", "a reason is due")
    OUT_OF_RANGE = ("G-195", "G-195", "{field} lies outside what can be recorded: {least} to {most}")
    TIME_TOO_FAR = ("G-195", "G-195", "{field} is too far from now: it lies between {earliest_ms} and {latest_ms}")
    TOO_LONG = (
        "G-195",
        "G-195",
        "{field} has {found} characters or entries, and {most} can be recorded",
    )
    UNFIT_TEXT = ("G-195", "G-195", "{field} holds what cannot be recorded: {what}")
    # The state of the table
    TABLE_LOCKED = ("CROWN 1.6", "G-118", "the table is locked: {why}")
    NOT_LOCKED = ("CROWN 1.6", "G-153", "the table is not locked: ledger and meters agree")
    NOTHING_TO_BOOK = ("CROWN 1.6", "G-153", "ledger and meters do not disagree about {account}")
    NOT_BETWEEN = (
        "CROWN 1.6",
        "G-153",
        "what is paid to {station} by hand lies between the two figures, {least_cents} and {most_cents}",
    )
    TABLE_CLOSED = ("CROWN 2.2(c)", "G-118", "the table is not open")
    TABLE_OPEN = ("CROWN 2.2(c)", "G-118", "the table is open")
    CONFIGURATION = ("CROWN 2.2", "G-118", "{why}")
    COUP_IN_PROGRESS = ("CROWN 3.9.2", "G-29", "a coup is in progress")
    NO_DEALER = ('CROWN 1.1 "Dealer"', "G-109", "no dealer is signed on")
    CLOSING_TIME = ("CROWN 13.7", "G-101", "the table closes at its announced time; no further coup is opened")
    NOTICE_TOO_SHORT = (
        "{clause}",
        "{clause}",
        "the sign must be shown {minutes} minutes: the earliest time is {earliest_ms}",
    )
    SIGN_OF_NO_BET = ("CROWN 5.1", "G-39", "a sign of this kind is about no bet, and {bet} is named")
    NO_NOTICE = ("CROWN 5.1", "G-39", "no such sign waits to take effect")
    SIGN_CHANGED = ("CROWN 5.1", "G-39", "what {location} shows is no longer what is posted")
    STATIONS_OPEN = ("CROWN 13.7", "G-101", "accounts are open at {stations}; give notice of closure first")
    # Tournaments
    RESERVED = ("CROWN 12.3.2", "CROWN 12.3.2", "the table is reserved for tournament {tournament}")
    NOT_RESERVED = ("CROWN 12.3.1", "CROWN 12.3.1", "the table is not reserved for tournament {tournament}")
    ACCOUNTS_OPEN = ("CROWN 13.7", "G-101", "cash accounts are open: {stations}")
    UNEQUAL = ("CROWN 12.1.1", "CROWN 12.1.1", "entrants would not play on equal terms: {what}")
    SHOE_NOT_FRESH = ("CROWN 12.1.1", "CROWN 12.1.1", "a session begins with a new shoe")
    SIGN_DUE = (
        "CROWN 5 footnote s66(2)",
        "G-39",
        "the limits of the session are shown first: it opens at {from_ms} at the earliest",
    )
    NO_TOURNAMENT_SESSION = ("CROWN 12.3.2", "CROWN 12.3.2", "no such session is on at this table")
    SESSION_ON = ("CROWN 12.3.2", "CROWN 12.3.2", "session {sitting} is on")
    SITTING_OVER = (
        "CROWN 12.2.1(d)",
        "CROWN 12.2.1(d)",
        "no further coup is played in session {sitting}: {counted} counted",
    )
    DIRECTOR_AWAY = ("CROWN 12.2.5", "CROWN 12.2.5", "the Tournament Director is not present")
    RULE_6_EXCLUDED = ("CROWN 12.2.2", "CROWN 12.2.2", "not in this session: {why}")
    TOO_LATE = ("CROWN 12.2.1(i)", "CROWN 12.2.1(i)", "{counted} coups have counted, and coup {latest} is the latest")
    SEAT_CLOSED = ("CROWN 12.2.1(h)", "CROWN 12.2.1(h)", "nobody plays at seat {station} in this session any more")
    COUNT_MOVED = ("CROWN 12.3.5", "CROWN 12.3.5", "{counted} coups have counted, and the order rests on {ordered}")
    NOT_BY_AGREEMENT = (
        "CROWN 12.3.5(b)",
        "CROWN 12.3.5(b)",
        "only a session whose balances are paid in cash ends by agreement",
    )
    NOT_AGREED = ("CROWN 12.3.5(b)", "CROWN 12.3.5(b)", "not agreed by {stations}")
    AFTER_THE_SESSION = ("CROWN 11.11", "CROWN 11.11", "coup {coup} is put right when the session is over")
    # The shoe
    NO_SHOE = ("CROWN 2.2(e)", "G-29", "no shoe is in play: {why}")
    CARDS_NOT_CHECKED = ("CROWN 3.4", "G-29", "the cards have not been checked")
    NOT_SHUFFLED = ("CROWN 3.5.1", "G-29", "shuffle first")
    NOT_CUT = ("CROWN 3.7", "G-29", "cut first")
    NOT_BURNED = ("CROWN 3.8", "G-29", "burn first")
    BURNS_DUE = ("CROWN 3.8.2", "G-29", "cards still to be burned: {due}")
    SHOE_IN_PLAY = ("CROWN 3.9.4", "G-29", "the shoe is in play")
    COMMITMENT_MISSING = (
        "CROWN 3.5",
        "G-29",
        "a virtual shoe must publish a commitment to its order first: 64 hexadecimal digits",
    )
    NOT_PROVED = ("CROWN 3.5", "G-29", "{card} is not proved to be card {position} of this shoe: {why}")
    CARDS_COMMITTED = ("CROWN 3.5", "G-29", "each card of a virtual shoe is proved: {what}")
    NOT_TO_BE_OPENED = ("CROWN 3.5", "G-29", "no virtual shoe waits to be opened: {why}")
    WRONG_OPENING = ("CROWN 3.5", "G-29", "this is not the order of shoe {shoe}: {why}")
    OLD_CARDS_UNCHECKED = ("CROWN 3.10", "G-29", "the old cards have not been checked")
    REPLACED_ALREADY = ("CROWN 3.10", "G-29", "the cards of this shoe have been replaced already")
    UNKNOWN_PACK = ("CROWN 3.6", "G-29", "pack {pack} was never recorded as pre-shuffled")
    CUT_TOO_NEAR = (
        "CROWN 3.7",
        "G-29",
        "the cut must lie at least {least} cards from either end, not at {at} of {cards}",
    )
    CUTTING_CARD_PLACE = (
        "CROWN 3.7.1",
        "G-29",
        "the cutting card lies {least} to {most} cards from the back, not {at}",
    )
    CUTTING_CARD_TWICE = ("CROWN 3.1", "G-29", "the cutting card has already been seen in this shoe")
    NO_CUTTING_CARD = ("CROWN 3.9", "G-29", "no cutting card was entered for this shoe")
    NOBODY_ASKED = ("CROWN 3.8.2", "G-29", "this is done at a patron's request: say who asked")
    LAST_COUP_PLAYED = ("CROWN 3.5.2", "G-29", "{why}: shuffle or introduce cards")
    TOO_FEW_CARDS = ("CROWN 8.3.2", "G-29", "only {left} cards would be left, and {needed} may be needed (G-20)")
    BURN_COUNT = ("CROWN 3.8.2", "G-29", "{due} to be burned, not {count}")
    BURNED_ALREADY = ("CROWN 8.3.2", "G-117", "a card has already been burned before this coup")
    NO_BURN_TO_SHOW = ("CROWN 3.8.1", "G-29", "there is no hidden burn card to show")
    NOT_AFTER_LAST_COUP = ("CROWN 3.10", "G-29", "cards are replaced only after the last coup of the shoe")
    HAND_IN_PROGRESS = ("CROWN 3.11", "G-29", "a hand is in progress")
    # Wagers
    WAGERING_CLOSED = ("CROWN 4.7", "{late}", "wagering is closed")
    WAGERING_OPEN = ("CROWN 8.1(c)", " 3.2", "wagering is open")
    BAD_SALT = ("CROWN 4.6", "G-41", "a salt is written in hexadecimal digits")
    UNKNOWN_STATION = ("CROWN 2.2(a)", "G-118", "there is no station {station}")
    NO_ACCOUNT = ('CROWN 1.1 "ATS chip account"', "G-64", "station {station} has no active account")
    LEAVING = ("CROWN 6.6.1", "G-58", "the patron at {station} is leaving")
    DIRECTED_TO_LEAVE = ("CROWN 6.6.2", "G-65", "the patron at {station} has been directed to leave")
    SIGN_NOT_SHOWN = ("CROWN 5 footnote s66(1)(c)", "G-39", "{location} does not show the limits in force")
    NOT_OFFERED = ("CROWN 10.1", "{bets}", "{bet} is not offered at this table")
    BELOW_MINIMUM = ("CROWN 5.3.1", "G-34", "the minimum on {bet} is {minimum_cents}")
    NEEDS_QUALIFYING = ("CROWN 4.11.1", "G-31", "{bet} needs a wager on {needs}")
    INSUFFICIENT_CREDIT = ("CROWN 4.1", "G-36", "the account holds {balance_cents}, and {cost_cents} is needed")
    ON_BREAK = ("G-223", "G-223", "you take a break until {until_ms}, which can be made longer and not shorter")
    CHECK_DUE = ("G-222", "G-222", "the time played and the money are to be acknowledged first")
    OWN_TIME_LIMIT = (
        "G-221",
        "G-221",
        "your own time limit of {minutes} minutes has ended; a raise takes effect at {raise_ms}",
    )
    OWN_WAGER_LIMIT = (
        "G-221",
        "G-221",
        "your own limit for a coup is {limit_cents}, and {left_cents} of it is left; a raise takes effect at "
        "{raise_ms}",
    )
    OWN_LOSS_LIMIT = (
        "G-221",
        "G-221",
        "your own loss limit is {limit_cents}, and {left_cents} of it is left; a raise takes effect at {raise_ms}",
    )
    NOTHING_TO_UNDO = ("CROWN 4.2.2", "G-07", "there is nothing to undo")
    NOTHING_TO_REPEAT = ("CROWN 4.2.2", "G-07", "there is no earlier wager to repeat")
    NOTHING_TO_DOUBLE = ("CROWN 4.2.2", "G-07", "there is no wager to double")
    NOTHING_TO_LAY = ("CROWN 4.2.2", "G-07", "there is no wager to lay")
    NOT_AS_SAVED = (
        "G-211",
        "G-211",
        "{wanted_cents} on {bet} cannot be laid as it was saved: {permitted_cents} is permitted, so nothing is laid",
    )
    NOTHING_TO_MOVE = ("CROWN 4.2.1", "G-07", "there is nothing on {bet} to move")
    # Cards
    NO_CARD_YET = ("CROWN 8.3.3", " 3.7", "no card has been dealt")
    NO_SUCH_ENTRY = ("G-161", "G-161", "there is no entry {place}: {entries} cards are entered")
    CARD_NOT_DUE = ("CROWN 8.4.1", "{table}", "no card is due: {why}")
    CARD_DUE = ('CROWN 1.1 "Table of Play"', "{table}", "{hand} must draw: {why}")
    IMPOSSIBLE_CARD = (
        "CROWN 3.1",
        "G-30",
        "{card} has left this shoe {copies} times already: re-enter it, or declare a foreign card",
    )
    NOT_A_CARD = ("CROWN 3.1", "G-30", "{why}")
    FORCED_CARD = ("CROWN 11.2 second sentence", "G-82", "{card} waits to be dealt first")
    # Corrections
    FROZEN = ("CROWN 11.11", "G-90", "the accounts are frozen")
    NOT_FROZEN = ("CROWN 11.11", "G-90", "the accounts are not frozen: freeze them first")
    NOTHING_TO_CORRECT = ("CROWN 11.11", "G-90", "no corrected outcome waits to be recalculated")
    CORRECTION_OPEN = ("CROWN 11.11", "G-90", "a corrected outcome waits to be recalculated")
    UNKNOWN_COUP = ("CROWN 11.11", "G-91", "coup {coup} has not been settled at this table")
    COUP_INVALID = ("CROWN 13.4", "G-98", "coup {coup} has been made invalid")
    CARDS_DRAWN = ("CROWN 11.9", "G-110", "{drawn} cards were drawn in coup {coup}, and {named} are named")
    NOTHING_PAYABLE = ("CROWN 11.11", "G-88", "nothing is payable to a patron who has left {station}")
    WHOSE_PAYABLE = (
        "CROWN 11.11",
        "G-88",
        "something is payable to the patrons of control sessions {controls} of {station}: name one",
    )
    NO_SUCH_BUY_IN = ("CROWN 6.3.2", "G-64", "no buy-in of {keyed_cents} that fits is on record at {station}")
    WHOSE_BUY_IN = (
        "CROWN 6.3.2",
        "G-64",
        "patrons of control sessions {controls} of {station} bought in with {keyed_cents}: name one",
    )
    NOT_IN_ACCOUNT = (
        "CROWN 6.3.2",
        "G-64",
        "{taken_cents} would be taken, and {free_cents} is free in the account of {station}, with {wagered_cents} "
        "wagered: correct it to {least_cents} or more, wait for the wagers, or have a Casino Supervisor say that the "
        "rest is owed",
    )
    NOTHING_OWED = ("CROWN 11.11", "G-89", "nothing is owed at {station}")
    # Cases and faults
    NOBODY_NAMED = (
        "CROWN 4.5",
        "G-145",
        "nobody is named: a station, a patron by reference, or a description of the person",
    )
    NO_SESSION = ("CROWN 1.5", "G-141", "there is no control session {control} there")
    NO_CASE = ("CROWN 13.9", "G-118", "there is no open {kind} {case}")
    REMEDY_MISSING = ("CROWN 11.12", "G-118", "an accepted claim names its remedy: {remedies}")
    CLAIM_ACCEPTED = ("CROWN 11.12", "G-147", "claim {case} was accepted: perform its remedy by {remedy}")
    CLAIM_UNDECIDED = ("CROWN 11.12", "G-147", "claim {case} has not been accepted")
    ALREADY_NOTED = ("CROWN 11.12", "G-197", "claims {cases} of {station} are noted already, and staff see to them")
    CLAIMS_OPEN = ("CROWN 11.12", "G-118", "claims are open: {cases}")
    INSPECTOR_NOT_ADVISED = ("CROWN 13.10", "G-118", "the complainant must be told of the inspector first")
    COMPLAINANT_NOT_TOLD = (
        "CROWN 13.11",
        "G-146",
        "who made complaint {case} was told nothing yet: answer first",
    )
    NOT_DETAINED = ("CROWN 13.2.5", "G-145", "nobody is detained on case {case}")
    TAKEN_OVER_BY_WHOM = ("CROWN 13.2.5", "G-145", "name who took over, or the reason for letting the person go")
    DETENTION_TIME = ("CROWN 13.2.5", "G-145", "a detention ends after it began at {since_ms} and not after {now_ms}")
    PATRON_GONE = ("CROWN 13.2", "G-66", "the patron in breach is no longer at {station}")
    NO_DEVICE = ("CROWN 13.2.3", "G-66", "winnings are seized only where a prohibited device is on the case")
    NOTHING_SEIZED = ("CROWN 13.2.3", "G-66", "nothing is seized on case {case}")
    NOTHING_TO_VOID = ("CROWN 13.2.1", "G-66", "there is no wager at {station} to void")
    NOTHING_TO_CONFIRM = ("CROWN 11.14(b)", "G-94", "no records wait to be confirmed")
    RECORDS_HOLD = (
        "CROWN 11.14(b)",
        "G-151",
        "the records hold the wagers of {station} in coup {coup}, and the station shows no others: confirm them",
    )
    FAILS_LATER = ("CROWN 11.15(a)", "G-152", "nothing can have failed after now, {now_ms}")
    FAILED_BEFORE_THE_COUP = (
        "CROWN 11.15(a)",
        "G-152",
        "the wagering of coup {coup} was opened at {opened_ms}, after that time",
    )
    WORKED_AFTER = ("CROWN 11.15(a)", "G-152", "a wager of {station} was accepted at {wagered_ms}, after that time")
    RECORDS_UNCONFIRMED = ("CROWN 11.15(b)", "G-95", "the wagers must be confirmed from the records first")
    OUT_OF_SERVICE = ("G-183", "G-183", "station {station} is out of service")
    IN_SERVICE = ("G-183", "G-183", "station {station} is in service")
    FAULTED = ("CROWN 11.14(a)", "G-93", "station {station} has failed and stays locked until the next coup")
    NO_SUCH_BREAK = ("G-223", "G-223", "the house offers breaks of these minutes: {offered}")
    NO_CHECK_DUE = ("G-222", "G-222", "nothing is to be acknowledged")
    CALLED_ALREADY = ("G-224", "G-224", "an attendant has been called to {station} already, or is on the way")
    NOT_CALLED = ("G-224", "G-224", "{station} has not called an attendant")
    # Irregularities
    UNKNOWN_FACT = ("CROWN 11.8.2", "G-82", "the rules know no fact {kind!r}")
    NO_RESOLUTION = ("CROWN 11.8.2", "G-82", "{kind} cannot have happened at this point")
    FACT_OPEN = ("CROWN 11.2 second sentence", "G-82", "a fact was stated: resolve it or take it back first")
    SHOE_EMPTY = ("G-21", "G-29", "no card is left in the shoe")
    NO_FACT = ("CROWN 11.8.2", "G-82", "no fact has been stated")
    FACT_OF_ENTRIES = (
        "CROWN 11.2 second sentence",
        "G-82",
        "the entries themselves show it: amend or take back an entry, or resolve it",
    )
    NOTHING_RESOLVED = ("G-160", "G-160", "no resolution can be taken back: there is none, or play has gone on since")
    MONEY_GONE = (
        "G-160",
        "G-160",
        "what the resolution returned to {station} is no longer there: decide it as a correction or a dispute",
    )
    UNKNOWN_RESOLUTION = ("CROWN 11.8.2", "G-82", "there is no resolution {id!r} of the stated fact")
    DUMMY_COUP = ("CROWN 11.8.5(a)", "G-82", "this is a dummy coup: no wagers")
    # Accounts
    EXCLUDED = ("CROWN 13.2.2", "G-66", "the house excludes this patron")
    UNKNOWN_TENDER = ("CROWN 6.2", "G-64", "{tender} is no accepted tender")
    BAD_AMOUNT = ("CROWN 6.2", "G-64", "{why}")
    REMOTE_BUY_IN = ("CROWN 6.2.1", "G-63", "remote station: note acceptor only")
    TAKEN = ("CROWN 6.3.1", "G-67", "station {station} is under another patron's control; a top-up says so")
    CARD_UNREAD = ("CROWN 6.3.1", "G-234", "the player card at {station} could not be read")
    CARD_ELSEWHERE = ("CROWN 6.3.1", "G-234", "this player card is in use at {station}")
    CARD_TOO_LATE = (
        "CROWN 6.3.1",
        "G-234",
        "an account is open at {station} for another patron, or without a card; a card is read before money comes",
    )
    NO_ACCEPTOR = ("CROWN 6.2", "G-64", "station {station} has no note acceptor")
    NO_TICKETS_IN = (
        "G-62",
        "G-62",
        "a station takes no tickets in here: ticket {ticket} is paid at the cage",
    )
    NOT_IN_ESCROW = (
        "G-235",
        "G-235",
        "the house has not put ticket {ticket} into escrow for {station}; try again in a moment",
    )
    PAID_BY_TICKET = ("CROWN 6.7.2", "G-61", "station {station} pays by ticket")
    LEAVE_FIRST = ("CROWN 6.7", "G-149", "nobody asked to close {station}: state first that the patron leaves")
    NOT_LEAVING = ("CROWN 6.6.1", "G-148", "the patron at {station} is not leaving")
    WAGERS_RUNNING = ("CROWN 4.7", "G-58", "the wagers of {station} are still running")
    TICKET_NUMBER = ("CROWN 6.7.2", "G-62", "a ticket needs an unused number of 18 digits")
    UNKNOWN_TICKET = ("CROWN 6.7.2(b)", "G-61", "there is no ticket {ticket}")
    NO_PRINTER_FAULT = ("CROWN 6.7.2(b)", "G-61", "no printer fault is on record for ticket {ticket}")
    NOT_RELEASED = ("CROWN 6.7.2(b)", "G-61", "ticket {ticket} is not released to this table by the house")
    PAID_ALREADY = ("CROWN 6.7.2(b)", "G-62", "ticket {ticket} has already been {how}")
    SLIP_NUMBER = ("G-191", "G-191", "a fill or credit needs a slip with an unused number, and not {slip!r}")
    NOT_IN_RACK = (
        "G-191",
        "G-191",
        "{float_cents} lies in the rack by the books, and {credit_cents} would go: count the float first",
    )
    FLOAT_NOT_COUNTED = ("G-192", "G-192", "the float has not been counted: the dealer and a supervisor count it first")
    NOT_IDLE = ("CROWN 13.8", "G-100", "station {station} may not be asked to vacate")
    NOT_VACATING = (
        "CROWN 13.8",
        "G-100",
        "the patron at {station} was not asked to vacate, or still may play or plays by the end of the next coup",
    )

    @property
    def code(self) -> str:
        return self.name.lower()


class Refused(msgspec.Struct, frozen=True, omit_defaults=True):
    """No, and why. The state is as it was."""

    code: str
    clause: str
    text: str
    alarm: str | None = None
    """What the dealer must be told at once, where the refusal shows that a device misbehaves (CROWN 1.6)."""
    values: dict[str, Figure] = {}
    """The figures of the sentence, so that every language can say them."""
