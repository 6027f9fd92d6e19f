"""Setting a table up, opening and closing it, signing on, and the signs it must show."""

from collections.abc import Iterable

import msgspec

from sabot.basics.mistake import Mistake
from sabot.basics.money import LARGEST_AMOUNT, write_amount
from sabot.basics.stamp import Stamp
from sabot.rules.limits import check_limits
from sabot.rules.shipped import figures_of
from sabot.table import acts
from sabot.table.cases.state import CaseKind
from sabot.table.chips.deciding import check_counted_for_closing, left_uncounted
from sabot.table.chips.state import FloatMoment
from sabot.table.configuration import (
    Configuration,
    Unacceptable,
    check,
    offered_bets,
    rule_set_digest_of,
    rule_set_of,
)
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
    SignOnDropped,
    TableClosed,
    TableOpened,
)
from sabot.table.no import No
from sabot.table.phase import Phase
from sabot.table.refusal import Cause
from sabot.table.role import STAFF, Role, in_words, role_to_sign_on_in
from sabot.table.signs.deciding import check_may_announce, clause_of, withdrawn
from sabot.table.signs.posted import DISPLAY, aggregate_after, limits_after, shown_long_enough
from sabot.table.state import CardCheck, NoticeKind, Stage, TableState

CHANGEABLE_WHILE_OPEN = frozenset(
    {
        *("offered", "limits", "aggregate_minimum", "wagering_period_ms", "face_up"),
        *("features", "squeeze", "most_repeats", "regulator", "operator", "staff"),
    }
)
"""What may change between coups; everything else waits until the table is closed. A minimum rises by notice only."""


def configured(wanted: Configuration, keeps: int = 0) -> Configured:
    """What a table without a configuration makes of one that any table may have."""
    try:
        check(wanted)
    except Unacceptable as problem:
        raise No(Cause.CONFIGURATION, clause=problem.clause, why=problem) from None
    return Configured(configuration=wanted, rule_set_digest=rule_set_digest_of(wanted), keeps=max(0, keeps))


def configure(state: TableState, act: acts.Configure, stamp: Stamp) -> tuple[Event, ...]:
    """A person who is taken off the staff list is signed off with it (G-99)."""
    wanted = act.configuration
    event = configured(wanted, act.keeps)
    if state.coup is not None:
        raise No(Cause.COUP_IN_PROGRESS)
    if wanted.options != state.configuration.options:
        why = "an option is chosen for all tables of the house at once"
        raise No(Cause.CONFIGURATION, clause="CROWN 10.1 note *", why=why)
    if state.phase is not Phase.CLOSED:
        _check_changeable(state, wanted)
    _check_no_minimum_rises(state, wanted)
    if any(station not in wanted.stations for station, one in state.stations.items() if one.is_open):
        raise No(Cause.CONFIGURATION, clause="CROWN 1.5", why="a station with an open account cannot be taken away")
    gone = {who: role for who, role in state.signed_on.items() if role not in wanted.staff.get(who, ())}
    return (event, *_float_left_by(state, gone.values(), stamp.by), *(_off(state, who) for who in gone))


def sign_on(state: TableState, act: acts.SignOn, stamp: Stamp) -> tuple[Event, ...]:
    roles = state.configuration.staff.get(stamp.by, ())
    role = act.as_role or role_to_sign_on_in(roles) or Role.DEALER
    if role not in roles:
        raise No(Cause.UNKNOWN_PERSON, who=stamp.by, role=role.in_words)
    if role not in STAFF:
        raise No(Cause.WRONG_ROLE, clause='CROWN 1.1 "Dealer"', needed=in_words(STAFF), role=role.in_words)
    if stamp.by in state.signed_on:
        raise No(Cause.SIGNED_ON_ALREADY, who=stamp.by)
    return (SignedOn(who=stamp.by, role=role, at_ms=stamp.at_ms, number=stamp.sign_on),)


def check_announced(state: TableState, _act: acts.SignOn, stamp: Stamp) -> None:
    """The house records a sign-on before the table does, and each of its numbers is used once (G-99)."""
    if stamp.sign_on <= state.sign_ons.get(stamp.by, 0):
        raise No(Cause.NOT_ANNOUNCED, who=stamp.by)


def drop_sign_on(state: TableState, act: acts.DropSignOn, _stamp: Stamp) -> tuple[Event, ...]:
    """What was taken up in the meantime stays."""
    if act.number <= state.sign_ons.get(act.person, 0):
        return ()
    return (SignOnDropped(who=act.person, number=act.number),)


def sign_off(state: TableState, _act: acts.SignOff, stamp: Stamp) -> tuple[Event, ...]:
    """A dealer who goes from an open table without a count of the float may go, and it is on record (G-192)."""
    if stamp.by not in state.signed_on:
        raise No(Cause.NOT_SIGNED_ON, who=stamp.by)
    left = _float_left_by(state, (state.signed_on[stamp.by],), stamp.by)
    return (*left, _off(state, stamp.by))


