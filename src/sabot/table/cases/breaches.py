"""Breaches of the rules, and what a Casino Supervisor may do about them (CROWN 13.1, 13.2)."""

from collections.abc import Iterator

from msgspec.structs import replace

from sabot.basics.money import write_amount
from sabot.basics.stamp import Stamp
from sabot.ledger.account import payable_to
from sabot.rules.terms import Outcome
from sabot.table import acts
from sabot.table.accounts.deciding import asked_to_leave, held_for_the_leaving
from sabot.table.cases.state import Case, CaseKind
from sabot.table.cases.whose import is_here, open_case, sessions_of, whose
from sabot.table.corrections.deciding import adjustment, adjustments_to, find, settled_last
from sabot.table.events import (
    BreachActed,
    BreachRecorded,
    DetentionEnded,
    Event,
    PatronExcluded,
    SeizedReleased,
    WagersReversed,
    WagersVoided,
    WinningsSeized,
)
from sabot.table.evolve import fold
from sabot.table.history.kept import MOST_COUPS_WON, coups_since
from sabot.table.no import No
from sabot.table.refusal import Cause
from sabot.table.sessions.closing import Ending, end_of_play
from sabot.table.state import Played, TableState


def record_breach(state: TableState, act: acts.Breach, stamp: Stamp) -> tuple[Event, ...]:
    """Who broke a rule may have left, or be a bystander (G-145)."""
    who = whose(state, act.station, act.control, act.patron, act.person)
    if not act.reason.strip() or not act.contravened.strip():
        raise No(Cause.REASON_MISSING, clause="CROWN 13.2")
    return (
        BreachRecorded(
            case=state.cases_opened + 1,
            station=who.station,
            contravened=act.contravened,
            reason=act.reason,
            prohibited_device=act.prohibited_device,
            control=who.control,
            patron=who.patron,
            person=who.person,
            by=stamp.by,
            clause="CROWN 13.2",
        ),
    )


def act_on_breach(state: TableState, act: acts.ActOnBreach, stamp: Stamp) -> tuple[Event, ...]:
    case = open_case(state, act.case, CaseKind.BREACH, "CROWN 13.2")
    if act.act == "void_wagers":
        return _void(state, act, case, stamp)
    if act.act == "exclude":
        return _exclude(state, act, case, stamp)
    clause = "CROWN 13.2.4" if act.act == "confiscate" else "CROWN 13.2.5"
    if not act.text.strip():
        raise No(Cause.REASON_MISSING, clause=clause)
    return (BreachActed(case=act.case, act=act.act, text=act.text, at_ms=stamp.at_ms, by=stamp.by, clause=clause),)


def _void(state: TableState, act: acts.ActOnBreach, case: Case, stamp: Stamp) -> tuple[Event, ...]:
    """Any wager of the patron: those that lie now go back, settled ones are reversed as a correction (G-66, G-144)."""
    here = is_here(state, case)
    lying = dict(state.purse(case.station).layout) if here else {}
    if lying and act.coup in (None, state.coups):
        voided = WagersVoided(
            station=case.station,
            coup=state.coups,
            wagers=lying,
            reason=case.text,
            by=stamp.by,
            clause="CROWN 13.2.1",
        )
        return (voided, *held_for_the_leaving(fold((voided,), state)))
    played = settled_last(state) if act.coup is None else find(state, act.coup, "CROWN 13.2.1")
    events = () if played is None else tuple(_reversed(state, act.case, case, played, stamp))
    if not events:
        raise No(Cause.NOTHING_TO_VOID if here or act.coup else Cause.PATRON_GONE, station=case.station)
    return (*events, *held_for_the_leaving(fold(events, state)))


def _reversed(state: TableState, number: int, case: Case, played: Played, stamp: Stamp) -> Iterator[Event]:
    """The patron's part of a settled coup is undone; everybody else's stays."""
    sessions, settlements = sessions_of(state, case), dict(played.settlements)
    for station in played.settlements:
        if played.controls[station] not in sessions:
            continue
        del settlements[station]
        found = adjustments_to(state, replace(played, settlements={station: played.settlements[station]}), {})
        seized = 0
        if station == case.station and station in found:
            one = found[station]
            seized = min(case.seized, max(0, -one.change_cents))
            rest = adjustment(state, station, one.control, one.change_cents + seized, one.commission_cents)
            found = {station: replace(rest, change_cents=one.change_cents)}
        yield WagersReversed(
            station=station,
            coup=played.coup,
            settlements=dict(settlements),
            adjustments=found,
            case=number,
            from_seized_cents=seized,
            by=stamp.by,
            clause="CROWN 13.2.1",
        )


