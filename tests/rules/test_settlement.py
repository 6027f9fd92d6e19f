"""Settlement: the worked coups, the dealing errors, and properties of every settlement."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.basics.mistake import Mistake
from sabot.rules.cards import read_cards, write_cards
from sabot.rules.condition import Condition
from sabot.rules.coup import Coup, read_coup, read_in_shoe_order
from sabot.rules.odds import Odds
from sabot.rules.rule_set import Bet, RuleSet
from sabot.rules.shipped import IDS, all_rule_sets, rule_set
from sabot.rules.terms import Outcome, Terms
from tests.chance import coups
from tests.tables import rows

BANKER_COLUMN = {
    "crown-traditional": "banker_95",
    "mbs-baccarat": "banker_95",
    "crown-baccarat": "banker_half",
    "mbs-no-commission": "banker_half",
    "mbs-rapid-no-commission": "banker_half",
    "rws-non-commission": "banker_half",
}
OPTIONS = [(dragon, perfect) for dragon in (1, 2, 3) for perfect in (1, 2)]


def _terms(identity: str, dragon: int = 1, perfect: int = 1) -> Terms:
    one = rule_set(identity)
    chosen = {"dragon_bonus": dragon, "perfect_pairs": perfect}
    return Terms(one, 8, {name: choice for name, choice in chosen.items() if name in one.options})


def _column(bet: str, identity: str, terms: Terms) -> str:
    option = terms.rule_set.bet(bet).option
    return BANKER_COLUMN[identity] if bet == "banker" else f"{bet}.{terms.options[option]}" if option else bet


@pytest.mark.clause("CROWN 10.1", "MBS-B 4.1 Banker", "MBS-R 4.1 Banker on 6", "RWS 4.1.1 Banker on 6")
@pytest.mark.parametrize("identity", IDS)
@pytest.mark.parametrize("row", rows("worked_coups.tsv"), ids=lambda row: row["number"])
def test_worked_coup_settles_every_bet_of_every_rule_set(row: dict[str, str], identity: str) -> None:
    """64 coups, every bet, every option: the net for 100 is the table's figure to the cent."""
    coup = read_coup(read_cards(row["cards"].split()))
    for dragon, perfect in OPTIONS:
        terms = _terms(identity, dragon, perfect)
        settled = terms.settle(dict.fromkeys(terms.bets, 10_000), coup)
        found = {one.bet: one.net_cents for one in settled}
        assert found == {bet: 100 * int(row[_column(bet, identity, terms)]) for bet in terms.bets}


@pytest.mark.parametrize("row", rows("worked_totals.tsv"), ids=lambda row: row["number"])
def test_worked_coup_nets_the_published_total(row: dict[str, str]) -> None:
    """100 on every bet that the set offers: one figure for each set and choice of options."""
    cards = {one["number"]: one["cards"] for one in rows("worked_coups.tsv")}[row["number"]]
    coup = read_coup(read_cards(cards.split()))
    for column, total in row.items():
        if column == "number":
            continue
        identity, _, options = column.partition("/")
        terms = _terms(identity, *map(int, options))
        nets = [one.net_cents for one in terms.settle(dict.fromkeys(terms.bets, 10_000), coup)]
        assert sum(nets) == 100 * int(total)


@pytest.mark.clause("CROWN 11.3", "CROWN 11.7.1(a)", "CROWN 11.7.1(b)", "CROWN 11.7.2", "CROWN 11.6.2", "G-68", "G-69")
@pytest.mark.parametrize("row", rows("dealing_errors.tsv"), ids=lambda row: f"{row['clause']}: {row['case']}")
def test_dealing_error_is_read_in_shoe_order_and_settled(row: dict[str, str]) -> None:
    coup, left_over = read_in_shoe_order(read_cards(row["cards"].split()))
    assert write_cards(left_over) == row["left_over"].upper()
    assert coup.winner == row["winner"].lower()
    for hand, expected in ((coup.player, row["player_hand"]), (coup.banker, row["banker_hand"])):
        assert f"{write_cards(hand.cards)} = {hand.total}" == expected.upper()
    for identity in ("crown-traditional", "crown-baccarat"):
        bets = ("player", "banker", "tie", "super_6", "player_dragon_bonus", "banker_dragon_bonus")
        settled = _terms(identity).settle({Bet(bet): 10_000 for bet in bets}, coup)
        columns = [BANKER_COLUMN[identity] if bet == "banker" else bet for bet in bets]
        assert [one.net_cents for one in settled] == [100 * int(row[column]) for column in columns]


