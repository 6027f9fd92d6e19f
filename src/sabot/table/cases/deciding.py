"""Cases: claims of patrons (CROWN 11.12), disputes (13.9, 13.10) and breaches of the rules (13.1, 13.2).

A case is opened, acted on, and closed with a decision that nobody edits later. Money moves only by the acts that say
so, each with its own posting.
"""

from sabot.basics.money import LARGEST_AMOUNT
from sabot.basics.stamp import Stamp
from sabot.table import acts
from sabot.table.accounts.deciding import asked_to_leave, held_for_the_leaving
from sabot.table.events import (
    BreachActed,
    BreachRecorded,
    ClaimDecided,
    ClaimMade,
    DisputeDecided,
    DisputeOpened,
    Event,
    PatronExcluded,
    SeizedReleased,
    WagersVoided,
    WinningsSeized,
)
from sabot.table.evolve import fold
from sabot.table.no import No
from sabot.table.refusal import Cause
from sabot.table.role import Role
from sabot.table.state import Case, CaseKind, TableState

REMEDIES = frozenset({"CROWN 11.10", "CROWN 11.11", "CROWN 11.14", "CROWN 11.15"})
"""What an accepted claim may lead to."""


def remedies(state: TableState) -> tuple[str, ...]:
    """The same as they are cited at this table."""
    return tuple(sorted({state.cites(remedy) for remedy in REMEDIES}))


def claim(state: TableState, act: acts.Claim, stamp: Stamp) -> tuple[Event, ...]:
    name = act.station or stamp.by
    if name not in state.stations or not state.stations[name].is_open:
        raise No(Cause.NO_ACCOUNT, station=name)
    if stamp.role is Role.STATION and stamp.by != name:
        raise No(Cause.NOT_THIS_STATION, station=name)
    if not 0 <= act.coup <= state.coups:  # None of them in particular is 0.
        raise No(Cause.UNKNOWN_COUP, coup=act.coup, clause="CROWN 11.12")
    return (
        ClaimMade(
            case=len(state.cases) + 1,
            station=name,
            coup=act.coup,
            text=act.text,
            clause="CROWN 11.12",
        ),
    )


def decide_claim(state: TableState, act: acts.DecideClaim, stamp: Stamp) -> tuple[Event, ...]:
    """Accepted, it leads to one of the remedies of rule 11; rejected, it is told why."""
    _open_case(state, act.case, CaseKind.CLAIM, "CROWN 11.12")
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


def open_dispute(state: TableState, act: acts.Dispute, stamp: Stamp) -> tuple[Event, ...]:
    if act.station not in state.stations:
        raise No(Cause.UNKNOWN_STATION, station=act.station)
    return (
        DisputeOpened(case=len(state.cases) + 1, station=act.station, text=act.text, by=stamp.by, clause="CROWN 13.9"),
    )


def decide_dispute(state: TableState, act: acts.DecideDispute, stamp: Stamp) -> tuple[Event, ...]:
    """The Casino Supervisor's decision is final; the complainant of an unresolved one is told of the inspector."""
    _open_case(state, act.case, CaseKind.DISPUTE, "CROWN 13.9")
    if act.unresolved and not act.inspector_advised:
        raise No(Cause.INSPECTOR_NOT_ADVISED)
    for station, cents in act.adjustments.items():
        if station not in state.stations or not state.stations[station].is_open:
            raise No(Cause.NO_ACCOUNT, station=station)
        if not -state.purse(station).balance <= cents <= LARGEST_AMOUNT or cents == 0:
            raise No(Cause.BAD_AMOUNT, why=f"{cents} cents cannot be booked at {station}", clause="CROWN 13.9")
    decided = DisputeDecided(
        case=act.case,
        decision=act.decision,
        adjustments=act.adjustments,
        unresolved=act.unresolved,
        inspector_advised=act.inspector_advised,
        by=stamp.by,
        clause="CROWN 13.9",
    )
    return (decided, *held_for_the_leaving(fold((decided,), state)))


