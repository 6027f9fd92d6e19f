"""Commands: what people, stations and the clock ask of a table. One frozen class each, in the imperative.

Whoever carries a command to the table stamps who asks, in which role, and when it was received. Cards, time, salts
and ticket numbers arrive inside commands; the table never looks for them. The tag is the verb of `sabot table`.
"""

from typing import Literal

import msgspec

from sabot.rules.rule_set import Bet
from sabot.table.configuration import Configuration
from sabot.table.role import Role


class Command(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False, tag_field="do"):
    by: str
    role: Role
    at_ms: int
    """When the table's mailbox received it, in milliseconds of the one clock."""
    second: str = ""
    """Who approves it, where the configuration lets nobody do it alone."""


class Configure(Command, frozen=True, kw_only=True, tag="configure"):
    """Set up the table anew while it is closed, or between coups change what may be changed then."""

    configuration: Configuration


class SignOn(Command, frozen=True, kw_only=True, tag="sign_on"):
    """Sign on at the console; without `as_role`, in the first role that the staff list gives."""

    as_role: Role | None = None


class SignOff(Command, frozen=True, kw_only=True, tag="sign_off"):
    pass


class OpenTable(Command, frozen=True, kw_only=True, tag="open_table"):
    build: str = ""
    """The digest of the running program."""


class CloseTable(Command, frozen=True, kw_only=True, tag="close_table"):
    pass


class ApproveBuild(Command, frozen=True, kw_only=True, tag="approve_build"):
    """Record that the regulator has approved a program."""

    build: str
    reference: str


class GiveNotice(Command, frozen=True, kw_only=True, tag="notice"):
    """Show a sign: a bet's new minimum, or the closing of the table, from a time on."""

    kind: Literal["minimum", "aggregate_minimum", "closure"]
    from_ms: int
    bet: Bet | None = None
    cents: int = 0


class ReportDevice(Command, frozen=True, kw_only=True, tag="device"):
    """A device that is no part of the game system dropped out or came back: the display, the monitoring link."""

    device: Literal["display", "monitoring"]
    up: bool


class EndDay(Command, frozen=True, kw_only=True, tag="end_day"):
    """The house has closed the gaming day: the coups so far belong to it."""

    date: str


class RecordIncident(Command, frozen=True, kw_only=True, tag="incident"):
    """Something that people did and that has no effect on money: a claim of responsibility, conduct."""

    station: str
    text: str


# The shoe


class CheckCards(Command, frozen=True, kw_only=True, tag="check_cards"):
    """Count the cards before gaming starts or after it ended."""

    cards: int
    when: Literal["opening", "closing"] = "opening"
    of_each_rank: int | None = None
    """How many of each rank were counted, where that was done."""


class RecordPack(Command, frozen=True, kw_only=True, tag="pack"):
    """Record cards that were shuffled ahead and put away securely."""

    pack: str
    stored: str


class NewShoe(Command, frozen=True, kw_only=True, tag="new_shoe"):
    """Record the shuffle, or bring in a pre-shuffled pack."""

    method: Literal["hand", "machine", "virtual", "pre-shuffled"] = "hand"
    pack: str | None = None
    commitment: str | None = None
    """What a virtual shoe publishes about its order beforehand, in 64 hexadecimal digits."""


class OpenShoe(Command, frozen=True, kw_only=True, tag="open_shoe"):
    """Open a virtual shoe that has ended, so that anybody can hold its order against its commitment."""

    order: str
    """All its cards as they were shuffled, two letters each."""
    salt: str


class OrderShuffle(Command, frozen=True, kw_only=True, tag="order_shuffle"):
    """End the shoe at once because of an abnormal sequence or another good cause."""

    reason: str
    abnormal: bool = False


class ReplaceCards(Command, frozen=True, kw_only=True, tag="replace_cards"):
    """Take cards out of use: all of them after the last coup, or unfit ones at any time between coups."""

    reason: str
    unfit: bool = False
    cards: str = ""
    """Which cards, where not all."""
    pack: str | None = None
    cards_checked: int | None = None


class Cut(Command, frozen=True, kw_only=True, tag="cut"):
    at: int
    """How many cards lie before the cut."""
    from_back: int | None = None
    """How many cards lie behind the cutting card; the procedure's own figure unless given."""