@pytest.mark.clause("CROWN 4.8.2(a)", "G-52")
@given(coup=coups, stake=st.integers(1, 10**7), one=st.sampled_from(all_rule_sets()), option=st.integers(1, 2))
def test_settlements_add_up(coup: Coup, stake: int, one: RuleSet, option: int) -> None:
    """Net is gross less commission; a loss costs the stake; a push moves nothing; there is no other outcome."""
    terms = Terms(one, 8, dict.fromkeys(one.options, option))
    stakes = dict.fromkeys(terms.bets, stake * 20)
    settled = terms.settle(stakes, coup)
    assert [each.bet for each in settled] == list(stakes)
    for each in settled:
        assert each.net_cents == each.gross_cents - each.commission_cents
        assert 0 <= each.commission_cents < max(1, each.gross_cents)
        if each.outcome is Outcome.WIN:
            assert each.net_cents > 0
        else:
            assert each.commission_cents == 0
            assert each.net_cents == (-each.stake_cents if each.outcome is Outcome.LOSE else 0)


@given(coup=coups, one=st.sampled_from(all_rule_sets()))
def test_player_banker_and_tie_exclude_each_other(coup: Coup, one: RuleSet) -> None:
    """Of the three main bets exactly one wins; on a tie all documents return the other two."""
    bets = [Bet(name) for name in ("player", "banker", "tie")]
    outcomes = {each.bet: each.outcome for each in Terms(one).settle(dict.fromkeys(bets, 100), coup)}
    winning = Bet(coup.winner)
    assert [bet for bet in bets if outcomes[bet] is Outcome.WIN] == [winning]
    others = {outcome for bet, outcome in outcomes.items() if bet != winning}
    assert others == ({Outcome.PUSH} if coup.winner == "tie" else {Outcome.LOSE})


@given(
    coup=coups, one=st.sampled_from(all_rule_sets()), stakes=st.lists(st.integers(1, 10**6), min_size=10, max_size=10)
)
def test_wagers_are_settled_each_by_itself(coup: Coup, one: RuleSet, stakes: list[int]) -> None:
    terms = Terms(one)
    wagers = {bet: stake * 20 for bet, stake in zip(terms.bets, stakes, strict=False)}
    together = terms.settle(wagers, coup)
    assert together == [each for bet, stake in wagers.items() for each in terms.settle({bet: stake}, coup)]


@pytest.mark.clause("G-50")
def test_a_fraction_of_a_cent_is_refused_never_rounded() -> None:
    banker_wins = read_coup(read_cards(["2S", "4H", "3D", "3C", "8S"]))
    terms = Terms(rule_set("crown-traditional"))
    assert terms.settle({Bet("banker"): 20}, banker_wins)[0].net_cents == 19
    with pytest.raises(Mistake, match="crown-traditional, banker: 1/20 of 10 cents is not a whole number of cents"):
        terms.settle({Bet("banker"): 10}, banker_wins)
    on_six = read_coup(read_cards(["2S", "3H", "3D", "3C", "TH"]))
    with pytest.raises(Mistake, match="wager a multiple of 2 cents"):
        Terms(rule_set("rws-non-commission")).settle({Bet("banker"): 1}, on_six)


@pytest.mark.clause("G-50")
@given(coup=coups, one=st.sampled_from(all_rule_sets()), many=st.integers(1, 10**6))
def test_multiples_of_a_bets_unit_never_pay_a_fraction(coup: Coup, one: RuleSet, many: int) -> None:
    terms = Terms(one)
    terms.settle({bet: terms.unit(bet) * many for bet in terms.bets}, coup)


def test_units_are_what_the_odds_demand() -> None:
    assert Terms(rule_set("crown-traditional")).unit(Bet("banker")) == 20
    assert Terms(rule_set("crown-baccarat")).unit(Bet("banker")) == 2
    assert Terms(rule_set("mbs-rapid-no-commission")).unit(Bet("banker")) == 2
    assert Terms(rule_set("rws-non-commission")).unit(Bet("tie")) == 1


@pytest.mark.clause("CROWN 3.1.1")
def test_perfect_pairs_need_eight_decks() -> None:
    coup = read_coup(read_cards(["5S", "KH", "4D", "QC"]))
    with pytest.raises(
        Mistake, match=r"Player Perfect Pairs may be offered only with 8 decks, not 6 \(CROWN 3\.1\.1\)"
    ):
        Terms(rule_set("crown-traditional"), 6).settle({Bet("player_perfect_pairs"): 100}, coup)


