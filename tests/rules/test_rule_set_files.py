"""Rule sets as files: the six are valid, round trips lose nothing, and a broken file is refused with its key."""

import tomllib
from importlib import resources

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.basics.mistake import Mistake
from sabot.rules.odds import Odds
from sabot.rules.rule_set import RuleSet
from sabot.rules.rule_set_file import RuleSetRefused, digest, read_rule_set, write_rule_set
from sabot.rules.shipped import IDS, all_rule_sets, rule_set
from tests.tables import rows

TEXT = {
    identity: (resources.files("sabot.rules") / "rule_sets" / f"{identity}.toml").read_text(encoding="utf-8")
    for identity in IDS
}


@pytest.mark.parametrize("one", all_rule_sets(), ids=lambda one: one.id)
def test_round_trip_through_the_canonical_form(one: RuleSet) -> None:
    assert read_rule_set(write_rule_set(one), "copy.json") == one
    assert digest(one) == digest(read_rule_set(TEXT[one.id].encode(), "again.toml"))


odds = st.builds(Odds, st.integers(1, 999), st.integers(1, 99))


@given(
    one=st.sampled_from(all_rule_sets()),
    decks=st.tuples(st.integers(1, 12), st.integers(1, 12)).map(sorted),
    tie=odds,
    title=st.text(min_size=1, max_size=50),
)
def test_round_trip_of_a_casinos_own_rule_set(one: RuleSet, decks: list[int], tie: Odds, title: str) -> None:
    tie_rules = one.bets["tie"]  # type: ignore[index]
    line = msgspec.structs.replace(tie_rules.lines[0], pays=(tie,))
    own = msgspec.structs.replace(
        one,
        title=title,
        decks=msgspec.structs.replace(one.decks, minimum=min(decks[0], 8), maximum=max(decks[1], 8)),
        bets={**one.bets, "tie": msgspec.structs.replace(tie_rules, lines=(line,))},
    )
    assert read_rule_set(write_rule_set(own), "own.json") == own
    assert digest(own) != digest(one) or own == one


def _fact(one: RuleSet, path: str) -> str:
    """The value under a dotted key of a rule set, as text; empty where there is none."""
    place: object = one
    for part in path.split("."):
        if isinstance(place, dict):
            place = place.get(part)
        elif isinstance(place, tuple):
            place = place[int(part)]
        else:
            place = getattr(place, part, None)
    return " ".join(place) if isinstance(place, dict | tuple) else "" if place is None else str(place)


@pytest.mark.parametrize("row", rows("rule_set_facts.tsv"), ids=lambda row: row["key"])
def test_the_sets_say_what_their_documents_say(row: dict[str, str]) -> None:
    assert {one.id: _fact(one, row["key"]) for one in all_rule_sets()} == {identity: row[identity] for identity in IDS}


def test_crowns_two_versions_differ_only_in_name_notice_and_banker() -> None:
    """Apart from clauses, which name the version of the pay table."""

    def facts(identity: str) -> dict[str, object]:
        text = TEXT[identity].replace("CROWN 10.1 Traditional", "CROWN 10.1").replace("CROWN 10.1 Crown", "CROWN 10.1")
        return tomllib.loads(text)

    traditional, crown = facts("crown-traditional"), facts("crown-baccarat")
    assert {key for key in traditional | crown if traditional.get(key) != crown.get(key)} == {
        "id",
        "title",
        "notice",
        "bets",
    }
    bets, other = traditional["bets"], crown["bets"]
    assert isinstance(bets, dict)
    assert isinstance(other, dict)
    assert [name for name in bets if bets[name] != other[name]] == ["banker"]


