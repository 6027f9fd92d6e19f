"""Setting a table up, opening and closing it, signing on, and the signs it must show."""

import msgspec

from sabot.basics.mistake import Mistake
from sabot.basics.money import LARGEST_AMOUNT
from sabot.rules.limits import check_limits
from sabot.rules.rule_set_file import digest
from sabot.table.acts import (
    ApproveBuild,
    CloseTable,
    Configure,
    EndDay,
    GiveNotice,
    OpenTable,
    RecordIncident,
    ReportDevice,
    SignOff,
    SignOn,
    TakeUpOption,
)
from sabot.table.configuration import Configuration, Unacceptable, check, offered_bets, rule_set_of
from sabot.table.events import (
    BuildApproved,
    Configured,
    DeviceReported,
    Event,
    GamingDayEnded,
    IncidentRecorded,
    MinimumChanged,
    NoticeGiven,
    OptionTakenUp,
    SignedOff,
    SignedOn,
    TableClosed,
    TableOpened,
)
from sabot.table.no import No
from sabot.table.phase import Phase
from sabot.table.refusal import Cause
from sabot.table.role import Role
from sabot.table.state import Stage, TableState

NOTICE_MS = 20 * 60 * 1000
"""How long a sign must be shown before a minimum rises or a table with patrons closes (s66(2), CROWN 13.7)."""

CHANGEABLE_WHILE_OPEN = frozenset(
    {"offered", "wagering_period_ms", "face_up", "features", "regulator", "operator", "staff"}
)
"""What may change between coups; everything else waits until the table is closed. Limits change by notice."""


def configure(state: TableState, command: Configure) -> tuple[Event, ...]:
    """Whoever is taken off the staff list is signed off with it (G-99)."""
    wanted = command.configuration
    try:
        check(wanted)
    except Unacceptable as problem:
        raise No(Cause.CONFIGURATION, clause=problem.clause, why=problem) from None
    if state.coup is not None:
        raise No(Cause.COUP_IN_PROGRESS)
    if state.configuration is not None and wanted.options != state.configuration.options:
        why = "an option is chosen for all tables of the house at once"
        raise No(Cause.CONFIGURATION, clause="CROWN 10.1 note *", why=why)
    if state.phase is not Phase.CLOSED:
        _check_changeable(state, wanted)
    else:
        _check_no_minimum_rises(state, wanted)
    if any(station not in wanted.stations for station, one in state.stations.items() if one.is_open):
        raise No(Cause.CONFIGURATION, clause="CROWN 1.5", why="a station with an open account cannot be taken away")
    configured = Configured(configuration=wanted, rule_set_digest=digest(rule_set_of(wanted)))
    gone = (who for who, role in state.signed_on.items() if role not in wanted.staff.get(who, ()))
    return (configured, *(SignedOff(who=who) for who in gone))


def sign_on(state: TableState, command: SignOn) -> tuple[Event, ...]:
    assert state.configuration is not None
    roles = state.configuration.staff.get(command.by, ())
    role = command.as_role or (roles[0] if roles else Role.DEALER)
    if role not in roles:
        raise No(Cause.UNKNOWN_PERSON, who=command.by, role=role.in_words)
    if command.by in state.signed_on:
        raise No(Cause.SIGNED_ON_ALREADY, who=command.by)
    return (SignedOn(who=command.by, role=role, at_ms=command.at_ms),)


def sign_off(state: TableState, command: SignOff) -> tuple[Event, ...]:
    if command.by not in state.signed_on:
        raise No(Cause.NOT_SIGNED_ON, who=command.by)
    return (SignedOff(who=command.by),)


def open_table(state: TableState, command: OpenTable) -> tuple[Event, ...]:
    if state.phase is not Phase.CLOSED:
        raise No(Cause.TABLE_OPEN)
    configuration = state.configuration
    assert configuration is not None
    bare = not configuration.stations and not rule_set_of(configuration).live_table
    for missing, clause, sentence in (
        (bare, 'CROWN 1.1 "game hardware"', "at least one station is required"),
        (configuration.console is None, "CROWN 2.2(b)", "a console is required"),
        (configuration.display is None, "CROWN 2.2(d)", "a display is required"),
    ):
        if missing:
            raise No(Cause.CONFIGURATION, clause=clause, why=sentence)
    approved = state.approved_builds
    if approved and command.build not in approved:
        raise No(Cause.CONFIGURATION, clause='CROWN 1.1 "game system"(b)', why="unapproved build")
    return (
        TableOpened(
            operator=configuration.operator,
            by=command.by,
            at_ms=command.at_ms,
            rule_set_digest=state.rule_set_digest,
            build=command.build,
        ),
    )


def close_table(state: TableState, command: CloseTable) -> tuple[Event, ...]:
    """A table with patrons closes after 20 minutes' notice, an empty one at once (CROWN 13.7, G-101).

    Whoever comes to a table that was empty when its sign went up has 20 minutes of it too.
    """
    if state.coup is not None:
        raise No(Cause.COUP_IN_PROGRESS)
    claims = [str(number) for number, case in state.cases.items() if case.kind == "claim" and not case.closed]
    if claims:
        raise No(Cause.CLAIMS_OPEN, cases=", ".join(claims))
    open_stations = [name for name, station in state.stations.items() if station.is_open]
    sign = state.closure
    if open_stations and (sign is None or command.at_ms < max(sign.from_ms, sign.shown_ms + NOTICE_MS)):
        raise No(Cause.STATIONS_OPEN, stations=", ".join(open_stations))
    if state.shoe.stage is not Stage.NONE and state.cards_checked != "closing":
        raise No(Cause.CARDS_NOT_CHECKED)
    return (TableClosed(by=command.by, at_ms=command.at_ms),)


