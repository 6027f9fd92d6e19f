"""What steps may say of a virtual shoe and of the virtual dealer. Its entropy is always the same."""

from sabot.floor.virtual.dealer import Crew, DealerHand, FetchShoe, LostShoe, Manner, Pace, Say, next_act
from sabot.floor.virtual.shoe import ENTROPY_BYTES, VirtualShoe, shuffle
from sabot.rulebook.stepping import step
from sabot.rulebook.table_steps import heed, talk_of, tell
from sabot.rulebook.world import World
from sabot.rules.cards import DECK
from sabot.table.state import Stage

_CREW = Crew("D1", "GS1", "CS1")
_MANNER = Manner(Pace(0, 0, 0))


def _shoe(world: World) -> VirtualShoe:
    state = talk_of(world).state
    number = state.shoe.number if state.shoe.commitment else state.shoe.number + 1
    return shuffle(state.configuration.table, number, state.configuration.decks, bytes(ENTROPY_BYTES))


def _act(world: World, hand: DealerHand) -> bool:
    """Let the virtual dealer do the next thing, if it has anything to do."""
    talk = talk_of(world)
    act = next_act(talk.state, hand, _CREW, _MANNER, talk.now_ms)
    if isinstance(act, Say):
        heed(world, talk.give(act.act, act.by, at_ms=act.at_ms, second=act.second))
    return isinstance(act, Say)


@step("given", r"a virtual shoe is in play")
def _in_play(world: World) -> None:
    """The virtual dealer opens the table and prepares the shoe, until it waits for patrons."""
    shoe = _shoe(world)
    while _act(world, shoe):
        pass
    assert talk_of(world).state.shoe.stage is Stage.IN_PLAY


@step("given|when", r"the virtual dealer (?:closes|deals a card|confirms)")
def _acts(world: World) -> None:
    assert _act(world, _shoe(world)), "it has nothing to do"


@step("given|when", r"the virtual dealer plays the coup")
def _plays(world: World) -> None:
    shoe = _shoe(world)
    while talk_of(world).state.coup is not None and _act(world, shoe):
        pass


@step("given|when", r"the file of the shoe is lost")
def _lost(world: World) -> None:
    """The virtual dealer finds that nobody knows the next card, and does what is lawful."""
    lost = LostShoe(talk_of(world).state.shoe.number, "the file of the shoe cannot be read")
    while talk_of(world).state.shoe.stage is not Stage.SPENT and _act(world, lost):
        pass


@step("when", r"the virtual dealer is asked for the next shoe")
def _next_shoe(world: World) -> None:
    talk = talk_of(world)
    lost = LostShoe(talk.state.shoe.number, "the file of the shoe cannot be read")
    act = next_act(talk.state, lost, _CREW, _MANNER, talk.now_ms)
    assert isinstance(act, FetchShoe), f"it says {act}"
    assert act.is_new, "it looks for the lost one again"


@step("when", r"the next card is dealt without its proof")
def _unproved(world: World) -> None:
    shoe, state = _shoe(world), talk_of(world).state
    card = shoe.card(state.shoe.out + 1, state.shoe.cut_at)
    tell(world, {"do": "card", "by": "D1", "card": card})


@step("when", r"the proof of the next card comes with another")
def _another(world: World) -> None:
    shoe, state = _shoe(world), talk_of(world).state
    position, cut_at = state.shoe.out + 1, state.shoe.cut_at
    other = next(one.notation for one in DECK if one.notation != shoe.card(position, cut_at))
    tell(world, {"do": "card", "by": "D1", "card": other, "proof": shoe.proof_of(position, cut_at)})


@step("when", r"the next card is passed over, and the one after it dealt")
def _passed_over(world: World) -> None:
    shoe, state = _shoe(world), talk_of(world).state
    position, cut_at = state.shoe.out + 2, state.shoe.cut_at
    card, proof = shoe.card(position, cut_at), shoe.proof_of(position, cut_at)
    tell(world, {"do": "card", "by": "D1", "card": card, "proof": proof})


@step("when", r"the shoe is opened(?: with (two cards exchanged|another salt))?")
def _opened(world: World, how: str | None) -> None:
    shoe = _shoe(world)
    order, salt = list(shoe.order), shoe.salt.hex()
    if how == "two cards exchanged":
        other = next(place for place, card in enumerate(order) if card != order[0])
        order[0], order[other] = order[other], order[0]
    if how == "another salt":
        salt = "f" * 64
    tell(world, {"do": "open_shoe", "by": "D1", "order": "".join(order), "salt": salt})