class Burn(Command, frozen=True, kw_only=True, tag="burn"):
    """Burn after the cut, or one card before a coup."""

    card: str | None = None
    """The card, if it is shown."""
    by_face_value: bool = False
    count: int = 1
    asked_by: str = ""
    """The patron who asked for the burn by face value."""
    proof: str = ""
    """That a shown card comes from a virtual shoe's committed order."""


class ShowBurn(Command, frozen=True, kw_only=True, tag="show_burn"):
    """Turn the hidden burn card because a patron asks."""

    card: str
    asked_by: str
    proof: str = ""


class SeeCuttingCard(Command, frozen=True, kw_only=True, tag="cutting_card"):
    pass


# Accounts


class BuyIn(Command, frozen=True, kw_only=True, tag="buy_in"):
    station: str
    cents: int
    tender: str = "cash"
    reference: str = ""
    patron: str = ""
    top_up: bool = False
    excluded: bool = False
    """Whether the house excludes the patron; stamped by whoever carries the command."""


class InsertNote(Command, frozen=True, kw_only=True, tag="note"):
    station: str
    cents: int


class NameNominee(Command, frozen=True, kw_only=True, tag="nominee"):
    station: str
    nominee: str
    excluded: bool = False
    """Whether the house excludes the nominee or the patron."""


class Leave(Command, frozen=True, kw_only=True, tag="leave"):
    station: str
    ticket: str | None = None
    """The number for a ticket, where the station pays by ticket."""


class Pay(Command, frozen=True, kw_only=True, tag="pay"):
    """Pay the full balance in chips and close the account."""

    station: str


class ReportPrintFailed(Command, frozen=True, kw_only=True, tag="print_failed"):
    ticket: str
    fault: str


class PayManually(Command, frozen=True, kw_only=True, tag="manual_pay"):
    ticket: str
    reason: str


class DirectToLeave(Command, frozen=True, kw_only=True, tag="direct_to_leave"):
    station: str
    reason: str


class AskToVacate(Command, frozen=True, kw_only=True, tag="vacate"):
    station: str


# Wagers


class SetWager(Command, frozen=True, kw_only=True, tag="set_wager"):
    """Make the wager on a bet this much; the result is the permitted wager that it comes to."""

    station: str
    bet: Bet
    cents: int


class MoveWager(Command, frozen=True, kw_only=True, tag="move"):
    station: str
    source: Bet
    target: Bet


class Undo(Command, frozen=True, kw_only=True, tag="undo"):
    station: str


class Clear(Command, frozen=True, kw_only=True, tag="clear"):
    station: str


class Repeat(Command, frozen=True, kw_only=True, tag="repeat"):
    station: str


class Double(Command, frozen=True, kw_only=True, tag="double"):
    station: str


# The coup


class OpenWagering(Command, frozen=True, kw_only=True, tag="open"):
    pass


class CloseWagering(Command, frozen=True, kw_only=True, tag="close"):
    salts: dict[str, str] = {}
    """Sixteen random bytes in hexadecimal for each station's seal."""


class Tick(Command, frozen=True, kw_only=True, tag="tick"):
    """Time passes; the wagering closes when its time is up."""

    salts: dict[str, str] = {}


class TurnFaceUp(Command, frozen=True, kw_only=True, tag="face_up"):
    """Choose whether cards are dealt face up, or face down and turned."""

    up: bool


class StateFact(Command, frozen=True, kw_only=True, tag="fact"):
    """State what physically happened; the answer lists the lawful resolutions."""

    kind: str
    cards: tuple[str, ...] = ()
    """Cards that are out and not yet entered, in the order in which they came."""
    hand: Literal["player", "banker"] | None = None
    """The hand that they were laid on."""
    reconstructible: bool | None = None
    order_known: bool | None = None


class Resolve(Command, frozen=True, kw_only=True, tag="resolve"):
    """Choose one of the resolutions of the fact that was stated last."""

    id: str


class Freeze(Command, frozen=True, kw_only=True, tag="freeze"):
    """Freeze all accounts of this table, because a wrong outcome was entered."""


class Correct(Command, frozen=True, kw_only=True, tag="correct"):
    """State the true cards of a coup, in shoe order."""

    coup: int
    cards: tuple[str, ...]


class Recalculate(Command, frozen=True, kw_only=True, tag="recalculate"):
    """Settle the corrected coup again and adjust the accounts."""