def approve_build(state: TableState, command: ApproveBuild) -> tuple[Event, ...]:  # noqa: ARG001
    return (BuildApproved(build=command.build, reference=command.reference, by=command.by),)


def give_notice(state: TableState, command: GiveNotice) -> tuple[Event, ...]:
    clause = "CROWN 13.7" if command.kind == "closure" else "CROWN 5 footnote s66(2)"
    if command.kind == "closure":
        if state.phase is Phase.CLOSED:
            raise No(Cause.TABLE_CLOSED)
        if command.role is not Role.CASINO_SUPERVISOR:
            raise No(Cause.WRONG_ROLE, needed="Casino Supervisor", role=command.role.in_words, clause=clause)
        if not any(station.is_open for station in state.stations.values()):
            return (_notice(command, clause),)
    elif not _raises(state, command):
        if state.coup is not None:
            raise No(Cause.COUP_IN_PROGRESS, clause=clause)
        return (MinimumChanged(bet=command.bet, cents=command.cents, clause=clause),)
    earliest = command.at_ms + NOTICE_MS
    if command.from_ms < earliest:
        raise No(Cause.NOTICE_TOO_SHORT, clause=clause, earliest=write_time(earliest))
    return (_notice(command, clause),)


def take_up_option(state: TableState, command: TakeUpOption) -> tuple[Event, ...]:
    """Between coups only; the house has made sure of it, and the table makes sure again (G-48)."""
    if state.coup is not None:
        raise No(Cause.COUP_IN_PROGRESS, clause="CROWN 10.1 note *")
    assert state.terms is not None
    try:
        state.terms.rule_set.choose({command.option: command.choice})
    except Mistake as mistake:
        raise No(Cause.CONFIGURATION, clause="CROWN 10.1 note *", why=mistake) from None
    return (OptionTakenUp(option=command.option, choice=command.choice, clause="CROWN 10.1 note *"),)


def report_device(state: TableState, command: ReportDevice) -> tuple[Event, ...]:  # noqa: ARG001
    """Neither the display nor the monitoring link is needed for play (CROWN 1.1 "game system"(a))."""
    return (DeviceReported(device=command.device, up=command.up, clause='CROWN 1.1 "game system"(a)'),)


def end_day(state: TableState, command: EndDay) -> tuple[Event, ...]:
    """The house may say it twice. A day that is over takes in no coups that were played after it ended."""
    if command.date <= state.day_ended:
        return ()
    return (GamingDayEnded(date=command.date, last_coup=state.coups, clause="G-91"),)


def record_incident(state: TableState, command: RecordIncident) -> tuple[Event, ...]:
    if command.station not in state.stations:
        raise No(Cause.UNKNOWN_STATION, station=command.station)
    control = state.stations[command.station].control
    return (
        IncidentRecorded(
            station=command.station, text=command.text, control=control, by=command.by, clause="CROWN 4.3"
        ),
    )


def _check_changeable(state: TableState, wanted: Configuration) -> None:
    assert state.configuration is not None
    for name in Configuration.__struct_fields__:
        if name in CHANGEABLE_WHILE_OPEN or getattr(wanted, name) == getattr(state.configuration, name):
            continue
        raise No(Cause.CONFIGURATION, clause="CROWN 7.1", why=f"{name} can be changed only while the table is closed")
    for bet in offered_bets(wanted):
        if bet not in state.limits:
            raise No(Cause.CONFIGURATION, clause="CROWN 5.1", why=f"{bet} is offered without limits")


def _check_no_minimum_rises(state: TableState, wanted: Configuration) -> None:
    """A minimum rises only by a sign, which may be shown at a closed table too (G-39)."""
    why = "a minimum rises only by a sign that is shown for 20 minutes, and not that of {}"
    for bet, limits in wanted.limits.items():
        if limits.minimum > state.minimums.get(bet, limits.minimum):
            raise No(Cause.CONFIGURATION, clause="CROWN 5 footnote s66(2)", why=why.format(bet))
    if state.configuration is not None and wanted.aggregate_minimum > state.aggregate_minimum:
        raise No(Cause.CONFIGURATION, clause="CROWN 5 footnote s66(2)", why=why.format("the aggregate"))


def _raises(state: TableState, command: GiveNotice) -> bool:
    """Whether the minimum goes up, after checking that it could be honoured at all."""
    if command.kind == "aggregate_minimum":
        if not 0 <= command.cents <= LARGEST_AMOUNT:
            raise No(Cause.BAD_AMOUNT, why=f"{command.cents} cents is no minimum", clause="CROWN 5.3.3")
        return command.cents > state.aggregate_minimum
    if command.bet is None or command.bet not in state.limits:
        raise No(Cause.NOT_OFFERED, bet=command.bet or "a bet without a name")
    limits = state.limits[command.bet]
    assert state.terms is not None
    try:
        check_limits(state.terms, {command.bet: msgspec.structs.replace(limits, minimum=command.cents)})
    except Mistake as mistake:
        raise No(Cause.CONFIGURATION, clause="CROWN 5.1", why=mistake) from None
    return command.cents > limits.minimum


def write_time(milliseconds: int) -> str:
    """A time on the table's clock as people read it, hours counting on through the night."""
    seconds, rest = divmod(milliseconds, 1000)
    written = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{written}.{rest:03}" if rest else written


def _notice(command: GiveNotice, clause: str) -> NoticeGiven:
    return NoticeGiven(
        kind=command.kind,
        from_ms=command.from_ms,
        shown_ms=command.at_ms,
        bet=command.bet,
        cents=command.cents,
        clause=clause,
    )
