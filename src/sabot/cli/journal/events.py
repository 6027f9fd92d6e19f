"""`sabot journal events`: the list of significant events, or those of a journal, with codes and severities."""

from datetime import UTC, datetime
from typing import Literal

import msgspec

from sabot.audit.event_codes import EventCode, Severity, code_of, event_codes
from sabot.audit.outbox import OutboxEnd, OutboxLine, outbox
from sabot.audit.significant_events import NOT_TOLD
from sabot.cli.arguments import Json
from sabot.cli.journal.shared import ask
from sabot.cli.terminal import console, print_json, table
from sabot.floor.sentences import told
from sabot.journal.journal import ReadableJournal

AT_ONCE = 1_000


class SignificantEvent(msgspec.Struct, frozen=True):
    """An event of a journal that has a code."""

    stream: str
    sequence: int
    at_ms: int
    by: str
    code: int
    severity: Severity
    kind: str
    event: str
    sentence: str


def events(
    place: str | None = None, /, *, severity: Literal["notice", "warning", "alarm"] = "notice", json: Json = False
) -> int:
    """List the significant events and their codes, or those that a journal holds.

        sabot journal events

        sabot journal events night.journal --severity warning

    A notice is for the record, a warning for the shift, an alarm for now. Play itself (wagers, cards, settlements) is
    not among them; it is in the meters.

    Parameters
    ----------
    place
        The path of a journal, or its postgresql:// URL; without one the list of codes is printed.
    severity
        Only events of this severity or a graver one.
    """
    order = tuple(Severity)
    least = order.index(Severity(severity))
    if place is None:
        return _print_codes([one for one in event_codes().values() if order.index(one.severity) >= least], json=json)
    found = [one for one in ask(place, _found) if order.index(one.severity) >= least]
    if json:
        print_json(found)
        return 0
    shown = table("stream", "record|", "time", "by", "code|", "severity", "event")
    for one in found:
        moment = datetime.fromtimestamp(one.at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
        shown.add_row(one.stream, str(one.sequence), moment, one.by, str(one.code), one.severity, one.sentence)
    console().print(shown)
    return 0


async def _found(journal: ReadableJournal) -> list[SignificantEvent]:
    found, cursor, more = list[SignificantEvent](), "", True
    while more:
        async for line in outbox(journal, cursor, AT_ONCE):
            if isinstance(line, OutboxEnd):
                cursor, more = line.cursor, line.more
            else:
                found += (_coded(line, event) for event in line.events)
    return found


def _coded(line: OutboxLine, event: object) -> SignificantEvent:
    code = code_of(event)
    return SignificantEvent(
        *(line.stream, line.sequence, line.at_ms, line.by, code.code, code.severity, code.kind),
        *(code.event or type(event).__name__, _sentence(event, code)),
    )


def _sentence(event: object, code: EventCode) -> str:
    """An owner's and a key's own record have no sentence but the code's name."""
    return code.name if type(event).__name__.startswith("Outbox") else told(event)


def _print_codes(codes: list[EventCode], *, json: bool) -> int:
    if json:
        print_json({"significant": codes, "not_significant": sorted(one.__name__ for one in NOT_TOLD)})
        return 0
    shown = table("code|", "severity", "kind", "event", "name")
    for one in codes:
        shown.add_row(str(one.code), one.severity, one.kind, one.event, one.name)
    console().print(shown)
    return 0
