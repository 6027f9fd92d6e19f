"""`sabot coup`: one coup, card by card, and its wagers settled."""

import msgspec
from rich.table import Table

from sabot.basics.mistake import Mistake, told_of
from sabot.basics.money import write_amount
from sabot.cli.arguments import (
    DragonBonus,
    Flag,
    Json,
    Number,
    OptionArguments,
    PerfectPairs,
    WagerArguments,
    read_cards_and_wagers,
    read_rule_set_argument,
    typed_options,
)
from sabot.cli.terminal import answer_lines, card_text, console, net_text, print_json, table, title_text, winner_text
from sabot.rules import shipped
from sabot.rules.cards import read_cards
from sabot.rules.coup import Coup, read_coup
from sabot.rules.explanation import Explanation, explain
from sabot.rules.rule_set import Bet
from sabot.rules.table_of_play import INITIAL_DEAL
from sabot.rules.terms import Settlement, Terms


def coup(
    rule_set: str | None = None,
    /,
    *cards: str,
    wager: WagerArguments = (),
    dragon_bonus: DragonBonus = None,
    perfect_pairs: PerfectPairs = None,
    option: OptionArguments = (),
    decks: Number | None = None,
    batch: Flag = False,
    json: Json = False,
) -> int:
    """Explain a coup card by card and settle wagers on it.

    Limits and qualifying wagers are not applied; a table applies them when wagers are placed.

        sabot coup crown-traditional 2S 4H 3D 3C 8S --wager banker=100 --wager tie=5

        sabot coup crown-baccarat 2S 3H 3D 3C TH --wager banker=100 super_6=10

    With --batch it reads JSON lines such as
    {"rule_set":"mbs-baccarat","cards":["5S","KH","4D","QC"],"wagers":{"player":10000}} (cents; "decks" and "options"
    may be added) and writes one JSON line each, in order. A bad line gives {"line":n,"error":"..."} and the exit code
    is then 1.

    Parameters
    ----------
    rule_set
        The id of a rule set (see `sabot rules`), or the path of a rule set file.
    cards
        The cards in shoe order: Player, Banker, Player, Banker, then third cards.
    wager
        BET=AMOUNT in currency units, such as banker=100 or tie=12.50; may be repeated.
    decks
        How many decks the shoe holds; 8 unless given.
    batch
        Answer JSON lines from standard input.
    """
    options = typed_options(option, dragon_bonus=dragon_bonus, perfect_pairs=perfect_pairs)
    if batch:
        if rule_set is not None or wager or options or decks is not None:
            raise Mistake(
                "--batch takes everything from its lines; leave out rule set, cards, wagers, options and decks"
            )
        return answer_lines(CoupBatch().answer)
    if rule_set is None:
        raise Mistake("name a rule set and the cards, such as: sabot coup crown-traditional 5S KH 4D QC")
    chosen_set = read_rule_set_argument(rule_set)
    dealt, wagers = read_cards_and_wagers(cards, wager)
    terms = Terms(chosen_set, 8 if decks is None else decks, options)
    # Choosing an option implies that its bet is offered, which the number of decks may forbid.
    terms.check_playable(bet for bet, rules in chosen_set.bets.items() if rules.option in options)
    explanation = explain(dealt, wagers, terms)
    if json:
        print_json(explanation)
    else:
        _show(read_coup(dealt), explanation, terms)
    return 0


class Choices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    dragon_bonus: int = 1
    perfect_pairs: int = 1


class Question(msgspec.Struct, forbid_unknown_fields=True):
    """A line of the batch."""

    rule_set: str
    cards: list[str]
    decks: int = 8
    options: Choices = Choices()
    wagers: dict[Bet, int] = {}


class CoupBatch:
    """Answers lines. Terms are made once for each combination of rule set, decks and options."""

    def __init__(self) -> None:
        self._decode = msgspec.json.Decoder(Question).decode
        self._encode = msgspec.json.Encoder().encode
        self._terms: dict[tuple[str, int, int, int], Terms] = {}

    def answer(self, line: bytes) -> bytes:
        try:
            question = self._decode(line)
        except msgspec.ValidationError as error:
            raise Mistake(f"not a question: {told_of(error, Question)}") from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Mistake(f"not a question: {error}" if line.strip() else "the line is empty") from None
        _check_said_once(line, question)
        options = question.options
        key = (question.rule_set, question.decks, options.dragon_bonus, options.perfect_pairs)
        terms = self._terms.get(key)
        if terms is None:
            terms = self._terms[key] = _terms(question)
        return self._encode(explain(read_cards(question.cards), question.wagers, terms))


def _terms(question: Question) -> Terms:
    """A line may give every option. The default, 1, is accepted for an option that the rule set does not have."""
    rule_set = shipped.rule_set(question.rule_set)
    said = msgspec.structs.asdict(question.options)
    return Terms(
        rule_set,
        question.decks,
        {name: choice for name, choice in said.items() if name in rule_set.options or choice != 1},
    )


def _check_said_once(line: bytes, question: Question) -> None:
    """Refuse a line that has a key twice: the decoder would silently drop one of two wagers on a bet.

    Every key and every card takes two quotation marks. Counting them is fast; only a line with more than its content
    explains is parsed again.
    """
    keys = 2 + (b'"decks"' in line) + (b'"options"' in line) + (b'"wagers"' in line)
    keys += (b'"dragon_bonus"' in line) + (b'"perfect_pairs"' in line) + len(question.wagers)
    if line.count(b'"') != 2 * (keys + 1 + len(question.cards)):
        import json as stdlib_json

        stdlib_json.loads(line, object_pairs_hook=_unique)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise Mistake(f"{name} is said twice")
    return dict(pairs)


def _show(played: Coup, explanation: Explanation, terms: Terms) -> None:
    out = console()
    out.print(title_text(terms.rule_set, f"{terms.decks} decks"))
    out.print()
    out.print(_card_by_card(played, terms))
    out.print()
    out.print(winner_text(played.winner, played.sentence))
    if explanation.wagers:
        out.print()
        out.print(_settlements(explanation.wagers, terms))


def _card_by_card(played: Coup, terms: Terms) -> Table:
    shown = table("", "card", "hand", "count|", "why", "clause")
    counts = {"player": 0, "banker": 0}
    cards = iter(played.cards)
    for number, decision in enumerate((*INITIAL_DEAL, *played.draws), 1):
        drawn = next(cards) if decision.drawn else None
        counts[decision.side] = (counts[decision.side] + (drawn.points if drawn else 0)) % 10
        shown.add_row(
            str(number) if drawn else "",
            card_text(drawn) if drawn else "—",
            decision.side.capitalize(),
            str(counts[decision.side]),
            decision.reason,
            terms.clause_of(decision),
        )
    return shown


def _settlements(settled: list[Settlement], terms: Terms) -> Table:
    shown = table("bet", "stake|", "outcome", "gross|", "commission|", "net|", "clause")
    for one in settled:
        shown.add_row(
            terms.rule_set.bet(one.bet).title,
            write_amount(one.stake_cents),
            one.outcome,
            write_amount(one.gross_cents),
            write_amount(one.commission_cents),
            net_text(one.net_cents),
            one.clause,
        )
    if len(settled) > 1:
        stakes, nets = sum(one.stake_cents for one in settled), sum(one.net_cents for one in settled)
        shown.add_section()
        shown.add_row("together", write_amount(stakes), "", "", "", net_text(nets), "")
    return shown
