"""Replay vectors of a night: cards, wagers and balances, for another implementation.

A virtual table with robots is played by the owner of a served table; what is written here is read from its events
alone. docs/handbook/check_vectors.py checks it with nothing of this program.
"""

import csv
import hashlib
import io
from collections.abc import Iterable

import msgspec

from sabot.cli.demo_table import CREW, demo_table
from sabot.floor.virtual.dealer import FetchShoe, Manner, Pace
from sabot.floor.virtual.play import play
from sabot.floor.virtual.robots import Habit, Robot
from sabot.floor.virtual.shoe import ENTROPY_BYTES, VirtualShoe, shuffle
from sabot.rules.cards import CARDS
from sabot.rules.coup import read_coup
from sabot.rules.rule_set import RuleSet
from sabot.rules.terms import Terms
from sabot.table import events as e

FORM = 1
PATRONS: dict[str, Habit] = {"A1": "banker", "A2": "follower", "A3": "side_bets", "A4": "tie_hunter", "A5": "doubler"}
"""Who sits where, by habit; together they wager on every bet."""


class ShoeVector(msgspec.Struct):
    number: int
    entropy: str
    """512 bytes for the order and 32 for the salt of the commitment."""
    commitment: str
    order: str = ""
    """As shuffled, before the cut, two letters a card."""
    cut_at: int = 0
    behind_cutting_card: int = 0
    burned: int = 0
    """Cards that left the shoe before the first coup."""


class WagerVector(msgspec.Struct, frozen=True):
    station: str
    bet: str
    stake: int
    outcome: str
    gross: int
    commission: int
    net: int
    clause: str


class CoupVector(msgspec.Struct):
    number: int
    shoe: int
    cards: tuple[str, ...]
    winner: str
    player_total: int
    banker_total: int
    wagers: list[WagerVector] = []
    balances: dict[str, int] = {}
    """In cents, after the settlement."""


class NightVectors(msgspec.Struct):
    form: int
    rule_set: str
    decks: int
    options: dict[str, int]
    seed: int
    opening_balances: dict[str, int]
    shoes: list[ShoeVector]
    coups: list[CoupVector]


def night_vectors(rules: RuleSet, decks: int, shoes: int, seed: int) -> NightVectors:
    """Play so many shoes; the same arguments give the same night."""
    talk, written = demo_table(rules, decks, PATRONS), _Writer(seed, decks)
    terms = Terms(rules, decks)
    night = NightVectors(
        form=FORM,
        rule_set=rules.id,
        decks=decks,
        options={name: terms.options.get(name, 1) for name in rules.options},
        seed=seed,
        opening_balances={station: talk.state.purse(station).balance for station in PATRONS},
        shoes=written.shoes,
        coups=written.coups,
    )
    patrons = [Robot(station, habit, seed) for station, habit in PATRONS.items()]
    for turn in play(talk, CREW, Manner(Pace().times(0)), patrons, written.fetch):
        assert turn.answer.ok, turn.answer.refusal
        for event in turn.answer.events:
            written.hear(event, turn.answer.balances)
        if sum(bool(shoe.order) for shoe in written.shoes) == shoes:
            break
    return night


class _Writer:
    def __init__(self, seed: int, decks: int) -> None:
        self._seed, self._decks = seed, decks
        self.shoes: list[ShoeVector] = []
        self.coups: list[CoupVector] = []

    def fetch(self, wanted: FetchShoe) -> VirtualShoe:
        entropy = hashlib.shake_256(f"sabot dossier {self._seed} night {wanted.number}".encode()).digest(ENTROPY_BYTES)
        shoe = shuffle("DEMO", wanted.number, self._decks, entropy)
        if all(known.number != wanted.number for known in self.shoes):
            self.shoes.append(ShoeVector(wanted.number, entropy.hex(), shoe.commitment))
        return shoe

    def hear(self, event: object, balances: dict[str, int]) -> None:
        match event:
            case e.CardsCut():
                self.shoes[-1].cut_at = event.at
                self.shoes[-1].behind_cutting_card = event.behind_cutting_card
            case e.CardsBurned():
                self.shoes[-1].burned += event.hidden + (event.shown is not None)
            case e.ShoeOpened():
                self.shoes[-1].order = event.order
            case e.CoupDecided():
                self.coups.append(_coup(len(self.coups) + 1, event))
            case e.WagersSettled():
                self._settle(event, balances)

    def _settle(self, event: e.WagersSettled, balances: dict[str, int]) -> None:
        coup = self.coups[-1]
        coup.balances = dict(balances)
        coup.wagers = [
            WagerVector(
                station,
                one.bet,
                one.stake_cents,
                one.outcome,
                one.gross_cents,
                one.commission_cents,
                one.net_cents,
                one.clause,
            )
            for station, settlements in event.settlements.items()
            for one in settlements
        ]


def _coup(number: int, event: e.CoupDecided) -> CoupVector:
    hands = read_coup([CARDS[card] for card in event.cards])
    return CoupVector(number, event.shoe, event.cards, event.winner, hands.player.total, hands.banker.total)


def csv_of(coups: Iterable[CoupVector]) -> bytes:
    """A line for each wager; money in cents."""
    written = io.StringIO()
    lines = csv.writer(written, lineterminator="\n")
    lines.writerow(
        (
            "coup",
            "shoe",
            "cards",
            "winner",
            "station",
            "bet",
            "stake",
            "outcome",
            "gross",
            "commission",
            "net",
            "balance",
        )
    )
    for coup in coups:
        for one in coup.wagers:
            about = (coup.number, coup.shoe, " ".join(coup.cards), coup.winner, one.station, one.bet, one.stake)
            lines.writerow((*about, one.outcome, one.gross, one.commission, one.net, coup.balances[one.station]))
    return written.getvalue().encode()
