"""Events in plain words, for the console's log, transcripts and reports."""

from collections.abc import Callable, Mapping
from typing import Any

from sabot.basics.money import write_amount, write_net
from sabot.table import events as e
from sabot.table.history.wanted import Wanted, WantedKind
from sabot.table.sessions import sentences as sessions


def sentence(event: e.Event) -> str:
    """What happened, in one sentence, with the clause where there is one."""
    told = _TOLD[type(event)](event)
    clause = getattr(event, "clause", None)
    return f"{told} ({clause})" if clause else told


def _layout(wagers: Mapping[Any, int]) -> str:
    return ", ".join(f"{bet} {write_amount(cents)}" for bet, cents in wagers.items()) or "nothing"


def _wagers(event: e.WagersChanged) -> str:
    told = f"{event.station} has on the layout: {_layout(event.after)}"
    if event.returned:
        told += f"; returned for want of a qualifying wager: {', '.join(event.returned)}"
    if event.left_out:
        told += "; " + ", ".join(f"{bet}: {why}" for bet, why in event.left_out.items())
    return told


def _closed(event: e.WageringClosed) -> str:
    told = f"“{event.words}”: wagering on coup {event.coup} is closed by {event.closed_by.replace('_', ' ')}"
    for station, refunds in event.refunds.items():
        for refund in refunds:
            told += f"; {station} gets back {_layout(refund.wagers)}, {refund.reason} ({refund.clause})"
    sealed = "; ".join(f"{station}: {_layout(wagers)}" for station, wagers in event.sealed.items())
    return f"{told}; sealed {event.root[:12]}…: {sealed or 'no wagers'}"


def _settled(event: e.WagersSettled) -> str:
    lines = [
        f"{station} {one.bet} {write_amount(one.stake_cents)}: {one.outcome} {write_net(one.net_cents)} ({one.clause})"
        for station, settled in event.settlements.items()
        for one in settled
    ]
    return f"Coup {event.coup} is settled: " + ("; ".join(lines) or "no wagers")


def _adjusted(adjustments: Mapping[str, e.Adjustment]) -> str:
    told = []
    for station, one in adjustments.items():
        short = f", {write_amount(one.owed_cents)} of it owed" if one.owed_cents else ""
        waits = f", {write_amount(one.payable_cents)} of it payable" if one.payable_cents else ""
        told.append(f"{station} {write_net(one.change_cents)}{short}{waits}")
    return ", ".join(told) or "no account changes"


def _tendered(event: e.BuyInCorrected | e.WaitingBuyInCorrected) -> str:
    keyed = f"{write_amount(event.was_cents)} in {event.was_tender} was keyed"
    return f"{keyed}, and " + (f"{write_amount(event.cents)} in {event.tender} tendered" if event.cents else "nothing")


def _notice(event: e.NoticeGiven) -> str:
    what = {
        "closure": "the table closes",
        "minimum": f"the minimum on {event.bet} becomes {write_amount(event.cents)}",
        "aggregate_minimum": f"the aggregate minimum becomes {write_amount(event.cents)}",
    }[event.kind]
    return f"A sign is shown: {what} at {event.from_ms} ms"


def _withdrawn(event: e.NoticeWithdrawn) -> str:
    if event.kind == "closure":
        return "the closing of the table"
    return f"a minimum of {write_amount(event.cents)} on {event.bet or 'all wagers together'}"


def _burned(event: e.CardsBurned) -> str:
    shown = f"{event.shown} is shown and burned" if event.shown else f"{event.hidden} card(s) burned face down"
    due = f", {event.still_due} more to come" if event.still_due else ""
    return f"{shown}{due}; {event.left} cards are left"


def _read_again(event: e.CardAmended | e.CardTakenBack) -> str:
    why = f": {event.reason}" if event.reason else ""
    return why + (f"; never due: {' '.join(event.left_over)}" if event.left_over else "")


def _whom(event: e.IncidentRecorded | e.DisputeOpened | e.BreachRecorded | e.ComplaintMade) -> str:
    return event.station or event.patron or event.person


