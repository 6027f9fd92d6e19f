"""`sabot demo --deal`: the visitor deals. The demo shuffles the shoes, brings them in play and shows their cards."""

import asyncio
import os
import secrets
from pathlib import Path

from sabot.cli.demo_console import DemoConsole
from sabot.cli.demo_table import CREW, TABLE
from sabot.floor.virtual.shoe import ENTROPY_BYTES, VirtualShoe, shuffle
from sabot.journal.anchor import OWNER_ONLY
from sabot.runtime.table_runner import RunningTable
from sabot.table import acts
from sabot.table.phase import Phase
from sabot.table.state import CardCheck, Stage, TableState
from sabot.views.felt import Felt, felt_of

LOOK_S = 0.1
SEED = "felt.seed"
NUMBER_BYTES = 8


class DealtShoes:
    """Shoes without real cards, each shuffled from its number and from bytes that the folder keeps.

    So the same cards lie on the felt after a restart.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / SEED
        if not path.exists():
            with open(path, "xb", opener=lambda name, flags: os.open(name, flags, OWNER_ONLY)) as made:
                made.write(secrets.token_bytes(ENTROPY_BYTES - NUMBER_BYTES))
        self._seed = path.read_bytes()
        self._shoe: VirtualShoe | None = None

    def felt(self, state: TableState) -> Felt:
        return felt_of(state, lambda position: self.card(state, position))

    def card(self, state: TableState, position: int) -> str:
        number = state.shoe.number
        if self._shoe is None or self._shoe.number != number:
            entropy = number.to_bytes(NUMBER_BYTES) + self._seed
            self._shoe = shuffle(TABLE, number, state.configuration.decks, entropy)
        return self._shoe.card(position, state.shoe.cut_at)


def next_step(state: TableState, shoes: DealtShoes) -> tuple[str, acts.DeviceAct] | None:
    """What brings a shoe in play, and who does it; nothing while the visitor can deal."""
    if state.phase is Phase.CLOSED:
        return CREW.dealer, acts.OpenTable() if CREW.dealer in state.signed_on else acts.SignOn()
    stands_still = bool(state.locked) or state.frozen_at_ms is not None
    is_dealt = state.shoe.stage is Stage.IN_PLAY and not state.shoe.burns_due
    if state.coup is not None or state.dealer is None or stands_still or is_dealt:
        return None
    match state.shoe.stage:
        case Stage.NONE | Stage.SPENT if state.cards_checked is not CardCheck.OPENING:
            return CREW.game_supervisor, acts.CheckCards(cards=52 * state.configuration.decks)
        case Stage.NONE | Stage.SPENT:
            return CREW.dealer, acts.NewShoe()
        case Stage.SHUFFLED:
            return CREW.game_supervisor, acts.Cut(at=state.shoe.cards // 2)
        case _:
            return CREW.dealer, _burning(state, shoes)


def _burning(state: TableState, shoes: DealtShoes) -> acts.Burn:
    if state.shoe.burns_due:
        return acts.Burn(count=state.shoe.burns_due)
    if "one" in {one.procedure for one in state.terms.rule_set.shoe.burns}:
        return acts.Burn()
    return acts.Burn(
        by_face_value=True, card=shoes.card(state, state.shoe.out + 1), asked_by="the patrons of the table"
    )


async def prepare(console: DemoConsole, table: RunningTable, shoes: DealtShoes) -> None:
    """The demo's dealer and supervisor bring every shoe in play for the visitor."""
    while True:
        step = None if table.term is None else next_step(table.term.state, shoes)
        if step is not None:
            await console.give(*step)
        await asyncio.sleep(LOOK_S)