def _exclude(state: TableState, act: acts.ActOnBreach, case: Case, stamp: Stamp) -> tuple[Event, ...]:
    """A patron at the station leaves it; one who is known by reference is excluded wherever that is."""
    clause = "CROWN 13.2.2"
    if is_here(state, case):
        excluded = PatronExcluded(station=case.station, case=act.case, by=stamp.by, clause=clause)
        if state.session is not None:
            return (excluded, *end_of_play(state, case.station, stamp.at_ms, Ending(case.text, clause)))
        leaving = state.stations[case.station].leaving
        return (excluded, *(() if leaving else asked_to_leave(state, case.station, stamp.at_ms, clause)))
    if case.patron:
        return (PatronExcluded(station="", case=act.case, by=stamp.by, clause=clause),)
    if not case.person:
        raise No(Cause.PATRON_GONE, station=case.station)
    text = act.text or case.person
    return (BreachActed(case=act.case, act="exclude", text=text, at_ms=stamp.at_ms, by=stamp.by, clause=clause),)


def end_detention(state: TableState, act: acts.EndDetention, stamp: Stamp) -> tuple[Event, ...]:
    """It ends when an authorised person takes over, or when the person is let go for a reason (G-145)."""
    case = state.cases.get(act.case)
    if case is None or case.detained_ms is None:
        raise No(Cause.NOT_DETAINED, case=act.case)
    if not act.taken_over_by.strip() and not act.reason.strip():
        raise No(Cause.TAKEN_OVER_BY_WHOM)
    ended = stamp.at_ms if act.ended_ms is None else act.ended_ms
    if not case.detained_ms <= ended <= stamp.at_ms:
        raise No(Cause.DETENTION_TIME, since_ms=case.detained_ms, now_ms=stamp.at_ms)
    return (
        DetentionEnded(
            case=act.case,
            taken_over_by=act.taken_over_by,
            began_ms=case.detained_ms,
            ended_ms=ended,
            reason=act.reason,
            by=stamp.by,
            clause="CROWN 13.2.5",
        ),
    )


def seize(state: TableState, act: acts.Seize, stamp: Stamp) -> tuple[Event, ...]:
    """What was won with a prohibited device in possession is held pending investigation, as far as it is still here.

    It is taken from what waits for the patron first, then from what is held for leaving, then from the account.
    """
    case = open_case(state, act.case, CaseKind.BREACH, "CROWN 13.2.3")
    if not case.prohibited_device:
        raise No(Cause.NO_DEVICE)
    here, purse = is_here(state, case), state.purse(case.station)
    payable = state.ledger.balance(payable_to(case.station, case.control))
    if not here and not payable:
        raise No(Cause.PATRON_GONE, station=case.station)
    since = _since(state, act, case)
    won = _won(state, case, since)
    held, balance = (purse.held, purse.balance) if here else (0, 0)
    if not 0 < act.cents <= min(won, payable + held + balance):
        left = write_amount(payable + held + balance)
        why = f"{write_amount(won)} were won by the patron of {case.station} since then, and {left} are left"
        raise No(Cause.BAD_AMOUNT, why=why, clause="CROWN 13.2.3")
    from_payable = min(act.cents, payable)
    return (
        WinningsSeized(
            case=act.case,
            station=case.station,
            control=case.control,
            cents=act.cents,
            from_held_cents=min(act.cents - from_payable, held),
            from_payable_cents=from_payable,
            since_ms=since,
            by=stamp.by,
            clause="CROWN 13.2.3",
        ),
    )


def _since(state: TableState, act: acts.Seize, case: Case) -> int:
    return state.sessions[case.control].from_ms if act.since_ms is None else act.since_ms


def _won(state: TableState, case: Case, since_ms: int) -> int:
    """What the patron's winning wagers paid since then, after commission; no losses are set against it (G-143).

    What was seized from the same session before does not count again.
    """
    coups, sessions = coups_since(state, since_ms, case.control, case.patron), sessions_of(state, case)
    wagered = [one for one in coups if not sessions.isdisjoint(one.controls.values())]
    won = sum(
        one.net_cents
        for played in sorted(wagered, key=lambda one: -one.coup)[:MOST_COUPS_WON]
        if not played.invalid
        for station, settled in played.settlements.items()
        if played.controls[station] in sessions
        for one in settled
        if one.outcome is Outcome.WIN
    )
    before = sum(other.seized_in_all for other in state.cases.values() if other.control in sessions)
    return max(0, won - before)


def release(state: TableState, act: acts.Release, stamp: Stamp) -> tuple[Event, ...]:
    case = open_case(state, act.case, CaseKind.BREACH, "CROWN 13.2.3")
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
