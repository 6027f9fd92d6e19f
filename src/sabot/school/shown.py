"""What a trainee sees: the cards on the layout, what happens at the table, and how the lesson stands."""

from collections.abc import Iterator

import msgspec

from sabot.rules.rule_set import IrregularityName
from sabot.school.grading import Grading, TraineeError
from sabot.school.lesson import (
    AnyStaged,
    CashLaid,
    Misread,
    PatronCalls,
    PatronClaims,
    PatronLeaves,
    StagedFact,
)
from sabot.school.room import symbol, symbols
from sabot.school.scene import Scene, card_at, fact_of, reached, waiting, wrong_entries
from sabot.school.words import LessonWords, Said, say
from sabot.table.phase import Phase
from sabot.table.state import TableState
from sabot.views.felt import Felt, felt_of, hands_of


class LessonShown(msgspec.Struct, frozen=True, kw_only=True):
    table: str
    lesson: str
    """The id of the lesson, or nothing before the first."""
    title: LessonWords | None = None
    intro: LessonWords | None = None
    rule_set: str = ""
    stage: str = "none"
    """none, preparing, running or over."""
    coup: int = 0
    coups: int = 0
    layout: Felt = Felt()
    says: tuple[Said, ...] = ()
    """What the trainee sees happening, the newest last."""
    right: int = 0
    marks: int = 0
    touches: int = 0
    faults: tuple[TraineeError, ...] = ()


def shown(grading: Grading | None, state: TableState) -> LessonShown:
    """What a trainee's page shows now; `grading` is missing before the first lesson."""
    table = state.configuration.table
    if grading is None:
        return LessonShown(table=table, lesson="")
    scene, lesson = grading.scene, grading.scene.lesson
    return LessonShown(
        table=table,
        lesson=lesson.id,
        title=lesson.title,
        intro=lesson.intro,
        rule_set=lesson.rule_set,
        stage=_stage(grading, state),
        coup=scene.opened,
        coups=lesson.coups,
        layout=layout_of(scene, state),
        says=tuple(_says(grading, state)),
        right=sum(mark.right for mark in grading.marks.values()),
        marks=len(grading.marks),
        touches=grading.touches,
        faults=tuple(grading.faults),
    )


def _stage(grading: Grading, state: TableState) -> str:
    if grading.ended_ms is not None:
        return "over"
    ready = state.phase is not Phase.CLOSED or grading.scene.lesson.table == "closed"
    return "running" if ready else "preparing"


def layout_of(scene: Scene, state: TableState) -> Felt:
    """The cards of the coup under way as they truly lie, or those of the coup before until the next one opens."""
    laid = felt_of(state, lambda position: card_at(scene, state, position))
    newest = state.played[-1] if state.played else None
    if state.coup is None and newest is not None and newest.coup == scene.newest:
        player, banker = hands_of(scene.true_cards.get(newest.coup, newest.cards))
        laid = Felt(player=player, banker=banker)
    for _, staged in waiting(scene, state):
        if isinstance(staged, StagedFact):
            return _with_cards_astray(laid, scene, state, staged)
    return laid


def _with_cards_astray(laid: Felt, scene: Scene, state: TableState, staged: StagedFact) -> Felt:
    cards = fact_of(scene, state, staged).cards
    unseen = int(staged.kind == IrregularityName.EXCESS_CARD_UNSEEN)
    drawn = {"drawn": "", "drawn_for": None} if cards else {}
    return msgspec.structs.replace(laid, astray=cards, astray_on=staged.hand, unseen=unseen, **drawn)


def _says(grading: Grading, state: TableState) -> Iterator[Said]:
    scene = grading.scene
    if grading.ended_ms is not None:
        yield say("see_over")
        return
    if _stage(grading, state) == "preparing":
        yield say("see_prepare")
        return
    if state.dealer is None:
        yield say("see_begin")
        return
    if scene.opened <= scene.lesson.dealt_before and (
        state.coup is not None or scene.opened < scene.lesson.dealt_before
    ):
        yield say("see_colleague")
        return
    happening = [*_happening(scene, state)]
    yield from happening
    layout = layout_of(scene, state)
    if layout.drawn:
        yield say("see_card", card=symbol(layout.drawn))
    elif not happening:
        yield say("see_play")


def _happening(scene: Scene, state: TableState) -> Iterator[Said]:
    for coup, true in scene.wrong.items():
        yield say("see_film", coup=coup, cards=symbols(true))
    for place, staged in reached(scene, state):
        if place in scene.answered or not _goes_on(scene, state, staged):
            continue
        own = _said(scene, state, staged)
        yield own if staged.told is None else msgspec.structs.replace(own, words=staged.told)


def _goes_on(scene: Scene, state: TableState, staged: AnyStaged) -> bool:
    """Whether it is still to be seen; what robots did is seen as long as the table has it open."""
    match staged:
        case PatronLeaves():
            return state.stations[staged.station].leaving
        case PatronCalls():
            return staged.station in state.calls
        case PatronClaims():
            open_cases = (case for case in state.cases.values() if not case.closed)
            return any(case.station == staged.station for case in open_cases)
        case Misread():
            return staged.coup == scene.opened and any(wrong_entries(scene, state))
        case _:
            return True


def _said(scene: Scene, state: TableState, staged: AnyStaged) -> Said:
    if isinstance(staged, StagedFact):
        cards = symbols(fact_of(scene, state, staged).cards)
        return say(f"see_{staged.kind}", cards=cards, hand=staged.hand or "")
    if isinstance(staged, Misread):
        return say("see_misread")
    if isinstance(staged, CashLaid):
        return say("see_cash", station=staged.station, cash_cents=staged.cents)
    if isinstance(staged, PatronClaims):
        return say("see_claims", station=staged.station, coup=scene.numbers[staged.about - 1])
    return say(f"see_{staged.__struct_config__.tag}", station=staged.station)