_WANTED: dict[WantedKind, Callable[[Wanted], str]] = {
    "coup": lambda x: f"Coup {x.number}",
    "session": lambda x: f"Control session {x.number}",
    "patron": lambda x: f"The last session of patron {x.name}",
    "won": lambda x: f"What the patron of control session {x.number} won",
    "ticket": lambda x: f"Ticket {x.name}",
    "buy_ins": lambda x: f"Buy-ins of {write_amount(x.cents)} at {x.name}",
    "slip": lambda x: f"Slip {x.name}",
    "sitting": lambda x: f"The session {x.name}",
}
_TOLD: dict[type[e.Event], Callable[[Any], str]] = {
    e.Configured: lambda x: f"Table {x.configuration.table} is configured for {x.configuration.rule_set}",
    e.SignedOn: lambda x: f"{x.who} signs on as {x.role.in_words}",
    e.SignOnDropped: lambda x: f"Sign-on {x.number} of {x.who} was not taken up",
    e.SignedOff: lambda x: f"{x.who} signs off",
    e.Countersigned: lambda x: f"{x.second} approves what {x.by} did",
    e.BuildApproved: lambda x: f"{x.by} records the approval of build {x.build}: {x.reference}",
    e.TableOpened: lambda x: f"{x.by} opens the table",
    e.TableClosed: lambda x: f"{x.by} closes the table",
    e.TableLocked: lambda x: f"The table locks itself: {x.why}",
    e.DifferenceBooked: lambda x: (
        f"{x.by} books the difference of {x.station or 'the sums'}: {write_amount(x.ledger_cents)} in the ledger, "
        f"{write_amount(x.meters_cents)} {'by the meters' if x.station else 'on the other side'}"
        + (f"; the {x.right} are right" if x.right == "meters" else "; the ledger is right" if x.station else "")
        + f": {x.reason}"
    ),
    e.PaidByHand: lambda x: (
        f"{x.by} pays {x.station} {write_amount(x.cents)} by hand: {write_amount(x.ledger_cents)} in the ledger, "
        f"{write_amount(x.meters_cents)} by the meters: {x.reason}"
    ),
    e.TableUnlocked: lambda x: f"Ledger and meters agree again: {x.by} has unlocked the table",
    e.NoticeGiven: _notice,
    e.NoticeWithdrawn: lambda x: f"{x.by} takes down the sign about {_withdrawn(x)}",
    e.SignShown: lambda x: f"{x.location} shows {'the limits and signs that are posted' if x.shows else 'no sign'}",
    e.GamingDayEnded: lambda x: f"The gaming day of {x.date} ends with coup {x.last_coup}",
    e.MinimumChanged: lambda x: f"The minimum on {x.bet or 'all wagers together'} is now {write_amount(x.cents)}",
    e.DeviceReported: lambda x: f"The {x.device} is {'back' if x.up else 'down'}",
    e.IncidentRecorded: lambda x: f"{x.by} records of {_whom(x)}: {x.text}",
    e.CardsChecked: lambda x: (
        f"{x.by} checks the cards ({x.when}): {x.cards} of {x.expected}"
        + ("" if x.cards == x.expected else ", a discrepancy")
    ),
    e.PackRecorded: lambda x: f"{x.by} records pack {x.pack} as pre-shuffled, kept at {x.stored}",
    e.CardsShuffled: lambda x: (
        f"Shoe {x.shoe} is shuffled ({x.method}{', pack ' + x.pack if x.pack else ''})"
        + (f", committed to {x.commitment[:12]}…" if x.commitment else "")
    ),
    e.ShoeOpened: lambda x: f"Shoe {x.shoe} is opened: its {len(x.order) // 2} cards are those it was committed to",
    e.ShoeEnded: lambda x: f"Shoe {x.shoe} ends: {x.reason}",
    e.CardsReplaced: lambda x: f"{x.by} has the cards of shoe {x.shoe} replaced: {x.reason}",
    e.CardsCut: lambda x: f"{x.by} cuts at {x.at}; {x.behind_cutting_card} cards lie behind the cutting card",
    e.CardsBurned: _burned,
    e.BurnShown: lambda x: f"The burn card is {x.card}, shown to {x.asked_by}",
    e.CuttingCardSeen: lambda x: f"The cutting card shows at position {x.position}: coup {x.last_coup} is the last",
    e.AccountOpened: lambda x: f"{x.station} is opened{' for ' + x.patron if x.patron else ''}, control {x.control}",
    e.BoughtIn: lambda x: f"{x.station} is credited with {write_amount(x.cents)} for {x.tender} {x.reference}".rstrip(),
    e.BuyInDeferred: lambda x: (
        f"{x.by} takes {write_amount(x.cents)} in {x.tender} for {x.station}, to be credited when the accounts are "
        "no longer frozen"
    ),
    e.NoteStacked: lambda x: f"{x.station} is credited with a note of {write_amount(x.cents)}",
    e.NomineeNamed: lambda x: f"{x.station} is played by nominee {x.nominee}",
    e.LeaveAsked: lambda x: f"The patron at {x.station} leaves; {write_amount(x.held_cents)} is held for payment",
    e.LeaveTakenBack: lambda x: f"The patron at {x.station} stays; {write_amount(x.cents)} is back on the account",
    e.DirectedToLeave: lambda x: f"{x.by} directs the patron at {x.station} to leave: {x.reason}",
    e.BalanceHeld: lambda x: f"{write_amount(x.cents)} of {x.station} is held for payment",
    e.PaidOut: lambda x: (
        f"{x.by} pays {x.station} {write_amount(x.cents)}: "
        f"{write_amount(x.chips_cents)} in chips, {write_amount(x.coin_cents)} in coin"
    ),
    e.TicketIssued: lambda x: f"{x.station} issues ticket {x.ticket} for {write_amount(x.cents)}",
    e.ReleaseHandedBack: lambda x: f"{x.by} hands release {x.release} of ticket {x.ticket} back: {x.reason}",
    e.PrintFailed: lambda x: f"Ticket {x.ticket} was not printed: {x.fault}",
    e.TicketPaidManually: lambda x: (
        f"{x.by} voids ticket {x.ticket} and pays {write_amount(x.cents)} by hand: {x.reason}"
    ),
    e.AccountClosed: lambda x: f"{x.station} is closed",
    e.AskedToVacate: lambda x: f"{x.by} asks the patron at {x.station} to vacate the seat",
    e.ChipsFilled: lambda x: (
        f"{x.by} takes a fill of {write_amount(x.cents)} on slip {x.slip}"
        + (f", brought by {x.brought_by}" if x.brought_by else "")
    ),
    e.ChipsCredited: lambda x: (
        f"{x.by} gives a credit of {write_amount(x.cents)} on slip {x.slip}"
        + (f", taken by {x.taken_by}" if x.taken_by else "")
    ),
    e.FloatCounted: lambda x: (
        f"{x.by} counts the float ({x.when.replace('_', ' ')}): {write_amount(x.cents)}, "
        f"{write_amount(x.expected_cents)} expected"
        + (f", a difference of {write_net(x.difference_cents)}" if x.difference_cents else "")
    ),
    e.FloatUncounted: lambda x: (
        f"The float of {x.dealer} was not counted ({x.when.replace('_', ' ')}): "
        f"{write_amount(x.expected_cents)} expected"
    ),
    e.SeatTakenBack: lambda x: f"{x.by} takes back the seat of {x.station}, whose patron was asked to vacate it",
    e.StationTakenOut: lambda x: f"{x.by} takes {x.station} out of service: {x.reason}",
    e.StationPutBack: lambda x: f"{x.by} puts {x.station} back in service",
    e.PatronMoved: lambda x: (
        f"{x.by} moves the patron at {x.station} to {x.target} with {write_amount(x.balance_cents + x.held_cents)}"
        + (f" and the wagers {_layout(x.wagers)}" if x.wagers else "")
    ),
    e.WagersChanged: _wagers,
    e.WageringOpened: lambda x: (
        f"“{x.words}”: coup {x.coup} of shoe {x.shoe} is open until {x.deadline_ms} ms"
        + ("; LAST COUP OF THIS SHOE" if x.last_of_shoe else "")
    ),
    e.WageringClosed: _closed,
    e.CoupVoided: lambda x: f"{x.by} voids coup {x.coup}: {x.reason}",
    e.CardDealt: lambda x: f"{x.card} to {x.hand.capitalize()}, card {x.position} of shoe {x.shoe}",
    e.OptionTakenUp: lambda x: f"The table plays {x.option} by option {x.choice} from now on",
    e.ClaimMade: lambda x: f"Claim {x.case} of {x.station or x.patron} about coup {x.coup}: {x.text}",
    e.ClaimDecided: lambda x: f"{x.by} {'accepts' if x.accepted else 'rejects'} claim {x.case}: {x.remedy or x.reason}",
    e.RemedyPerformed: lambda x: f"Claim {x.case} is closed, its remedy by {x.remedy} is performed: {x.done}",
    e.DisputeOpened: lambda x: f"Dispute {x.case} of {_whom(x)}: {x.text}",
    e.DisputeDecided: lambda x: (
        f"{x.by} decides dispute {x.case}: {x.decision}"
        + "".join(f"; {station} {write_net(cents)}" for station, cents in x.adjustments.items())
    ),
    e.BreachRecorded: lambda x: f"{x.by} records breach {x.case} at {_whom(x)} of {x.contravened}: {x.reason}",
    e.BreachActed: lambda x: f"On case {x.case}, {x.act}: {x.text}",
    e.DetentionEnded: lambda x: (
        f"The detention on case {x.case} ends at {x.ended_ms} ms: "
        + (f"{x.taken_over_by} takes over" if x.taken_over_by else f"the person is let go, {x.reason}")
    ),
    e.WagersVoided: lambda x: f"The wagers of {x.station} are void and go back: {_layout(x.wagers)}; {x.reason}",
    e.PatronExcluded: lambda x: (
        f"{x.by} excludes the patron " + (f"at {x.station}" if x.station else f"of case {x.case}")
    ),
    e.WinningsSeized: lambda x: f"{x.by} seizes {write_amount(x.cents)} at {x.station} on case {x.case}",
    e.SeizedReleased: lambda x: (
        f"{x.by} {'forfeits' if x.forfeit else 'releases'} {write_amount(x.cents)} on case {x.case}"
    ),
    e.ComplaintMade: lambda x: f"Complaint {x.case} of {_whom(x)}: {x.text}",
    e.ComplaintAnswered: lambda x: f"{x.by} answers complaint {x.case}: {x.told}",
    e.ComplaintClosed: lambda x: f"{x.by} closes complaint {x.case}: {x.outcome}",
    e.StationFaulted: lambda x: (
        f"{x.station} failed {'before' if x.before_close else 'after'} the end of the wagering period: {x.fault}"
    ),
    e.SystemFailed: lambda x: (
        f"{x.by} declares that the game system failed {'before' if x.before_close else 'after'} the end of the "
        f"wagering period: {x.fault}"
    ),
    e.SystemRestarted: lambda x: (
        "The game system came back; "
        + ("the wagers are to be confirmed from the records" if x.awaits_confirmation else "nothing is to be confirmed")
    ),
    e.ClockJumped: lambda x: (
        f"The clock of the {x.clock} was put {'forward' if x.by_ms > 0 else 'back'} by {abs(x.by_ms) / 1000:.1f} "
        "seconds; the table goes on by its own"
    ),
    e.BroughtBack: lambda x: f"{_WANTED[x.wanted.kind](x.wanted)} is looked up in the past of the table",
    e.WagersSeen: lambda x: (
        f"{x.station} shows {_layout(x.wagers) or 'no wagers'} in coup {x.coup}, "
        + ("as accepted" if x.accepted else "as pending")
        + ("" if x.agrees else ": not what is on record")
    ),
    e.RecordsConfirmed: lambda x: f"{x.by} confirms the wagers of coup {x.coup} from the records",
    e.WagersReversed: lambda x: f"The wagers of {x.station} in coup {x.coup} are reversed: {_adjusted(x.adjustments)}",
    e.AccountsFrozen: lambda x: f"{x.by} freezes all accounts of the table",
    e.OutcomeCorrected: lambda x: (
        f"{x.by} corrects coup {x.coup} from {' '.join(x.was)} to {' '.join(x.cards)}: {x.announcement}"
    ),
    e.CoupRecalculated: lambda x: f"Coup {x.coup} is recalculated: {_adjusted(x.adjustments)}",
    e.AccountsUnfrozen: lambda x: f"{x.by} unfreezes the accounts",
    e.CoupInvalidated: lambda x: (
        f"{x.by} makes coup {x.coup} invalid, {x.cause}: {x.reason}; {_adjusted(x.adjustments)}"
    ),
    e.OwedCollected: lambda x: (
        f"{write_amount(x.cents)} that {x.station} owed is taken from "
        + ("what is paid out" if x.from_held else "the settlement")
    ),
    e.PayablePaid: lambda x: (
        f"{x.by} pays {write_amount(x.cents)} to the patron of control session {x.control} of {x.station}"
    ),
    e.BuyInCorrected: lambda x: (
        f"{x.by} puts right a buy-in of {x.station}: {_tendered(x)}; {x.reason}; {_adjusted({x.station: x.adjustment})}"
    ),
    e.WaitingBuyInCorrected: lambda x: f"{x.by} puts right a buy-in that waits: {_tendered(x)}; {x.reason}",
    e.OwedUncollected: lambda x: f"{write_amount(x.cents)} that {x.station} owed stays uncollected",
    e.OwedWaived: lambda x: f"{x.by} waives {write_amount(x.cents)} that {x.station} owed: {x.reason}",
    e.FactStated: lambda x: f"{x.by} states: {x.kind.replace('_', ' ')}{' ' + ' '.join(x.cards) if x.cards else ''}",
    e.FactWithdrawn: lambda x: f"{x.by} takes back: {x.kind.replace('_', ' ')}; {x.reason}",
    e.ResolutionTakenBack: lambda x: (
        f"{x.by} takes back the resolution of {x.kind.replace('_', ' ')}: {x.reason}; it stands unresolved again"
    ),
    e.FactResolved: lambda x: f"{x.by} resolves: {x.text}",
    e.CuttingCardWithdrawn: lambda x: f"{x.by} takes the cutting card of shoe {x.shoe} back: {x.reason}",
    e.CuttingCardOverdue: lambda x: (
        f"The cutting card of shoe {x.shoe} was to be expected after {x.expected_after} cards, and {x.out} are out"
    ),
    e.ShoeRecounted: lambda x: f"Shoe {x.shoe} holds {x.left} cards, where {x.was} were counted",
    e.CardsDoubted: lambda x: f"The cards are to be checked or replaced before the next coup: {x.reason}",
    e.CardsCarried: lambda x: f"Waiting for the next coup: {' '.join(card or 'an unseen card' for card in x.cards)}",
    e.CoupReconstructed: lambda x: f"Coup {x.coup} is reconstructed: {x.burned} is burned, then {' '.join(x.cards)}",
    e.DummyCoupDeclared: lambda x: (
        f"{x.words}: coup {x.coup}, {x.cause.replace('_', ' ')}"
        + "".join(f"; {station} gets back {_layout(wagers)}" for station, wagers in x.refunds.items())
    ),
    e.CountsAnnounced: lambda x: (
        f"Player {x.player}, Banker {x.banker}; Player pair {x.player_pair}, Banker pair {x.banker_pair}"
    ),
    e.FaceUpChanged: lambda x: f"{x.by} has the cards dealt face {'up' if x.face_up else 'down and turned'}",
    e.CardAmended: lambda x: f"{x.by} amends card {x.position} from {x.was} to {x.card}{_read_again(x)}",
    e.CardTakenBack: lambda x: f"{x.by} takes back card {x.position}, {x.card}{_read_again(x)}",
    e.CoupDecided: lambda x: f"Coup {x.coup}: {x.announcement} (Player {x.player}, Banker {x.banker})",
    e.WagersSettled: _settled,
    **sessions.TOLD,
}
