"""What the school's own people do next: prepare the table, deal for a colleague, lay wagers, and stage things.

It follows from the scene and the table's state alone, so after a restart the robots go on where they were.
"""

from collections.abc import Iterator

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp
from sabot.floor.nights.closing import is_over, way_out
from sabot.school.due import Now, act_of_step, guided
from sabot.school.lesson import Lesson, Misread
from sabot.school.room import SCHOOL, Trainee, configuration_of
from sabot.school.scene import MARK, Scene, misread_now, part_of, reached
from sabot.table import acts
from sabot.table.decide import foreseen
from sabot.table.phase import Phase
from sabot.table.refusal import Refused
from sabot.table.state import TableState
from sabot.views.procedure import procedure_of

BySchool = tuple[str, acts.Act]


def begin(lesson: Lesson, state: TableState, trainee: Trainee, at_ms: int) -> BySchool | None:
    """What brings a table, in whatever state, to the beginning of a lesson; the last such act is the mark."""
    if not is_over(state):
        return next(_possible(state, ((SCHOOL, act) for act in way_out(state)), at_ms), None)
    wanted = configuration_of(lesson, state.configuration.table, trainee)
    if state.configuration != wanted:
        return SCHOOL, acts.Configure(configuration=wanted)
    return SCHOOL, acts.Incident(text=f"{MARK}{lesson.id}", person="the trainee")


def next_by_school(scene: Scene, state: TableState, at_ms: int) -> BySchool | None:
    """What a robot does now, if one has anything to do."""
    return next(_possible(state, _wished(scene, state, at_ms), at_ms), None)


def _possible(state: TableState, wished: Iterator[BySchool], at_ms: int) -> Iterator[BySchool]:
    for by, act in wished:
        role = Role.STATION if by in state.stations else Role.CASINO_SUPERVISOR
        found = foreseen(state, act, Stamp(by=by, role=role, at_ms=at_ms))
        if not isinstance(found, Refused) and found:
            yield by, act


def _wished(scene: Scene, state: TableState, at_ms: int) -> Iterator[BySchool]:
    yield from _prepared(scene, state)
    if state.phase is Phase.WAGERING:
        yield from _wagers(scene, state)
    for place, staged in reached(scene, state):
        part = part_of(scene, staged) if place not in scene.acted else None
        if part is not None and (not isinstance(staged, Misread) or staged is misread_now(scene, state)):
            yield part
    if scene.opened <= scene.lesson.dealt_before and scene.seated:
        yield from _dealt_for_a_colleague(scene, state, at_ms)


def _prepared(scene: Scene, state: TableState) -> Iterator[BySchool]:
    """Of an open table everything but the sign-on; of a closed one what a supervisor does."""
    if scene.opened:
        return
    for step in procedure_of(state):
        whole = scene.lesson.table == "open" and step.verb != "sign_on"
        if not step.done and (whole or (step.next and step.verb in ("check_cards", "cut"))):
            act = act_of_step(step.verb, state)
            if act is not None:
                yield SCHOOL, act
    for station, patron in scene.lesson.patrons.items():
        if patron.brings and station not in scene.seated:
            yield SCHOOL, acts.BuyIn(station=station, cents=patron.brings)


def _wagers(scene: Scene, state: TableState) -> Iterator[BySchool]:
    for station, patron in scene.lesson.patrons.items():
        lies = state.purse(station).layout
        for bet, cents in patron.wagers_in(scene.opened).items():
            if cents and lies.get(bet, 0) != cents:
                yield station, acts.SetWager(bet=bet, cents=cents)


def _dealt_for_a_colleague(scene: Scene, state: TableState, at_ms: int) -> Iterator[BySchool]:
    if state.dealer is None or (scene.opened == scene.lesson.dealt_before and state.coup is None):
        return
    if state.phase is Phase.WAGERING:
        yield SCHOOL, acts.Close()
        return
    for due in guided(Now(scene, state, at_ms)):
        yield SCHOOL, due.act
