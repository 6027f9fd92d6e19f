"""A whole shoe at a table, told in plain words: scripted chance, simple habits, everything the table says."""

import random
from collections.abc import Iterator

import msgspec

from sabot.basics.money import write_amount
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.floor.lines.words import read_line
from sabot.floor.sentences import told
from sabot.rules.coup import next_card
from sabot.rules.shoe import full_shoe
from sabot.table.fixtures import fixture
from sabot.table.phase import Phase

DECKS = 4
HABITS: dict[str, dict[str, tuple[tuple[str, str], ...]]] = {
    "crown": {
        "A1": (("banker", "100"), ("tie", "5")),
        "A2": (("player", "50"), ("player_pair", "10"), ("banker_dragon_bonus", "20")),
        "R1": (("super_6", "5"),),
    },
    "singapore": {
        "P1": (("banker", "100"), ("banker_pair", "25")),
        "P2": (("player", "50"), ("tie", "25")),
    },
}


def transcript(identity: str) -> Iterator[str]:
    """Every line said to the table, and under it every sentence that the table answered."""
    name = "crown" if identity.startswith("crown") else "singapore"
    configuration = fixture(name)
    offered = [bet for bet in configuration.limits if "perfect" not in bet]
    limits = {bet: limit for bet, limit in configuration.limits.items() if bet in offered}
    talk = LineFloor().enter(
        msgspec.structs.replace(configuration, rule_set=identity, decks=DECKS, offered=tuple(offered), limits=limits)
    )

    def say(line: str) -> Iterator[str]:
        answer = talk.answer(read_line(line, talk.now_ms))
        yield f"> {line}"
        if answer.refusal is not None:
            yield f"  ✗ {answer.refusal.text} ({answer.refusal.clause})"
        yield from (f"  {told(event)}" for event in answer.events)

    yield from (text for line in _beginning(name) for text in say(line))
    chance = random.Random(identity)
    shoe = list(full_shoe(DECKS))
    chance.shuffle(shoe)
    cards = iter(shoe[1:])
    while talk.state.shoe.stage == "in_play":
        yield from say("+5 D1 open")
        for station, wagers in HABITS[name].items():
            for bet, amount in wagers:
                if chance.random() < 0.8:
                    yield from say(f"+1 {station} set_wager {bet} {amount}")
        yield from say("+20 D1 close")
        while (coup := talk.state.coup) is not None and next_card(coup.cards) is not None:
            if talk.state.shoe.left == talk.state.shoe.behind_cutting_card and talk.state.shoe.last_coup is None:
                yield from say("D1 cutting_card")
            yield from say(f"+1 D1 card {next(cards)}")
        yield from say("+1 D1 confirm")
        balances = {station: write_amount(talk.state.purse(station).balance) for station in HABITS[name]}
        yield f"  = {', '.join(f'{station} {balance}' for station, balance in balances.items())}"
    yield from (text for line in _end(talk) for text in say(line))
    assert talk.state.phase is Phase.CLOSED


def _beginning(name: str) -> list[str]:
    buy_in = {
        "crown": ["D1 buy_in A1 5000 chips", "D1 buy_in A2 2000 voucher V-88", *["R1 note 100"] * 3],
        "singapore": ["D1 buy_in P1 5000", "D1 buy_in P2 2000 chips"],
    }
    opening = ["D1 sign_on", "D1 open_table", "GS1 check_cards 208", "D1 new_shoe", "GS1 cut 100", "D1 burn"]
    return [*opening, *buy_in[name]]


def _end(talk: LineTable) -> list[str]:
    lines = []
    for station, state in talk.state.stations.items():
        if state.is_open:
            lines.append(f"{station} leave")
            if station.startswith("A"):
                lines.append(f"D1 pay {station}")
    return [*lines, "GS1 check_cards 208 closing", "CS1 close_table"]
