"""The example rule sets: published edges, and that tables are not opened with them."""

from fractions import Fraction
from functools import cache

import msgspec
import pytest

from sabot.basics.mistake import Mistake
from sabot.odds.composition import Composition
from sabot.odds.next_coup import NextCoup
from sabot.odds.study import Study, StudyOdds
from sabot.rules.rule_set_file import read_rule_set, write_rule_set
from sabot.rules.shipped import EXAMPLES, IDS, all_examples, rule_set
from sabot.table.configuration import check
from sabot.table.fixtures import fixture
from tests.cli.sabot import sabot
from tests.tables import rows


@cache
def _odds(identity: str) -> StudyOdds:
    return Study.of_all_options(rule_set(identity), 8).odds(NextCoup(Composition.fresh(8)))


@pytest.mark.parametrize("row", rows("example_edges.tsv"), ids=lambda row: row["bet"])
def test_every_published_edge_of_an_example_is_reproduced(row: dict[str, str]) -> None:
    """To the digits that were published, of which the last may be off by one: they were rounded from six places."""
    exact = 100 * float(_odds(row["rule_set"])[row["bet"]].house_edge)
    digits = len(row["published"].partition(".")[2])
    assert abs(exact - float(row["published"])) < 1.1 * 10**-digits, exact


def test_3_giving_8_wins_on_as_many_sequences_as_were_published() -> None:
    assert _odds("example-totals")["three_giving_8.1"].counts[0] == 22_708_577_366_016


def test_royal_9_is_what_counting_hands_of_a_nine_and_a_face_card_gives() -> None:
    """No figure of the fixed prizes was published. Hands are counted here as unordered cards, without the engine."""
    nines, faces, cards = 4 * 8, 4 * 3 * 8, 52 * 8
    one, suited = nines * faces, 4 * 8 * 3 * 8
    hands = cards * (cards - 1) // 2
    others = (cards - 2) * (cards - 3) // 2
    both = one * (nines - 1) * (faces - 1)
    both_suited = 4 * 8 * 24 * (7 * 23 + 3 * 8 * 24)
    either_suited = 2 * suited * others - both_suited
    suited_and_other = 2 * suited * (nines - 1) * (faces - 1) - both_suited
    either = 2 * one * others - both
    paid = 299 * both_suited + 49 * (both - both_suited) + 9 * (either_suited - suited_and_other)
    paid += 4 * (either - both - (either_suited - suited_and_other))
    lost = hands * others - either
    assert _odds("example-royal-9")["royal_9"].house_edge == Fraction(lost - paid, hands * others)


@pytest.mark.parametrize("identity", EXAMPLES)
def test_an_example_says_that_it_is_one_and_can_be_written_and_read_back(identity: str) -> None:
    one = rule_set(identity)
    assert one.title.startswith("Example: ")
    assert (one.id, one.document, one.operator) == (identity, "EXAMPLE", "no casino")
    assert read_rule_set(write_rule_set(one), "again.json") == one


def test_examples_are_listed_apart_from_the_approved_rule_sets() -> None:
    plain, examples = sabot("rules", "--json").out, sabot("rules", "--examples").out
    assert all(f'"{one}"' in plain for one in IDS)
    assert not any(one in plain for one in EXAMPLES)
    assert all(one.id in examples for one in all_examples())
    with pytest.raises(Mistake, match=r"did you mean example-tiger\?"):
        rule_set("example-tigers")


@pytest.mark.parametrize(("identity", "bet"), [("example-tiger", "tiger_pair"), ("example-royal-9", "royal_9")])
def test_a_simulation_tells_pairs_of_one_rank_and_suited_hands_apart(identity: str, bet: str) -> None:
    said = sabot("simulate", identity, "--shoes", "400", "--seed", "3", "--threads", "1", "--json")
    assert said.code == 0, said.error
    bets = said.json["bets"]
    assert bets[bet]["win"] > 0
    assert all(abs(bet["z"]) < 4.5 for bet in bets.values()), bets


def test_a_table_is_not_opened_with_an_example() -> None:
    configuration = msgspec.structs.replace(fixture("singapore"), rule_set="example-ez")
    with pytest.raises(Mistake, match="is an example with no approved document"):
        check(configuration)