def record_breach(state: TableState, act: acts.Breach, stamp: Stamp) -> tuple[Event, ...]:
    if act.station not in state.stations:
        raise No(Cause.UNKNOWN_STATION, station=act.station)
    if not act.reason.strip() or not act.contravened.strip():
        raise No(Cause.REASON_MISSING, clause="CROWN 13.2")
    return (
        BreachRecorded(
            case=len(state.cases) + 1,
            station=act.station,
            contravened=act.contravened,
            reason=act.reason,
            prohibited_device=act.prohibited_device,
            control=state.stations[act.station].control,
            by=stamp.by,
            clause="CROWN 13.2",
        ),
    )


def act_on_breach(state: TableState, act: acts.ActOnBreach, stamp: Stamp) -> tuple[Event, ...]:
    case = _open_case(state, act.case, CaseKind.BREACH, "CROWN 13.2")
    if act.act in ("void_wagers", "exclude"):
        _check_same_patron(state, case)
    if act.act == "void_wagers":
        layout = dict(state.purse(case.station).layout)
        if not layout:
            raise No(Cause.NOTHING_TO_VOID, station=case.station)
        voided = WagersVoided(
            station=case.station,
            coup=state.coups,
            wagers=layout,
            reason=case.text,
            by=stamp.by,
            clause="CROWN 13.2.1",
        )
        return (voided, *held_for_the_leaving(fold((voided,), state)))
    if act.act == "exclude":
        excluded = PatronExcluded(station=case.station, case=act.case, by=stamp.by, clause="CROWN 13.2.2")
        asked = (
            ()
            if state.stations[case.station].leaving
            else asked_to_leave(state, case.station, stamp.at_ms, "CROWN 13.2.2")
        )
        return (excluded, *asked)
    clause = "CROWN 13.2.4" if act.act == "confiscate" else "CROWN 13.2.5"
    if not act.text.strip():
        raise No(Cause.REASON_MISSING, clause=clause)
    return (BreachActed(case=act.case, act=act.act, text=act.text, by=stamp.by, clause=clause),)


def seize(state: TableState, act: acts.Seize, stamp: Stamp) -> tuple[Event, ...]:
    """Winnings made with a prohibited device, and no more than the winnings, are held pending investigation."""
    case = _open_case(state, act.case, CaseKind.BREACH, "CROWN 13.2.3")
    if not case.prohibited_device:
        raise No(Cause.NO_DEVICE)
    _check_same_patron(state, case)
    station, purse = state.stations[case.station], state.purse(case.station)
    winnings = max(0, purse.balance + purse.held + purse.wagered - station.brought)
    if not 0 < act.cents <= min(winnings, purse.balance + purse.held):
        raise No(Cause.BAD_AMOUNT, why=f"{winnings} cents were won at {case.station}", clause="CROWN 13.2.3")
    from_held = min(act.cents, purse.held)
    return (
        WinningsSeized(
            case=act.case,
            station=case.station,
            cents=act.cents,
            from_held_cents=from_held,
            by=stamp.by,
            clause="CROWN 13.2.3",
        ),
    )


def release(state: TableState, act: acts.Release, stamp: Stamp) -> tuple[Event, ...]:
    case = _open_case(state, act.case, CaseKind.BREACH, "CROWN 13.2.3")
    if not case.seized:
        raise No(Cause.NOTHING_SEIZED, case=act.case)
    if not act.reason.strip():
        raise No(Cause.REASON_MISSING, clause="CROWN 13.2.3")
    return (
        SeizedReleased(
            case=act.case,
            station=case.station,
            cents=case.seized,
            forfeit=act.forfeit,
            reason=act.reason,
            by=stamp.by,
            clause="CROWN 13.2.3",
        ),
    )


def _check_same_patron(state: TableState, case: Case) -> None:
    """The act is against the patron in breach, never against another who sits at the station now."""
    station = state.stations.get(case.station)
    if station is None or not station.is_open or station.control != case.control:
        raise No(Cause.PATRON_GONE, station=case.station)


def _open_case(state: TableState, number: int, kind: CaseKind, clause: str) -> Case:
    case = state.cases.get(number)
    if case is None or case.kind is not kind or case.closed:
        raise No(Cause.NO_CASE, clause=clause, kind=kind, case=number)
    return case
