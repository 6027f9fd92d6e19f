"""Rule set files: TOML written by hand, or the JSON that `sabot rules ID --json` prints.

Reading either gives a `RuleSet` that can be played, or a refusal with the file, the key and the reason.
"""

from collections.abc import Iterator

import msgspec

from sabot.basics.mistake import Mistake, place_and_reason
from sabot.rules.drawing import disagreements
from sabot.rules.house_rule import house_rules
from sabot.rules.odds import Odds
from sabot.rules.rule_set import BetRules, Diagrams, PayTableLine, Qualifying, RuleSet


class RuleSetRefused(Mistake):
    """A rule set file that cannot be used; the sentence names file, key and reason."""

    def __init__(self, file: str, key: str, reason: str) -> None:
        super().__init__(f"{file}: {key}: {reason}")
        self.file, self.key, self.reason = file, key, reason


def read_rule_set(text: bytes, file: str) -> RuleSet:
    """Read a rule set from its text. `file` names it in a refusal; its suffix tells JSON from TOML."""
    try:
        written = msgspec.json.decode(text) if file.endswith(".json") else msgspec.toml.decode(text)
    except (ValueError, RecursionError) as error:
        raise RuleSetRefused(file, "the file", f"cannot be read: {error}") from None
    try:
        if isinstance(written, dict) and isinstance(named := written.get("house_rules"), str):
            written["house_rules"] = msgspec.to_builtins(house_rules(named))
    except Mistake as mistake:
        raise RuleSetRefused(file, "house_rules", str(mistake)) from None
    try:
        rule_set = msgspec.convert(written, RuleSet, dec_hook=read_odds)
    except msgspec.ValidationError as error:
        place, reason = place_and_reason(error, RuleSet, written, read_odds)
        raise RuleSetRefused(file, place or "the file", reason) from None
    for key, reason in _contradictions(rule_set):
        raise RuleSetRefused(file, key, reason)
    return rule_set


def write_rule_set(rule_set: RuleSet) -> bytes:
    """The canonical JSON of a rule set: `read_rule_set` reads it back to an equal one."""
    return msgspec.json.encode(rule_set, enc_hook=_write_odds)


def digest(rule_set: RuleSet) -> str:
    """The digest in a table's opening record, which proves later which odds were in force."""
    import hashlib  # noqa: PLC0415  It loads a library of ciphers, and a coup needs no digest.

    return hashlib.sha256(write_rule_set(rule_set)).hexdigest()


def read_odds(wanted: type, written: object) -> Odds:
    if wanted is not Odds or not isinstance(written, str):
        raise ValueError(f"odds are written as text, such as '8' or '1/20', not {written!r}")
    return Odds.read(written)


def _write_odds(value: object) -> str:
    if not isinstance(value, Odds):
        raise NotImplementedError(f"a rule set holds no {type(value).__name__}")
    return str(value)


def _contradictions(rule_set: RuleSet) -> Iterator[tuple[str, str]]:
    """Keys that are valid by themselves but contradict each other."""
    if rule_set.decks.minimum > rule_set.decks.maximum:
        yield "decks.minimum", f"{rule_set.decks.minimum} is above the maximum {rule_set.decks.maximum}"
    for key, part, missing in (
        ("bets", rule_set.bets, "there is no game without a bet"),
        ("irregularities", rule_set.irregularities, "says of nothing that may go wrong what becomes of it"),
        ("shoe.cutting_card", rule_set.shoe.cutting_card, "names no way to place the cutting card"),
        ("shoe.burns", rule_set.shoe.burns, "names no way to burn"),
    ):
        if not part:
            yield key, missing
    for name, bet in rule_set.bets.items():
        for key, reason in _contradictions_of_bet(rule_set, bet):
            yield f"bets.{name}.{key}", reason
    if rule_set.diagrams is not None:
        yield from _contradictions_of_diagrams(rule_set, rule_set.diagrams)
    for number, placing in enumerate(rule_set.shoe.cutting_card):
        if not placing.at_least <= placing.from_back <= placing.at_most:
            yield f"shoe.cutting_card[{number}].from_back", f"{placing.from_back} is outside its own tolerance"
    for key, reason in disagreements(rule_set.table_of_play):
        yield f"table_of_play.{key}", reason


def _contradictions_of_diagrams(rule_set: RuleSet, diagrams: Diagrams) -> Iterator[tuple[str, str]]:
    """A layout without an area for a bet would hide it from patrons (CROWN 2.1(a))."""
    placed = [bet for row in diagrams.rows for bet in row]
    for bet in rule_set.bets:
        if placed.count(bet) != 1:
            yield "diagrams.rows", f"has {placed.count(bet)} areas for {bet}, and each bet has one"
    for bet in placed:
        if bet not in rule_set.bets:
            yield "diagrams.rows", f"the set has no bet {bet!r}"


def _contradictions_of_bet(rule_set: RuleSet, bet: BetRules) -> Iterator[tuple[str, str]]:
    if bet.option is not None and bet.option not in rule_set.options:
        yield "option", f"the set has no option {bet.option!r}"
        return
    if bet.only_with and not rule_set.decks.minimum <= bet.only_with.decks <= rule_set.decks.maximum:
        yield "only_with.decks", f"the set is never played with {bet.only_with.decks} decks"
    if bet.needs:
        yield from _contradictions_of_needs(rule_set, bet.needs)
    if bet.beside and bet.beside.bet not in rule_set.bets:
        yield "beside.bet", f"the set has no bet {bet.beside.bet!r}"
    if not any(line.result == "win" for line in bet.lines):
        yield "lines", "no line wins"
    choices = rule_set.options[bet.option].choices if bet.option else 1
    for number, line in enumerate(bet.lines):
        for key, reason in _contradictions_of_line(line, choices):
            yield f"lines[{number}].{key}", reason
        if any(earlier.when == line.when for earlier in bet.lines[:number]):
            yield f"lines[{number}].when", "an earlier line already decides this"


def _contradictions_of_needs(rule_set: RuleSet, needs: Qualifying) -> Iterator[tuple[str, str]]:
    if not needs.bets:
        yield "needs.bets", "no bet could ever qualify it"
    for needed in needs.bets:
        if needed not in rule_set.bets:
            yield "needs.bets", f"the set has no bet {needed!r}"
        elif rule_set.bets[needed].needs:
            yield "needs.bets", f"{needed} itself needs a qualifying wager, so it cannot qualify another"


def _contradictions_of_line(line: PayTableLine, choices: int) -> Iterator[tuple[str, str]]:
    if line.result != "win" and (line.pays or line.commission is not None):
        yield "pays", f"a line whose result is {line.result!r} pays nothing"
    if line.result == "win" and len(line.pays) not in (1, choices):
        wanted = "one figure" if choices == 1 else f"one figure, or {choices} for the option's choices"
        yield "pays", f"needs {wanted}, not {len(line.pays)}"
    if any(odds <= 0 for odds in line.pays):
        yield "pays", "a win pays something"
    if line.commission is not None and not 0 < line.commission < 1:
        yield "commission", "is a part of the winnings, between 0 and 1"