@pytest.mark.parametrize(
    ("identity", "decks", "options", "sentence"),
    [
        ("crown-traditional", 3, {}, r"played with 4 to 8 decks, not 3 \(CROWN 3\.1\)"),
        ("rws-non-commission", 9, {}, r"played with 4 to 8 decks, not 9 \(RWS 2\.2\.1\)"),
        ("mbs-baccarat", 11, {}, r"played with 4 to 10 decks, not 11 \(MBS-B 2\.1\)"),
        ("mbs-baccarat", 8, {"dragon_bonus": 1}, "mbs-baccarat has no option 'dragon_bonus'"),
        ("crown-baccarat", 8, {"dragon_bonus": 4}, "options 1 to 3 for dragon_bonus, not 4"),
        ("crown-baccarat", 8, {"perfect_pairs": 3}, "options 1 to 2 for perfect_pairs, not 3"),
    ],
)
def test_terms_that_no_table_may_offer_are_refused(
    identity: str, decks: int, options: dict[str, int], sentence: str
) -> None:
    with pytest.raises(Mistake, match=sentence):
        Terms(rule_set(identity), decks, options)


@pytest.mark.clause("G-03")
@pytest.mark.parametrize("stake", [0, -100, 10**13 + 1])
def test_impossible_stakes_and_bets_are_refused(stake: int) -> None:
    coup = read_coup(read_cards(["5S", "KH", "4D", "QC"]))
    terms = Terms(rule_set("crown-traditional"))
    with pytest.raises(Mistake, match="a wager"):
        terms.settle({Bet("player"): stake}, coup)
    with pytest.raises(Mistake, match="has no bet 'dragon_tails'"):
        terms.settle({Bet("dragon_tails"): 100}, coup)


def test_odds_are_exact_fractions() -> None:
    assert str(Odds.read("19/20")) == "19/20"
    assert str(Odds.read("8")) == "8"
    for wrong in ("0.95", "-1", "1/0", "", "1 to 1", "8/"):
        with pytest.raises(Mistake, match="are not odds"):
            Odds.read(wrong)


@pytest.mark.parametrize(
    ("condition", "cards", "holds"),
    [
        ({"winner": "banker", "total": 6, "cards": 2}, "2S 3H 3D 3C TH", True),
        ({"winner": "banker", "total": 6, "cards": 3}, "2S 3H 3D 3C TH", False),
        ({"winner": "banker", "cards": 3}, "KS 2H AD 3C 4H AH", True),
        ({"winner": "tie", "cards": 2}, "3S 2H 3D 4C", True),
        ({"winner": "tie", "cards": 3}, "4S 2D 3H KC 5C", False),
        ({"margin": 1}, "2S 3H 3D 3C TH", True),
        ({"player_pair": "any", "banker_pair": "coloured"}, "9D 4S 9D 4C", True),
        ({"player_pair": "mixed"}, "9D 4S 9D 4C", False),
        ({"either_pair": "coloured"}, "9D 4S 9D 4C", True),
        ({"either_pair": "mixed"}, "9D 4S 9D 4C", False),
        ({"same_pair": True}, "9D 9S 9D 9C", True),
        ({"same_pair": True}, "9D 4S 9D 4C", False),
        ({"same_pair": False}, "9D 9S 9D 9C", False),
        ({"coup_cards": 4}, "9D 4S 9D 4C", True),
        ({"coup_cards": "5-6"}, "9D 4S 9D 4C", False),
        ({"coup_cards": "5-6"}, "2S 3H 3D 3C TH", True),
        ({"winner": "banker", "total": "6-8"}, "2S 3H 3D 3C TH", True),
        ({"winner": "banker", "total": "7-8"}, "2S 3H 3D 3C TH", False),
        ({"player_third": "T"}, "2S 3H 3D 3C TH", True),
        ({"player_third": "K"}, "2S 3H 3D 3C TH", False),
        ({"banker_third": "T"}, "2S 3H 3D 3C TH", False),
        ({"player_third": "TH"}, "2S 3H 3D 3C TH", True),
        ({"player_third": "TS"}, "2S 3H 3D 3C TH", False),
        ({"player_third": "suited"}, "2H 3H 3H 3C TH", True),
        ({"player_third": "suited"}, "2S 3H 3H 3C TH", False),
        ({"player_total": 5, "player_cards": 3}, "2S 3H 3D 3C TH", True),
        ({"banker_total": "6-7", "banker_cards": 2}, "2S 3H 3D 3C TH", True),
        ({"banker_total": 5}, "2S 3H 3D 3C TH", False),
        ({"player_start": "9 JQK suited"}, "KD 2S 9D 4C", True),
        ({"player_start": "9 JQK suited"}, "KD 2S 9H 4C", False),
        ({"player_start": "red"}, "KD 2S 9H 4C", True),
        ({"banker_start": "black"}, "KD 2S 9H 4C", True),
        ({"banker_start": "9 JQK"}, "KD 2S 9H 4C", False),
    ],
)
def test_conditions_of_a_casinos_own_bets(condition: dict[str, object], cards: str, holds: bool) -> None:
    """For example a bet on a Banker six of three cards, which no shipped rule set has."""
    read = msgspec.convert(condition, Condition)
    assert read.holds(read_coup(read_cards(cards.split()))) is holds