BREAKS = [
    (
        "decks = 8, clause",
        "decks = 9, clause",
        "bets.player_perfect_pairs.only_with.decks",
        "never played with 9 decks",
    ),
    ("maximum = 8", "maximum = 3", "decks.minimum", "4 is above the maximum 3"),
    ("maximum = 8", 'maximum = "8"', "decks.maximum", "a whole number is wanted, not text in quotation marks"),
    ("maximum = 8", "maximum = 8\njokers = 2", "decks", "there is no key jokers"),
    ('pays = ["8"]', 'pays = ["8.0"]', "bets.tie.lines[0].pays", "'8.0' are not odds"),
    ('pays = ["8"]', "pays = [8]", "bets.tie.lines[0].pays", "odds are written as text"),
    ('pays = ["8"]', 'pays = ["8", "9"]', "bets.tie.lines[0].pays", "needs one figure, not 2"),
    ('pays = ["8"]', 'pays = ["0"]', "bets.tie.lines[0].pays", "a win pays something"),
    ('pays = ["25", "30"]', 'pays = ["25", "30", "35"]', "perfect_pairs.lines[0].pays", "2 for the option's choices"),
    ('commission = "1/20"', 'commission = "1"', "bets.banker.lines[0].commission", "between 0 and 1"),
    ('when = { winner = "banker", total = 6 }', "when = {}", "bets.super_6.lines[0].when", "names nothing"),
    ('winner = "banker", total = 6', 'winner = "house", total = 6', "bets.super_6.lines[0].when", "'house'"),
    ('winner = "banker", total = 6', "total = 6", "bets.super_6.lines[0].when", "without naming the winner"),
    (
        'option = "dragon_bonus"',
        'option = "dragon_tails"',
        "bets.player_dragon_bonus.option",
        "no option 'dragon_tails'",
    ),
    ('bets = ["player", ', 'bets = ["dealer", ', "bets.player_pair.needs.bets", "no bet 'dealer'"),
    ('bet = "banker_pair"', 'bet = "dealer_pair"', "bets.player_pair.beside.bet", "no bet 'dealer_pair'"),
    ('totals = "3", given', 'totals = "4", given', "table_of_play.banker", "Banker does on 3"),
    ('draws_on = "none 2-7"', 'draws_on = "none 2-8"', "table_of_play.banker", "Banker stands on 4 when Player drew 8"),
    (
        'natural = { player = "CROWN 9.1", banker = "CROWN 9.1" }',
        'natural = { player = "CROWN 9.1" }',
        "natural",
        "Banker",
    ),
    ("from_back = 13, at_least = 13", "from_back = 13, at_least = 14", "shoe.cutting_card[1].from_back", "tolerance"),
    ('clause = "CROWN 3.1"', 'clause = ""', "decks.clause", "it has at least 3 characters"),
    ("[bets.tie]", '[bets."Bad Bet!"]', "bets", "a name has small letters and digits"),
    ('bets = ["player", ', 'bets = ["player_pair", ', "bets.player_pair.needs.bets", "itself needs a qualifying wager"),
    ('{ totals = "6-7", draws = false', '{ totals = "5-7", draws = false', "table_of_play.player", "more than one row"),
    (
        '{ winner = "tie" }, pays',
        '{ winner = "tie", margin = 3 }, pays',
        "bets.tie.lines[0].when",
        "a tie has no margin",
    ),
    *(
        ('{ winner = "banker", total = 6 }', f"{{ {when} }}", "bets.super_6.lines[0].when", reason)
        for when, reason in (
            ('winner = "banker", total = "9-6"', "total '9-6' is a range that ends before it begins"),
            ('winner = "banker", total = "6 to 9"', "a range is two digits with a hyphen"),
            ('winner = "banker", total = 10', "of at most 9 is wanted"),
            ("coup_cards = 7", "of at most 6 is wanted"),
            ('coup_cards = "3-5"', "coup_cards '3-5' is not within 4 to 6"),
            ('coup_cards = 4, player_third = "9"', "can never hold: 4 cards have fewer third cards"),
            ('winner = "banker", natural = true, player_third = "9"', "no third card follows a natural"),
            ('winner = "banker", cards = 2, banker_third = "9"', "the hand that drew has three cards"),
            ('winner = "banker", natural = true, total = "5-7"', "a natural counts eight or nine"),
            (
                'player_third = "10"',
                "player_third: '10' is no set of cards: write ranks of A23456789TJQK, then suits of SHDC",
            ),
            ('player_third = "8 9"', "'8 9' is not one card"),
            ('banker_start = "9"', "banker_start: '9' is not two cards"),
            ('banker_start = "9 KX"', "'KX' is no set of cards"),
            ('banker_start = "9S 9H suited"', "'9S 9H suited' can never hold: no two cards are so"),
            ('player_total = 9, winner = "banker"', "can never hold: Banker wins with more than Player"),
            ('player_total = "0-3", banker_total = 4, winner = "tie"', "both have one count in a tie"),
            ('player_start = "9 JQK", player_third = "8"', "can never hold: Player stands with such first cards"),
            ('banker_start = "9 8", banker_cards = 3', "can never hold: Banker stands with such first cards"),
            ('banker_cards = 2, banker_third = "9"', "the hand that drew has three cards"),
            ('player_total = "5-4"', "player_total '5-4' is a range that ends before it begins"),
            ('either_pair = "suited"', "'suited' is none of any, coloured, mixed, perfect"),
            ('same_pair = "yes"', "true or false is wanted, not text"),
        )
    ),
    ("fraud = {", "fraudulence = {", "irregularities.fraudulence", "'fraudulence' is none of "),
    ("[shoe]", "[shoe", "the file", "cannot be read"),
    ('id = "crown-traditional"', "", "the file", "the key id is missing"),
    ('id = "crown-traditional"', 'id = "Crown Traditional"', "id", "a name has small letters and digits"),
]


