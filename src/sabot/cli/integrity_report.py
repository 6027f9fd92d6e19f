"""What `sabot integrity` finds in a journal, and how it is printed."""

from collections.abc import Sequence

import msgspec
from rich.console import Console

from sabot.audit.excerpt import facts_of
from sabot.audit.kept_sums import ALWAYS_MS
from sabot.audit.watched_period import watched_period
from sabot.basics.mistake import Mistake
from sabot.basics.phrase import in_english
from sabot.cli.journal.shared import ProgressPrinter, ask, chosen_table, period
from sabot.cli.terminal import console, print_json
from sabot.cli.terminal import table as columns
from sabot.floor.records.record_codec import table_of
from sabot.integrity.budget import FALSE_ALARMS_A_DAY, TABLES
from sabot.integrity.light import Light, LightState
from sabot.integrity.phrases import SENTENCES
from sabot.integrity.watch import worst
from sabot.journal.journal import ReadableJournal

Period = tuple[str | None, str | None, str | None]
"""A gaming day, or two moments."""


class ToldLight(msgspec.Struct, frozen=True):
    light: Light
    sentence: str
    """What was seen."""
    advice: str


class TableTold(msgspec.Struct, frozen=True):
    table: str
    state: LightState
    lights: tuple[ToldLight, ...]
    """The worst first."""


class IntegrityTold(msgspec.Struct, frozen=True):
    state: LightState
    tables: tuple[TableTold, ...]
    false_alarms_a_day: float = FALSE_ALARMS_A_DAY
    of_tables: int = TABLES


def tell_integrity(place: str, table: str | None, when: Period, *, quiet_too: bool, json: bool) -> int:
    """Print what was found and return the exit code: 1 where a light is an alarm."""
    found = ask(place, lambda journal: _found(journal, table, when))
    if json:
        print_json(found)
    else:
        _print(found, quiet_too=quiet_too)
    return 1 if found.state is LightState.ALARM else 0


async def _found(journal: ReadableJournal, table: str | None, when: Period) -> IntegrityTold:
    names = [name for stream in await journal.streams() if (name := table_of(stream))]
    if not names:
        raise Mistake("this journal has no table yet")
    progress = ProgressPrinter()
    told: list[TableTold] = []
    for name in names if table is None else [await chosen_table(journal, table)]:
        from_ms, to_ms = period(await facts_of(journal, name), *when)
        watch = await watched_period(journal, name, from_ms or 0, ALWAYS_MS if to_ms is None else to_ms, progress)
        lights = watch.lights()
        told.append(TableTold(name, worst(lights), tuple(map(_told, lights))))
    return IntegrityTold(worst([one.light for table in told for one in table.lights]), tuple(told))


def _told(light: Light) -> ToldLight:
    return ToldLight(light, in_english(light.seen, SENTENCES), in_english(light.advice, SENTENCES))


def _print(found: IntegrityTold, *, quiet_too: bool) -> None:
    out = console()
    for one in found.tables:
        out.print(f"Table {one.table}: {_STATES[one.state]}", style="bold")
        for told in one.lights:
            if told.light.state is not LightState.QUIET:
                _print_light(out, told)
        shown = [told for told in one.lights if quiet_too or told.light.state is not LightState.QUIET]
        if shown:
            _print_figures(out, shown)
    most = f"{found.false_alarms_a_day:g} false alarms a day at most"
    out.print(f"All lights of an honest floor of {found.of_tables} tables raise {most}.")


def _print_light(out: Console, told: ToldLight) -> None:
    light = told.light
    style = "red" if light.state is LightState.ALARM else "yellow"
    out.print(f"  {light.state.value}: {_subject(light)}", style=style)
    out.print(f"    {told.sentence}.")
    out.print(f"    At an honest table the evidence comes to this in one of {light.evidence:,.0f} days at most.")
    out.print(f"    {told.advice}")


def _print_figures(out: Console, lights: Sequence[ToldLight]) -> None:
    shown = columns("light", "state", "coups|", "return|", "expected|", "between|", "evidence|", "alarm at|")
    for told in lights:
        light, returned = told.light, told.light.returned
        figures = ("", "", "")
        if returned is not None:
            between = f"{returned.lower:.1%} to {returned.upper:.1%}"
            figures = (f"{returned.actual:.2%}", f"{returned.theoretical:.2%}", between)
        evidence = (f"{light.evidence:,.3g}", f"{light.threshold:,.0f}")
        shown.add_row(_subject(light), light.state.value, f"{light.coups:,}", *figures, *evidence)
    out.print(shown)


def _subject(light: Light) -> str:
    return f"{light.kind.value.replace('_', ' ')} {light.subject}".rstrip()


_STATES = {
    LightState.QUIET: "all lights are quiet",
    LightState.WATCH: "a light is on watch",
    LightState.ALARM: "a light is an alarm",
}