def _off(state: TableState, who: str) -> SignedOff:
    return SignedOff(who=who, number=state.sign_ons.get(who, 0))


def open_table(state: TableState, _act: acts.OpenTable, stamp: Stamp) -> tuple[Event, ...]:
    if state.phase is not Phase.CLOSED:
        raise No(Cause.TABLE_OPEN)
    configuration = state.configuration
    bare = not configuration.stations and not rule_set_of(configuration).live_table
    for missing, clause, sentence in (
        (bare, 'CROWN 1.1 "game hardware"', "at least one station is required"),
        (configuration.console is None, "CROWN 2.2(b)", "a console is required"),
        (configuration.display is None, "CROWN 2.2(d)", "a display is required"),
    ):
        if missing:
            raise No(Cause.CONFIGURATION, clause=clause, why=sentence)
    approved = state.approved_builds
    if approved and stamp.build not in approved:
        raise No(Cause.CONFIGURATION, clause='CROWN 1.1 "game system"(b)', why="unapproved build")
    return (
        TableOpened(
            operator=configuration.operator,
            by=stamp.by,
            at_ms=stamp.at_ms,
            rule_set_digest=state.rule_set_digest,
            build=stamp.build,
        ),
    )


def close_table(state: TableState, _act: acts.CloseTable, stamp: Stamp) -> tuple[Event, ...]:
    """A table with patrons closes after its notice, an empty one at once (CROWN 13.7, G-101).

    A patron who comes to a table that was empty when its sign went up has the whole time of it, too.
    """
    if state.coup is not None:
        raise No(Cause.COUP_IN_PROGRESS)
    claims = [str(number) for number, case in state.cases.items() if case.kind is CaseKind.CLAIM and not case.closed]
    if claims and not state.locked:  # They stay open on record (G-153).
        raise No(Cause.CLAIMS_OPEN, cases=", ".join(claims))
    open_stations = [name for name, station in state.stations.items() if station.is_open]
    sign = state.closure
    ripe = sign is not None and sign.from_ms <= stamp.at_ms and shown_long_enough(state, sign, DISPLAY, stamp.at_ms)
    if open_stations and not ripe:
        raise No(Cause.STATIONS_OPEN, stations=", ".join(open_stations))
    if state.shoe.stage is not Stage.NONE and state.cards_checked is not CardCheck.CLOSING:
        raise No(Cause.CARDS_NOT_CHECKED)
    check_counted_for_closing(state)
    closed = TableClosed(by=stamp.by, at_ms=stamp.at_ms)
    return (*left_uncounted(state, FloatMoment.CLOSING, stamp.by), closed)


def approve_build(_state: TableState, act: acts.ApproveBuild, stamp: Stamp) -> tuple[Event, ...]:
    return (BuildApproved(build=act.build, reference=act.reference, by=stamp.by),)


def give_notice(state: TableState, act: acts.Notice, stamp: Stamp) -> tuple[Event, ...]:
    """A minimum that does not rise holds at once, and takes down a sign that said otherwise."""
    clause = clause_of(act.kind)
    if act.kind is not NoticeKind.MINIMUM and act.bet is not None:
        raise No(Cause.SIGN_OF_NO_BET, bet=act.bet)
    if act.kind is NoticeKind.CLOSURE:
        if state.phase is Phase.CLOSED:
            raise No(Cause.TABLE_CLOSED)
        check_may_announce(act.kind, stamp)
        if not any(station.is_open for station in state.stations.values()):
            return (_notice(act, stamp, clause),)
    elif not _raises(state, act):
        taken_down = withdrawn(state, act.kind, act.bet, stamp.by)
        return (*taken_down, MinimumChanged(bet=act.bet, cents=act.cents, clause=clause))
    earliest = stamp.at_ms + state.figures.notice_ms
    if _from(act, stamp) < earliest:
        raise No(Cause.NOTICE_TOO_SHORT, clause=clause, minutes=state.figures.notice_minutes, earliest_ms=earliest)
    return (_notice(act, stamp, clause),)


def take_up_option(state: TableState, act: acts.TakeUpOption, _stamp: Stamp) -> tuple[Event, ...]:
    """Between coups only; the house has made sure of it, and the table makes sure again (G-48)."""
    if state.coup is not None:
        raise No(Cause.COUP_IN_PROGRESS, clause="CROWN 10.1 note *")
    try:
        state.terms.rule_set.choose({act.option: act.choice})
    except Mistake as mistake:
        raise No(Cause.CONFIGURATION, clause="CROWN 10.1 note *", why=mistake) from None
    return (OptionTakenUp(option=act.option, choice=act.choice, clause="CROWN 10.1 note *"),)