class Unfreeze(Command, frozen=True, kw_only=True, tag="unfreeze"):
    """Let play go on; the countdown resumes with what was left of it."""


class Invalidate(Command, frozen=True, kw_only=True, tag="invalidate"):
    """Make a coup count for nothing and refund its wagers."""

    coup: int
    cause: Literal["malfunction", "commotion", "fraud"]
    reason: str


class Waive(Command, frozen=True, kw_only=True, tag="waive"):
    """Give up what a station's patron owes after a correction."""

    station: str
    reason: str


class PayPayable(Command, frozen=True, kw_only=True, tag="pay_payable"):
    """Pay a patron who has left what a correction found for him since."""

    station: str
    control: int | None = None
    """The control session it is for; it may be left out where only one has something waiting."""


class TakeUpOption(Command, frozen=True, kw_only=True, tag="take_up_option"):
    """Play by the option that the house has chosen for all tables."""

    option: str
    choice: int


class WithdrawFact(Command, frozen=True, kw_only=True, tag="withdraw_fact"):
    """Take back a fact that was stated by mistake, before it is resolved."""


class Claim(Command, frozen=True, kw_only=True, tag="claim"):
    """A patron claims that a wrong outcome was entered or that something failed."""

    station: str
    coup: int
    text: str


class DecideClaim(Command, frozen=True, kw_only=True, tag="decide_claim"):
    """Accept a claim with the clause of its remedy, or reject it with a reason."""

    case: int
    accepted: bool
    remedy: str = ""
    reason: str = ""


class OpenDispute(Command, frozen=True, kw_only=True, tag="dispute"):
    station: str
    text: str


class DecideDispute(Command, frozen=True, kw_only=True, tag="decide_dispute"):
    """Decide a dispute finally, with any money that the decision moves."""

    case: int
    decision: str
    adjustments: dict[str, int] = {}
    unresolved: bool = False
    inspector_advised: bool = False


class RecordBreach(Command, frozen=True, kw_only=True, tag="breach"):
    """Record that a patron broke a rule."""

    station: str
    contravened: str
    reason: str
    prohibited_device: bool = False


class ActOnBreach(Command, frozen=True, kw_only=True, tag="act_on_breach"):
    """Void the wagers, exclude the patron, confiscate the device, or record a detention."""

    case: int
    act: Literal["void_wagers", "exclude", "confiscate", "detain"]
    text: str = ""


class Seize(Command, frozen=True, kw_only=True, tag="seize"):
    case: int
    cents: int


class ReleaseSeized(Command, frozen=True, kw_only=True, tag="release"):
    """Pay seized winnings out after all, or forfeit them."""

    case: int
    forfeit: bool = False
    reason: str = ""


class ReportFault(Command, frozen=True, kw_only=True, tag="fault"):
    """A station has failed."""

    station: str
    fault: str = "malfunction"


class Restart(Command, frozen=True, kw_only=True, tag="restart"):
    """The game system has come back after a failure."""

    last_sign_ms: int
    """The last durable sign of life before it failed."""


class TellWhatIsShown(Command, frozen=True, kw_only=True, tag="seen"):
    """A station tells what it shows of its wagers, after the close or when it is back from a failure."""

    station: str
    wagers: dict[Bet, int]
    accepted: bool = True
    """Whether it shows them as accepted, so that its acknowledgement had reached it."""


class ConfirmRecords(Command, frozen=True, kw_only=True, tag="confirm_records"):
    station: str = ""
    """A station that failed, or nothing for the whole table after a restart."""


class CannotConfirm(Command, frozen=True, kw_only=True, tag="cannot_confirm"):
    station: str


class DealCard(Command, frozen=True, kw_only=True, tag="card"):
    card: str
    salts: dict[str, str] = {}
    """For the case that this first card closes the wagering (CROWN 8.1(c))."""
    proof: str = ""
    """That the card is the next one of a virtual shoe's committed order."""


class AmendCard(Command, frozen=True, kw_only=True, tag="amend"):
    """Correct the last entry before the result is confirmed."""

    card: str


class ConfirmResult(Command, frozen=True, kw_only=True, tag="confirm"):
    pass


class VoidCoup(Command, frozen=True, kw_only=True, tag="void"):
    """Void a coup that nobody wagered on, before any card."""
