"""Cases: claims of patrons (CROWN 11.12), disputes (13.9, 13.10) and complaints (13.11).

A case is opened, acted on, and closed with a decision that nobody edits later. Money moves only by the acts that say
so, each with its own posting, and only for the patron whose case it is (G-141).
"""

from sabot.basics.money import LARGEST_AMOUNT, write_amount
from sabot.basics.stamp import Stamp
from sabot.table import acts
from sabot.table.accounts.deciding import held_for_the_leaving
from sabot.table.cases.remedies import REMEDIES
from sabot.table.cases.state import Case, CaseKind
from sabot.table.cases.whose import Whose, open_case, session_at, whose
from sabot.table.corrections.deciding import adjustment
from sabot.table.events import (
    Adjustment,
    ClaimDecided,
    ClaimMade,
    ComplaintAnswered,
    ComplaintClosed,
    ComplaintMade,
    DisputeDecided,
    DisputeOpened,
    Event,
    RemedyPerformed,
)
from sabot.table.evolve import fold
from sabot.table.no import No
from sabot.table.refusal import Cause
from sabot.table.role import Role
from sabot.table.state import TableState

MOST_CLAIMS = 3
"""Open claims that one patron makes at a station; the Dealer can enter more."""


def remedies(state: TableState) -> tuple[str, ...]:
    """The same as they are cited at this table."""
    return tuple(sorted({state.cites(remedy) for remedy in REMEDIES}))


def claim(state: TableState, act: acts.Claim, stamp: Stamp) -> tuple[Event, ...]:
    """A patron claims at the station, or to the Dealer, and may have left meanwhile (G-141)."""
    who = _who_claims(state, act, stamp)
    if stamp.role is Role.STATION:
        _check_not_noted(state, who)
    if not who.control and not who.patron:
        raise No(Cause.NO_ACCOUNT, station=who.station)
    if not 0 <= act.coup <= state.coups:  # None of them in particular is 0.
        raise No(Cause.UNKNOWN_COUP, coup=act.coup, clause="CROWN 11.12")
    return (
        ClaimMade(
            case=state.cases_opened + 1,
            station=who.station,
            coup=act.coup,
            text=act.text,
            control=who.control,
            patron=who.patron,
            clause="CROWN 11.12",
            reason=act.reason or "",
        ),
    )


def _check_not_noted(state: TableState, who: Whose) -> None:
    """A patron who touches again and again is told that staff know (G-197)."""
    noted = [
        str(number)
        for number, case in state.cases.items()
        if case.kind is CaseKind.CLAIM and case.is_of(who.station, who.control)
    ]
    if len(noted) >= MOST_CLAIMS:
        raise No(Cause.ALREADY_NOTED, station=who.station, cases=", ".join(noted))


def _who_claims(state: TableState, act: acts.Claim, stamp: Stamp) -> Whose:
    """A station speaks only for the patron who controls it now."""
    if stamp.role is not Role.STATION:
        return whose(state, act.station, act.control, act.patron, coup=act.coup)
    name = act.station or stamp.by
    if stamp.by != name or act.control is not None or act.patron:
        raise No(Cause.NOT_THIS_STATION, station=name)
    return whose(state, name, state.stations[name].control or None, coup=act.coup)


def decide_claim(state: TableState, act: acts.DecideClaim, stamp: Stamp) -> tuple[Event, ...]:
    """Accepted, it leads to one of the remedies of rule 11 and stays open until then; rejected, it is told why."""
    case = open_case(state, act.case, CaseKind.CLAIM, "CROWN 11.12")
    if case.remedy:
        raise No(Cause.CLAIM_ACCEPTED, case=act.case, remedy=case.remedy)
    remedy = state.cites(act.remedy) if act.accepted else ""
    if act.accepted and remedy not in remedies(state):
        raise No(Cause.REMEDY_MISSING, remedies=", ".join(remedies(state)))
    if not act.accepted and not act.reason.strip():
        raise No(Cause.REASON_MISSING, clause="CROWN 11.12")
    return (
        ClaimDecided(
            case=act.case,
            accepted=act.accepted,
            remedy=remedy,
            reason=act.reason,
            by=stamp.by,
            clause="CROWN 11.12",
        ),
    )


