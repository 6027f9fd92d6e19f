"""Cases: claims of patrons (CROWN 11.12), disputes (13.9, 13.10) and breaches of the rules (13.1, 13.2).

A case is opened, acted on, and closed with a decision that nobody edits later. Money moves only by the acts that say
so, each with its own posting.
"""

from sabot.basics.money import LARGEST_AMOUNT
from sabot.table.accounts.deciding import asked_to_leave, held_for_the_leaving
from sabot.table.acts import (
    ActOnBreach,
    Claim,
    DecideClaim,
    DecideDispute,
    OpenDispute,
    RecordBreach,
    ReleaseSeized,
    Seize,
)
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
from sabot.table.state import Case, TableState

REMEDIES = frozenset({"CROWN 11.10", "CROWN 11.11", "CROWN 11.14", "CROWN 11.15"})
"""What an accepted claim may lead to."""


def claim(state: TableState, command: Claim) -> tuple[Event, ...]:
    if command.station not in state.stations or not state.stations[command.station].is_open:
        raise No(Cause.NO_ACCOUNT, station=command.station)
    if command.role is Role.STATION and command.by != command.station:
        raise No(Cause.NOT_THIS_STATION, station=command.station)
    if not 0 <= command.coup <= state.coups:  # None of them in particular is 0.
        raise No(Cause.UNKNOWN_COUP, coup=command.coup, clause="CROWN 11.12")
    return (
        ClaimMade(
            case=len(state.cases) + 1,
            station=command.station,
            coup=command.coup,
            text=command.text,
            clause="CROWN 11.12",
        ),
    )


def decide_claim(state: TableState, command: DecideClaim) -> tuple[Event, ...]:
    """Accepted, it leads to one of the remedies of rule 11; rejected, it is told why."""
    _open_case(state, command.case, "claim", "CROWN 11.12")
    if command.accepted and command.remedy not in REMEDIES:
        raise No(Cause.REMEDY_MISSING)
    if not command.accepted and not command.reason.strip():
        raise No(Cause.REASON_MISSING, clause="CROWN 11.12")
    return (
        ClaimDecided(
            case=command.case,
            accepted=command.accepted,
            remedy=command.remedy if command.accepted else "",
            reason=command.reason,
            by=command.by,
            clause="CROWN 11.12",
        ),
    )


def open_dispute(state: TableState, command: OpenDispute) -> tuple[Event, ...]:
    if command.station not in state.stations:
        raise No(Cause.UNKNOWN_STATION, station=command.station)
    return (
        DisputeOpened(
            case=len(state.cases) + 1, station=command.station, text=command.text, by=command.by, clause="CROWN 13.9"
        ),
    )


def decide_dispute(state: TableState, command: DecideDispute) -> tuple[Event, ...]:
    """The Casino Supervisor's decision is final; the complainant of an unresolved one is told of the inspector."""
    _open_case(state, command.case, "dispute", "CROWN 13.9")
    if command.unresolved and not command.inspector_advised:
        raise No(Cause.INSPECTOR_NOT_ADVISED)
    for station, cents in command.adjustments.items():
        if station not in state.stations or not state.stations[station].is_open:
            raise No(Cause.NO_ACCOUNT, station=station)
        if not -state.purse(station).balance <= cents <= LARGEST_AMOUNT or cents == 0:
            raise No(Cause.BAD_AMOUNT, why=f"{cents} cents cannot be booked at {station}", clause="CROWN 13.9")
    decided = DisputeDecided(
        case=command.case,
        decision=command.decision,
        adjustments=command.adjustments,
        unresolved=command.unresolved,
        inspector_advised=command.inspector_advised,
        by=command.by,
        clause="CROWN 13.9",
    )
    return (decided, *held_for_the_leaving(fold((decided,), state)))