@pytest.mark.parametrize(("old", "new", "key", "reason"), BREAKS, ids=lambda text: str(text)[:40])
def test_a_broken_file_is_refused_with_file_key_and_reason(old: str, new: str, key: str, reason: str) -> None:
    text = TEXT["crown-traditional"]
    assert old in text
    with pytest.raises(RuleSetRefused) as refused:
        read_rule_set(text.replace(old, new, 1).encode(), "my.toml")
    assert str(refused.value).startswith("my.toml: ")
    assert key in refused.value.key
    assert reason in refused.value.reason
    assert "\n" not in str(refused.value)


def test_a_line_that_pays_without_winning_or_repeats_another_is_refused() -> None:
    text = TEXT["crown-traditional"]
    push = 'result = "push", clause = "CROWN 10.1 note **"'
    with pytest.raises(RuleSetRefused, match=r"bets\.player\.lines\[1\]\.pays: a line whose result is 'push'"):
        read_rule_set(text.replace(push, f'pays = ["1"], {push}', 1).encode(), "my.toml")
    line = '{ name = "Tie", when = { winner = "tie" }, pays = ["8"], clause = "CROWN 10.1 Traditional Tie" },'
    with pytest.raises(RuleSetRefused, match=r"bets\.tie\.lines\[1\]\.when: an earlier line already decides this"):
        read_rule_set(text.replace(line, line + line).encode(), "my.toml")


@given(st.binary(max_size=200))
def test_garbage_is_refused_not_crashed_on(garbage: bytes) -> None:
    for file in ("garbage.toml", "garbage.json"):
        with pytest.raises(RuleSetRefused):
            read_rule_set(garbage, file)


def test_an_unknown_rule_set_is_refused_with_a_hint() -> None:
    with pytest.raises(
        Mistake, match=r"there is no rule set 'crown-tradition' \(did you mean crown-traditional\?\); the sets are"
    ):
        rule_set("crown-tradition")


@pytest.mark.parametrize("identity", IDS)
def test_files_are_named_by_their_id(identity: str) -> None:
    assert tomllib.loads(TEXT[identity])["id"] == identity == rule_set(identity).id