def report_device(_state: TableState, act: acts.Device, stamp: Stamp) -> tuple[Event, ...]:
    """Neither the display nor the monitoring link is needed for play (CROWN 1.1 "game system"(a)).

    A display that is down shows no sign, so that no minimum rises on its word (CROWN 5.1).
    """
    return (DeviceReported(device=act.device, up=act.up, at_ms=stamp.at_ms, clause='CROWN 1.1 "game system"(a)'),)


def end_day(state: TableState, act: acts.EndDay, _stamp: Stamp) -> tuple[Event, ...]:
    """The house may say it twice. A day that is over takes in no coups that were played after it ended."""
    if act.date <= state.day_ended:
        return ()
    return (GamingDayEnded(date=act.date, last_coup=state.coups, clause="G-91"),)


def record_incident(state: TableState, act: acts.Incident, stamp: Stamp) -> tuple[Event, ...]:
    """Of a station, or of a person who has none (G-145)."""
    if act.station and act.station not in state.stations:
        raise No(Cause.UNKNOWN_STATION, station=act.station)
    if not (act.station or act.patron.strip() or act.person.strip()):
        raise No(Cause.NOBODY_NAMED)
    there = state.stations[act.station] if act.station else None
    return (
        IncidentRecorded(
            station=act.station,
            text=act.text,
            control=there.control if there else 0,
            patron=act.patron or (there.patron if there else ""),
            person=act.person,
            by=stamp.by,
            clause="CROWN 4.3" if there else "CROWN 4.5",
        ),
    )


def _float_left_by(state: TableState, roles: Iterable[Role], by: str) -> tuple[Event, ...]:
    """What is on record when persons in these roles go: a dealer leaves a float behind at an open table."""
    if state.phase is Phase.CLOSED or Role.DEALER not in roles:
        return ()
    return left_uncounted(state, FloatMoment.SHIFT_CHANGE, by)


def _check_changeable(state: TableState, wanted: Configuration) -> None:
    for name in Configuration.__struct_fields__:
        if name in CHANGEABLE_WHILE_OPEN or getattr(wanted, name) == getattr(state.configuration, name):
            continue
        raise No(Cause.CONFIGURATION, clause="CROWN 7.1", why=f"{name} can be changed only while the table is closed")
    limits = limits_after(state, wanted)
    try:
        check_limits(state.terms, {bet: limits[bet] for bet in offered_bets(wanted)})
    except Mistake as mistake:
        raise No(Cause.CONFIGURATION, clause="CROWN 5.1", why=mistake) from None


def _check_no_minimum_rises(state: TableState, wanted: Configuration) -> None:
    """A minimum rises only by a sign, which may be shown at a closed table too (G-39)."""
    minutes = figures_of(rule_set_of(wanted)).notice_minutes
    why = f"a minimum rises only by a sign that is shown for {minutes} minutes, and not that of {{}}"
    for bet, limits in limits_after(state, wanted).items():
        if limits.minimum > state.minimums.get(bet, limits.minimum):
            raise No(Cause.CONFIGURATION, clause="CROWN 5 footnote s66(2)", why=why.format(bet))
    if aggregate_after(state, wanted) > state.aggregate_minimum:
        raise No(Cause.CONFIGURATION, clause="CROWN 5 footnote s66(2)", why=why.format("the aggregate"))


def _raises(state: TableState, act: acts.Notice) -> bool:
    """Whether the minimum goes up, after checking that it could be honoured at all."""
    if act.kind is NoticeKind.AGGREGATE_MINIMUM:
        if not 0 <= act.cents <= LARGEST_AMOUNT:
            raise No(Cause.BAD_AMOUNT, why=f"{write_amount(act.cents)} is no minimum", clause="CROWN 5.3.3")
        return act.cents > state.aggregate_minimum
    if act.bet is None or act.bet not in state.limits:
        raise No(Cause.NOT_OFFERED, bet=act.bet or "a bet without a name")
    limits = state.limits[act.bet]
    try:
        check_limits(state.terms, {act.bet: msgspec.structs.replace(limits, minimum=act.cents)})
    except Mistake as mistake:
        raise No(Cause.CONFIGURATION, clause="CROWN 5.1", why=mistake) from None
    return act.cents > limits.minimum


def _from(act: acts.Notice, stamp: Stamp) -> int:
    return stamp.at_ms if act.from_ms is None else act.from_ms


def _notice(act: acts.Notice, stamp: Stamp, clause: str) -> NoticeGiven:
    return NoticeGiven(
        kind=act.kind,
        from_ms=_from(act, stamp),
        shown_ms=stamp.at_ms,
        bet=act.bet,
        cents=act.cents,
        clause=clause,
    )