def record_breach(state: TableState, command: RecordBreach) -> tuple[Event, ...]:
    if command.station not in state.stations:
        raise No(Cause.UNKNOWN_STATION, station=command.station)
    if not command.reason.strip() or not command.contravened.strip():
        raise No(Cause.REASON_MISSING, clause="CROWN 13.2")
    return (
        BreachRecorded(
            case=len(state.cases) + 1,
            station=command.station,
            contravened=command.contravened,
            reason=command.reason,
            prohibited_device=command.prohibited_device,
            control=state.stations[command.station].control,
            by=command.by,
            clause="CROWN 13.2",
        ),
    )


def act_on_breach(state: TableState, command: ActOnBreach) -> tuple[Event, ...]:
    case = _open_case(state, command.case, "breach", "CROWN 13.2")
    if command.act in ("void_wagers", "exclude"):
        _check_same_patron(state, case)
    if command.act == "void_wagers":
        layout = dict(state.purse(case.station).layout)
        if not layout:
            raise No(Cause.NOTHING_TO_VOID, station=case.station)
        voided = WagersVoided(
            station=case.station,
            coup=state.coups,
            wagers=layout,  # type: ignore[arg-type]
            reason=case.text,
            by=command.by,
            clause="CROWN 13.2.1",
        )
        return (voided, *held_for_the_leaving(fold((voided,), state)))
    if command.act == "exclude":
        excluded = PatronExcluded(station=case.station, case=command.case, by=command.by, clause="CROWN 13.2.2")
        asked = (
            ()
            if state.stations[case.station].leaving
            else asked_to_leave(state, case.station, command.at_ms, "CROWN 13.2.2")
        )
        return (excluded, *asked)
    clause = "CROWN 13.2.4" if command.act == "confiscate" else "CROWN 13.2.5"
    if not command.text.strip():
        raise No(Cause.REASON_MISSING, clause=clause)
    return (BreachActed(case=command.case, act=command.act, text=command.text, by=command.by, clause=clause),)


def seize(state: TableState, command: Seize) -> tuple[Event, ...]:
    """Winnings made with a prohibited device, and no more than the winnings, are held pending investigation."""
    case = _open_case(state, command.case, "breach", "CROWN 13.2.3")
    if not case.prohibited_device:
        raise No(Cause.NO_DEVICE)
    _check_same_patron(state, case)
    station, purse = state.stations[case.station], state.purse(case.station)
    winnings = max(0, purse.balance + purse.held + purse.wagered - station.brought)
    if not 0 < command.cents <= min(winnings, purse.balance + purse.held):
        raise No(Cause.BAD_AMOUNT, why=f"{winnings} cents were won at {case.station}", clause="CROWN 13.2.3")
    from_held = min(command.cents, purse.held)
    return (
        WinningsSeized(
            case=command.case,
            station=case.station,
            cents=command.cents,
            from_held_cents=from_held,
            by=command.by,
            clause="CROWN 13.2.3",
        ),
    )


def release(state: TableState, command: ReleaseSeized) -> tuple[Event, ...]:
    case = _open_case(state, command.case, "breach", "CROWN 13.2.3")
    if not case.seized:
        raise No(Cause.NOTHING_SEIZED, case=command.case)
    if not command.reason.strip():
        raise No(Cause.REASON_MISSING, clause="CROWN 13.2.3")
    return (
        SeizedReleased(
            case=command.case,
            station=case.station,
            cents=case.seized,
            forfeit=command.forfeit,
            reason=command.reason,
            by=command.by,
            clause="CROWN 13.2.3",
        ),
    )


def _check_same_patron(state: TableState, case: Case) -> None:
    """The act is against the patron in breach, never against whoever sits at the station now."""
    station = state.stations.get(case.station)
    if station is None or not station.is_open or station.control != case.control:
        raise No(Cause.PATRON_GONE, station=case.station)


def _open_case(state: TableState, number: int, kind: str, clause: str) -> Case:
    case = state.cases.get(number)
    if case is None or case.kind != kind or case.closed:
        raise No(Cause.NO_CASE, clause=clause, kind=kind, case=number)
    return case
