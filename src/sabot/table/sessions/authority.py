"""What may be done at a table reserved for a tournament, and while a session of it is on (CROWN 12.2.2, 12.3.2).

Every act of a table is in one of the two lists below; an act that is new must say where it belongs.
"""

from sabot.table import acts
from sabot.table.no import No
from sabot.table.refusal import Cause
from sabot.table.sessions.state import Reservation
from sabot.table.sessions.terms import SessionTerms
from sabot.table.state import TableState

NOT_WHILE_RESERVED: frozenset[type[acts.Act]] = frozenset(
    {
        *(acts.BuyIn, acts.Note, acts.InsertTicket, acts.ReadPlayerCard, acts.Nominee),
        *(acts.Configure, acts.CloseTable),
    }
)
"""Cash play, and what would end or change the table under the tournament."""
NOT_IN_SESSION: dict[type[acts.Act], str] = {
    acts.Leave: "6.6.1",
    acts.Stay: "6.6.1",
    acts.Pay: "6.7",
    acts.ManualPay: "6.7.2",
    acts.PayPayable: "",
    acts.PayByHand: "",
    acts.CorrectBuyIn: "",
    acts.Waive: "",
    acts.Seize: "",
    acts.Release: "",
    acts.SetOwnLimit: "",
    acts.TakeBreak: "",
    acts.AcknowledgeCheck: "",
    acts.Fill: "",
    acts.Credit: "",
    acts.CountFloat: "",
    acts.CloseIdle: "",
    acts.Notice: "",
    acts.WithdrawNotice: "",
    acts.TakeUpOption: "",
}
"""What waits until the session is over, with the clause of rule 6 by which it would be done, where there is one.

All of it moves money, or would make the terms of one seat or table other than those of the rest (CROWN 12.1.1).
"""
OPEN_IN_SESSION: frozenset[type[acts.Act]] = frozenset(
    {
        *(acts.SignOn, acts.SignOff, acts.DropSignOn, acts.OpenTable, acts.ApproveBuild, acts.ShowsSign, acts.Device),
        *(acts.EndDay, acts.DropEscrow),
        *(acts.Incident, acts.CheckCards, acts.Pack, acts.NewShoe, acts.OpenShoe, acts.OrderShuffle),
        *(acts.ReplaceCards, acts.Cut, acts.Burn, acts.ShowBurn, acts.CuttingCard, acts.WithdrawCuttingCard),
        *(acts.PrintFailed, acts.HandBack, acts.DirectToLeave, acts.Vacate, acts.OutOfService, acts.BackInService),
        *(acts.MovePatron, acts.CallAttendant, acts.AnswerCall, acts.EndCall),
        *(acts.SetWager, acts.Move, acts.Undo, acts.Clear, acts.Repeat, acts.Double, acts.Lay),
        *(acts.Open, acts.Close, acts.Tick, acts.FaceUp, acts.Card, acts.Amend, acts.TakeBackCard, acts.Confirm),
        *(acts.Void, acts.Fact, acts.WithdrawFact, acts.Unresolve, acts.Resolve),
        *(acts.Freeze, acts.Correct, acts.Recalculate, acts.Unfreeze, acts.Invalidate),
        *(acts.Claim, acts.DecideClaim, acts.RemedyDone, acts.Dispute, acts.DecideDispute),
        *(acts.Breach, acts.ActOnBreach, acts.EndDetention, acts.Complaint, acts.AnswerComplaint),
        *(acts.CloseComplaint, acts.Fault, acts.Malfunction, acts.Restart, acts.ClockJump, acts.BringBack, acts.Seen),
        *(acts.ConfirmRecords, acts.CannotConfirm, acts.BookDifference),
        *(acts.ReserveTable, acts.ReleaseTable, acts.OpenSession, acts.AdmitSeat, acts.AddCredits, acts.CloseSeat),
        *(acts.AgreeToConclude, acts.ConcludeSession, acts.EndSession),
    }
)
OPEN_ANYWAY = OPEN_IN_SESSION - {acts.Open}
"""What no reservation closes, so that a touch need not ask further."""


def check_open(state: TableState, act: acts.Act, reserved: Reservation) -> None:
    """Refuse what the tournament keeps closed: by its reservation, or by its conditions for accounts."""
    kind, session = type(act), state.session
    if kind in NOT_WHILE_RESERVED or (session is None and kind is acts.Open):
        raise No(Cause.RESERVED, tournament=reserved.tournament)
    if session is None or kind not in NOT_IN_SESSION:
        return
    clause = NOT_IN_SESSION[kind]
    if clause and (why := _condition(session.terms, clause)):
        raise No(Cause.RULE_6_EXCLUDED, why=why)
    raise No(Cause.SESSION_ON, sitting=session.terms.sitting)


def _condition(terms: SessionTerms, clause: str) -> str:
    """What the conditions make of the clause, or of a part of it that they name whole."""
    named = next((one for one in (clause, clause.rpartition(".")[0]) if one in terms.excluded), "")
    if named:
        return f"{named} does not apply"
    text = next((text for one, text in terms.modified.items() if clause.startswith(one)), None)
    return "" if text is None else text.get("en", clause)
