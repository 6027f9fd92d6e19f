"""The floor's view for supervisors of all tables: state and money, staff, devices, tickets, slips, the gaming day."""

from collections.abc import Mapping

import msgspec

from sabot.house.liability import Liability, liability
from sabot.house.state import WAITING, DeviceKind, HouseSlipStatus, HouseState, SlipDirection, TicketStatus
from sabot.ledger.account import COMMISSION, WIN
from sabot.table.phase import Phase
from sabot.table.state import AnyTable, TableState
from sabot.views.call_alarms import call_alarms
from sabot.views.float_alarms import float_alarms
from sabot.views.message import ScreenMessage, say
from sabot.views.shoe_alarms import shoe_alarms


class TableHead(msgspec.Struct, frozen=True):
    """What the list of tables and the map show of a table."""

    table: str
    rule_set: str
    title: str
    phase: str
    coup: int
    shoe: int
    dealer: str | None


class TableLine(TableHead, frozen=True):
    """One table in the list of tables."""

    stations: int
    stations_open: int
    drop_cents: int
    """What came in by tender and notes, by the meters of the stations."""
    win_cents: int
    """The table's win, commission included."""
    commission_cents: int
    wagered_cents: int
    """The wagers on the layouts now."""
    balances_cents: int
    """The chip accounts, with what is held for patrons who leave."""
    alarms: tuple[ScreenMessage, ...]
    integrity: str = "quiet"
    """The worst light of its integrity, for those who oversee the floor: quiet, watch or alarm."""


class HouseShown(msgspec.Struct, frozen=True):
    time_zone: str
    gaming_day_starts: str
    ticket_validity_days: int
    options: Mapping[str, int]
    ordered: Mapping[str, int]
    several_tables: bool
    """Whether a station may be enrolled for several tables (G-201)."""


class DayShown(msgspec.Struct, frozen=True):
    day: int
    open: bool
    date: str


class DeviceLine(msgspec.Struct, frozen=True):
    device: str
    kind: DeviceKind
    table: str
    approval: str
    remote: bool
    revoked: bool
    places: Mapping[str, str]
    """The station that it is, or serves, at each of its tables; none for what belongs to a table as a whole."""


class TicketLine(msgspec.Struct, frozen=True):
    ticket: str
    status: TicketStatus
    table: str
    station: str
    cents: int
    day: int
    expires_ms: int | None


class SlipLine(msgspec.Struct, frozen=True):
    """A slip of a tournament that the cage has yet to take or pay, or that has expired."""

    slip: str
    status: HouseSlipStatus
    tournament: str
    direction: SlipDirection
    cents: int
    purpose: str
    entrant: int
    player: str
    expires_ms: int | None


class ExclusionLine(msgspec.Struct, frozen=True):
    patron: str
    reason: str
    by: str
    until_ms: int | None


class FloorView(msgspec.Struct, frozen=True):
    house: HouseShown
    day: DayShown
    tables: tuple[TableLine, ...]
    staff: Mapping[str, tuple[str, ...]]
    """Roles by reference; a dismissed person has none."""
    devices: tuple[DeviceLine, ...]
    tickets: tuple[TicketLine, ...]
    slips: tuple[SlipLine, ...]
    liability: Liability
    exclusions: tuple[ExclusionLine, ...]
    alarms: tuple[ScreenMessage, ...]


def floor_view(
    house: HouseState,
    tables: Mapping[str, AnyTable | TableLine],
    lights: Mapping[str, str] | None = None,
) -> FloorView:
    """Of a table that another process serves, the line that its records give; `lights` is the worst one by table."""
    owed = liability(house)
    lines = tuple(
        table_line(name, one) if isinstance(one, TableState) else one
        for name, one in tables.items()
        if isinstance(one, TableState | TableLine)
    )
    lines = tuple(msgspec.structs.replace(one, integrity=(lights or {}).get(one.table, "quiet")) for one in lines)
    own = () if owed.agrees else (say("alarm_liability", "G-118"),)
    return FloorView(
        house=HouseShown(
            *(house.time_zone, house.gaming_day_starts, house.ticket_validity_days, house.options, house.ordered),
            house.several_tables,
        ),
        day=DayShown(house.day, house.day_open, house.days[house.day].date if house.day in house.days else ""),
        tables=lines,
        staff={person: tuple(role.value for role in roles) for person, roles in house.staff.items()},
        devices=tuple(
            DeviceLine(
                *(name, one.kind, one.table, one.approval, one.remote, one.revoked),
                one.all_places if one.station else {},
            )
            for name, one in sorted(house.devices.items())
        ),
        tickets=tuple(
            TicketLine(number, one.status, one.table, one.station, one.cents, one.day, one.expires_ms)
            for number, one in house.tickets.items()
        ),
        slips=_slips(house),
        liability=owed,
        exclusions=tuple(
            ExclusionLine(patron, one.reason, one.by, one.until_ms) for patron, one in house.exclusions.items()
        ),
        alarms=(*own, *(alarm for line in lines for alarm in line.alarms)),
    )


def _slips(house: HouseState) -> tuple[SlipLine, ...]:
    """By number: those that wait, and those that have expired and may still be released."""
    shown = WAITING | {HouseSlipStatus.EXPIRED}
    return tuple(
        SlipLine(
            *(number, one.status, one.tournament, one.direction, one.cents, one.purpose, one.entrant, one.player),
            one.expires_ms,
        )
        for number, one in sorted(house.slips.whole().items())
        if one.status in shown
    )


def head_of(name: str, state: TableState) -> tuple[str, str, str, str, int, int, str | None]:
    """The fields of `TableHead`."""
    rules, phase = state.terms.rule_set, Phase(state.phase).value
    return name, rules.id, rules.title, phase, state.coups, state.shoe.number, state.dealer


def table_line(name: str, state: TableState) -> TableLine:
    money = state.money_ledger
    purses = money.purses.values()
    commission = money.balance(COMMISSION)
    return TableLine(
        *head_of(name, state),
        stations=len(state.stations),
        stations_open=sum(station.is_open for station in state.stations.values()),
        drop_cents=sum(sum(meters.came_in.values()) for meters in state.money_meters.values()),
        win_cents=money.balance(WIN) + commission,
        commission_cents=commission,
        wagered_cents=sum(purse.wagered for purse in purses),
        balances_cents=sum(purse.balance + purse.held for purse in purses),
        alarms=table_alarms(state),
    )


def table_alarms(state: TableState) -> tuple[ScreenMessage, ...]:
    found = [say("table_locked", state.cites("CROWN 1.6"), why=state.locked)] if state.locked else []
    if state.frozen_at_ms is not None:
        found.append(say("frozen", state.cites("CROWN 11.11")))
    if state.awaits_confirmation:
        found.append(say("malfunction", state.cites("CROWN 11.15(b)")))
    system, station_fault = state.cites('CROWN 1.1 "game system"(a)'), state.cites("CROWN 11.14")
    found += [say("alarm_device_down", system, device=device) for device in sorted(state.down)]
    found += [say("alarm_faulted", station_fault, station=name) for name in sorted(state.faulted)]
    found += [say("alarm_out_of_service", "G-183", station=name) for name in sorted(state.out_of_service)]
    return (*call_alarms(state), *found, *float_alarms(state), *shoe_alarms(state))
