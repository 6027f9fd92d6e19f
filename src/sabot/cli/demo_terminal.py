"""The show of `sabot demo --terminal`: one virtual shoe at a table with robots."""

import hashlib
import secrets
import tempfile
import time
from collections import Counter
from pathlib import Path

import msgspec
from rich.console import Console
from rich.text import Text

from sabot.audit.fairness import Fairness, ShoeEvidence, collect_evidence, fairness
from sabot.basics.mistake import Mistake
from sabot.basics.money import write_amount
from sabot.cli.demo_table import CREW, PATRONS, demo_table, robots
from sabot.cli.road_picture import picture
from sabot.cli.terminal import card_text, cards_text, console, net_text, print_json, table, title_text, winner_text
from sabot.floor.virtual.dealer import FetchShoe, Manner, Pace
from sabot.floor.virtual.play import Turn, play
from sabot.floor.virtual.shoe import ENTROPY_BYTES, VirtualShoe
from sabot.roads.result import CoupResult
from sabot.roads.roads import Roads
from sabot.rules.cards import CARDS
from sabot.rules.coup import Coup, Winner, read_coup
from sabot.rules.hand import Hand
from sabot.rules.rule_set import RuleSet
from sabot.runtime.shoe_files import ShoeFiles
from sabot.table import events as e
from sabot.table.state import TableState


class DemoWish(msgspec.Struct, frozen=True):
    """How the shoe is to be shown."""

    rules: RuleSet
    decks: int
    seed: int | None = None
    burn_by_face_value: bool = False
    pace: float = 0.0
    """Seconds to wait after each coup."""
    save: Path | None = None
    json: bool = False
    """Print the shoe as one object at its end, and nothing before."""


def show_a_shoe(wanted: DemoWish) -> int:
    """Play one virtual shoe and prove it; 0 if it holds."""
    rules, decks, seed, pace = wanted.rules, wanted.decks, wanted.seed, wanted.pace
    if not 0 <= pace <= 60:
        raise Mistake(f"a pace of {pace} seconds is outside 0 to 60")
    talk, manner = demo_table(rules, decks), Manner(Pace().times(0), wanted.burn_by_face_value)
    players = robots(secrets.randbits(63) if seed is None else seed)
    out = console()
    if not wanted.json:
        out.print(title_text(rules, f"{decks} decks", f"{52 * decks} cards"))
    with tempfile.TemporaryDirectory(prefix="sabot-demo-") as folder:
        files = ShoeFiles(Path(folder), Path(folder) / "floor.key")

        def fetch(wanted: FetchShoe) -> VirtualShoe:
            return files.new("DEMO", wanted.number, decks, None if seed is None else _entropy(seed))

        shown: Picture | Data = Data(rules, decks) if wanted.json else Picture(out)
        for turn in play(talk, CREW, manner, players, fetch):
            assert turn.answer.ok, turn.answer.refusal
            if shown.show(turn):
                time.sleep(pace)
            if talk.state.shoe.opened:
                break
    (tale,) = collect_evidence((record.n, record.events) for record in talk.records)
    verdict = fairness(tale)
    shown.show_end(talk.state, verdict)
    if wanted.save is not None:
        _save(wanted.save, tale)
    return _code(verdict)


def _entropy(seed: int) -> bytes:
    """As much as a shuffle needs, from a number; only for showing the same shoe again."""
    return hashlib.shake_256(f"demo {seed}".encode()).digest(ENTROPY_BYTES)


def _save(path: Path, tale: ShoeEvidence) -> None:
    try:
        path.write_bytes(msgspec.json.encode(tale) + b"\n")
    except OSError as error:
        raise Mistake(f"{path} cannot be written: {error.strerror}") from None


def _code(verdict: Fairness) -> int:
    return 0 if verdict.ok else 1


class Data:
    """The shoe for a program: every coup with its cards, the balances, and whether it is proved."""

    def __init__(self, rules: RuleSet, decks: int) -> None:
        self._told: dict[str, object] = {"rule_set": rules.id, "decks": decks}
        self._coups: list[dict[str, object]] = []

    def show(self, turn: Turn) -> bool:
        for event in turn.answer.events:
            if isinstance(event, e.CardsShuffled):
                self._told["commitment"] = event.commitment
        decided = [event for event in turn.answer.events if isinstance(event, e.CoupDecided)]
        for event in decided:
            coup = read_coup([CARDS[card] for card in event.cards])
            totals = {"player": coup.player.total, "banker": coup.banker.total}
            self._coups.append({"cards": event.cards, "winner": coup.winner, **totals})
        return bool(decided)

    def show_end(self, state: TableState, verdict: Fairness) -> None:
        balances = {station: state.money_ledger.purse(station).balance for station in PATRONS}
        print_json({**self._told, "coups": self._coups, "balances": balances, "fair": verdict.ok})