def remedy_done(state: TableState, act: acts.RemedyDone, stamp: Stamp) -> tuple[Event, ...]:
    """What was done about an accepted claim, where no act of the table says it (G-147)."""
    case = open_case(state, act.case, CaseKind.CLAIM, "CROWN 11.12")
    if not case.remedy:
        raise No(Cause.CLAIM_UNDECIDED, case=act.case)
    if not act.text.strip():
        raise No(Cause.REASON_MISSING, clause="CROWN 11.12")
    done = RemedyPerformed(case=act.case, remedy=case.remedy, done=act.text, by=stamp.by, clause="CROWN 11.12")
    return (done,)


def open_dispute(state: TableState, act: acts.Dispute, stamp: Stamp) -> tuple[Event, ...]:
    who = whose(state, act.station, act.control, act.patron, act.person, act.coup)
    return (
        DisputeOpened(
            case=state.cases_opened + 1,
            station=who.station,
            text=act.text,
            coup=act.coup,
            control=who.control,
            patron=who.patron,
            person=who.person,
            by=stamp.by,
            clause="CROWN 13.9",
        ),
    )


def decide_dispute(state: TableState, act: acts.DecideDispute, stamp: Stamp) -> tuple[Event, ...]:
    """The Casino Supervisor's decision is final; the complainant of an unresolved one is told of the inspector."""
    case = open_case(state, act.case, CaseKind.DISPUTE, "CROWN 13.9")
    if act.unresolved and not act.inspector_advised:
        raise No(Cause.INSPECTOR_NOT_ADVISED)
    booked = {station: _booked(state, case, station, cents) for station, cents in act.adjustments.items()}
    decided = DisputeDecided(
        case=act.case,
        decision=act.decision,
        adjustments=act.adjustments,
        booked=booked,
        unresolved=act.unresolved,
        inspector_advised=act.inspector_advised,
        by=stamp.by,
        clause="CROWN 13.9",
    )
    return (decided, *held_for_the_leaving(fold((decided,), state)))


def _booked(state: TableState, case: Case, station: str, cents: int) -> Adjustment:
    """It is the patron's who complained, or who was at the other station when the dispute was opened (G-142)."""
    control = case.control if station == case.station else session_at(state, station, as_of=case.as_of)
    if station not in state.stations or not control:
        raise No(Cause.NO_ACCOUNT, station=station)
    if cents == 0 or abs(cents) > LARGEST_AMOUNT:
        raise No(Cause.BAD_AMOUNT, why=f"{write_amount(cents)} cannot be booked at {station}", clause="CROWN 13.9")
    return adjustment(state, station, control, cents)


def complain(state: TableState, act: acts.Complaint, stamp: Stamp) -> tuple[Event, ...]:
    """A complaint about the conduct of the game is a record of its own (G-146)."""
    who = whose(state, act.station, act.control, act.patron, act.person)
    if not act.text.strip():
        raise No(Cause.REASON_MISSING, clause="CROWN 13.11")
    return (
        ComplaintMade(
            case=state.cases_opened + 1,
            station=who.station,
            text=act.text,
            control=who.control,
            patron=who.patron,
            person=who.person,
            by=stamp.by,
            at_ms=stamp.at_ms,
            clause="CROWN 13.11",
        ),
    )


def answer_complaint(state: TableState, act: acts.AnswerComplaint, stamp: Stamp) -> tuple[Event, ...]:
    open_case(state, act.case, CaseKind.COMPLAINT, "CROWN 13.11")
    if not act.text.strip():
        raise No(Cause.REASON_MISSING, clause="CROWN 13.11")
    told = ComplaintAnswered(case=act.case, told=act.text, by=stamp.by, at_ms=stamp.at_ms, clause="CROWN 13.11")
    return (told,)


def close_complaint(state: TableState, act: acts.CloseComplaint, stamp: Stamp) -> tuple[Event, ...]:
    """It is closed with its outcome, and only when the person who complained was told something."""
    case = open_case(state, act.case, CaseKind.COMPLAINT, "CROWN 13.11")
    if not case.told:
        raise No(Cause.COMPLAINANT_NOT_TOLD, case=act.case)
    if not act.text.strip():
        raise No(Cause.REASON_MISSING, clause="CROWN 13.11")
    closed = ComplaintClosed(case=act.case, outcome=act.text, by=stamp.by, at_ms=stamp.at_ms, clause="CROWN 13.11")
    return (closed,)