class Picture:
    """What the demo shows of each turn, and at the end."""

    def __init__(self, out: Console) -> None:
        self._out = out
        self._roads, self._wins = Roads(), Counter[Winner]()
        self._shown_burn: e.CardsBurned | None = None
        self._cutting_card: e.CuttingCardSeen | None = None
        self._coups = 0

    def show(self, turn: Turn) -> bool:
        """Print what happened; whether a coup was decided."""
        decided = None
        for event in turn.answer.events:
            match event:
                case e.CardsShuffled():
                    self._out.print(f"Committed to {event.commitment} before the first wager.", style="dim")
                case e.CardsBurned():
                    self._show_burn(event)
                case e.CuttingCardSeen():
                    self._cutting_card = event
                case e.CoupDecided():
                    decided = event
                    self._show_coup(read_coup([CARDS[card] for card in event.cards]))
                case e.WagersSettled():
                    self._show_settled(event)
        if decided is not None and self._cutting_card is not None:
            words = f"the next coup is the last of this shoe ({self._cutting_card.clause})."
            self._out.print(f"     ▌ The cutting card: {words}")
            self._cutting_card = None
        return decided is not None

    def show_end(self, state: TableState, verdict: Fairness) -> None:
        self._show_sums(state)
        style = "green" if verdict.ok else "bold red"
        self._out.print(f"{'✓' if verdict.ok else '✗'} {verdict.sentence}", style=style)

    def _show_sums(self, state: TableState) -> None:
        out = self._out
        out.print()
        for line in picture(self._roads, width=out.width):
            out.print(line)
        out.print()
        counts = " · ".join(f"{winner.capitalize()} {self._wins[winner]}" for winner in Winner)
        out.print(Text.assemble((f"{self._wins.total()} coups", "bold"), f" · {counts}"))
        out.print()
        purses = table("station", "robot", "bought in|", "wagered|", "balance|", "net|")
        for station, (habit, _) in PATRONS.items():
            balance, meters = state.money_ledger.purse(station).balance, state.money_meters[station]
            brought = sum(meters.came_in.values())
            figures = (write_amount(brought), write_amount(meters.wagered), write_amount(balance))
            purses.add_row(station, habit, *figures, net_text(balance - brought))
        out.print(purses)

    def _show_burn(self, event: e.CardsBurned) -> None:
        if event.shown is not None:
            self._shown_burn = event
        elif self._shown_burn is None:
            self._out.print(f"Burned 1 card face down ({event.clause}).\n", style="dim")
        else:
            assert self._shown_burn.shown is not None
            shown = card_text(CARDS[self._shown_burn.shown])
            self._out.print(Text.assemble("Burned ", shown, f" and {event.hidden} cards face down ({event.clause}).\n"))

    def _show_coup(self, coup: Coup) -> None:
        self._coups += 1
        self._roads, self._wins[coup.winner] = self._roads.then(CoupResult.of(coup)), self._wins[coup.winner] + 1
        self._out.print(
            Text.assemble(
                (f"{self._coups:3}  ", "dim"),
                _hand(Winner.PLAYER, coup.player),
                _hand(Winner.BANKER, coup.banker),
                winner_text(coup.winner, coup.sentence),
            )
        )
        for draw in coup.draws:
            if draw.cell.rule == "table" or draw.cell.side is draw.side:  # One hand's natural is one reason for both.
                self._out.print(f"       {draw.reason}", style="dim")

    def _show_settled(self, event: e.WagersSettled) -> None:
        """Each robot's bets and what they brought together."""
        told = [
            Text.assemble(
                f"{station} {', '.join(one.bet.replace('_', ' ') for one in settled)} ",
                net_text(sum(one.net_cents for one in settled)),
            )
            for station, settled in event.settlements.items()
        ]
        self._out.print(Text.assemble("       ", Text("   ").join(told)))


def _hand(side: Winner, hand: Hand) -> Text:
    shown = Text.assemble(winner_text(side), " ", cards_text(hand.cards), f" = {hand.total}")
    shown.pad_right(max(0, 22 - len(shown)))
    return shown
