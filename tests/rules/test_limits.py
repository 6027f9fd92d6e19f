"""Permissible wagers (CROWN rule 5), qualifying wagers, and limits that a table may not have."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sabot.basics.mistake import Mistake
from sabot.basics.money import Cents
from sabot.rules.limits import Limits, check_limits, recognised, unqualified
from sabot.rules.rule_set import Bet
from sabot.rules.shipped import rule_set
from sabot.rules.terms import Terms

CROWN = rule_set("crown-traditional")


def _layout(**wagers: int) -> dict[Bet, Cents]:
    return {Bet(bet): Cents(cents) for bet, cents in wagers.items()}


def _limits(minimum: int, step: int, maximum: int) -> Limits:
    return Limits(Cents(minimum), Cents(step), Cents(maximum))


@pytest.mark.clause("CROWN 5.3.1", "CROWN 5.3.2(a)", "CROWN 5.3.2(b)", "G-34", "G-35")
@pytest.mark.parametrize(
    ("requested", "shown"),
    [(5, 0), (24, 0), (25, 25), (34, 25), (35, 35), (40, 35), (94, 85), (95, 95), (96, 95), (10_000, 95), (0, 0)],
)
def test_the_next_lowest_permitted_wager_is_shown(requested: int, shown: int) -> None:
    assert _limits(2500, 1000, 9500).permitted(requested * 100) == shown * 100


@given(st.integers(1, 5000), st.integers(1, 500), st.integers(0, 5000), st.integers(-10, 20000))
def test_what_is_shown_is_always_permitted_and_the_greatest_such(
    minimum: int, step: int, above: int, requested: int
) -> None:
    limits = _limits(minimum, step, minimum + above)
    grid = range(minimum, minimum + above + 1, step)
    assert limits.permitted(requested) == max((one for one in grid if one <= requested), default=0)


@pytest.mark.clause("CROWN 4.11.1", "CROWN 4.11", "G-32")
def test_pairs_need_a_main_tie_or_dragon_wager_at_crown() -> None:
    assert unqualified(CROWN, _layout(super_6=500, player_pair=500)) == {"player_pair": "CROWN 4.11.1"}
    assert unqualified(CROWN, _layout(banker_pair=500, player_perfect_pairs=500)).keys() == {
        "banker_pair",
        "player_perfect_pairs",
    }
    for qualifier in ("player", "banker", "tie", "player_dragon_bonus", "banker_dragon_bonus"):
        assert unqualified(CROWN, _layout(banker_pair=500, player_perfect_pairs=500, **{qualifier: 500})) == {}
    assert unqualified(CROWN, _layout(tie=0, player_pair=500)) == {"player_pair": "CROWN 4.11.1"}


@pytest.mark.clause("MBS-R 3.5", "MBS-NC 3.5", "MBS-B 3.5", "RWS 3.3")
@pytest.mark.parametrize(
    "identity", ["mbs-baccarat", "mbs-no-commission", "mbs-rapid-no-commission", "rws-non-commission"]
)
def test_pairs_stand_alone_elsewhere(identity: str) -> None:
    assert unqualified(rule_set(identity), _layout(player_pair=2500)) == {}


@pytest.mark.clause("CROWN 5.3.3", "G-38")
def test_below_the_aggregate_minimum_nothing_is_recognised() -> None:
    layout = _layout(tie=1000, player_dragon_bonus=1500)
    standing, refunds = recognised(CROWN, layout, Cents(5000))
    assert standing == {}
    assert [(one.wagers, one.clause) for one in refunds] == [(layout, "CROWN 5.3.3")]
    assert recognised(CROWN, layout, Cents(2500)) == (layout, [])
    assert recognised(CROWN, {}, Cents(2500)) == ({}, [])


@pytest.mark.clause("G-31")
def test_orphaned_pairs_go_before_the_aggregate_is_tested() -> None:
    layout = _layout(super_6=3000, player_pair=3000)
    standing, refunds = recognised(CROWN, layout, Cents(5000))
    assert standing == {}
    assert [(list(one.wagers), one.clause) for one in refunds] == [
        (["player_pair"], "CROWN 4.11.1"),
        (["super_6"], "CROWN 5.3.3"),
    ]


@given(
    st.dictionaries(st.sampled_from(sorted(CROWN.bets)), st.integers(1, 10**5)),
    st.integers(0, 10**5),
)
def test_closing_returns_exactly_what_does_not_stand(layout: dict[Bet, Cents], aggregate: int) -> None:
    standing, refunds = recognised(CROWN, layout, Cents(aggregate))
    returned = {bet: cents for one in refunds for bet, cents in one.wagers.items()}
    assert {**standing, **returned} == layout
    assert not set(standing) & set(returned)
    assert recognised(CROWN, standing, Cents(aggregate)) == (standing, [])


@pytest.mark.clause("G-50", "G-35")
@pytest.mark.parametrize(
    ("bet", "limits", "sentence"),
    [
        ("banker", (2510, 500, 100_010), "minimum 25.10 would pay fractions: use multiples of 0.20"),
        ("banker", (2500, 510, 2500 + 5100), "step 5.10 would pay fractions"),
        ("player", (2500, 1000, 10_000), "not a whole number of steps"),
        ("player", (0, 500, 1000), "minimum 0.00 is not above zero"),
        ("player", (500, 0, 1000), "step 0.00 is not above zero"),
        ("player", (500, 500, 0), "maximum 0.00 is below the minimum"),
        ("dragon_tails", (500, 500, 1000), "crown-traditional does not offer it with 8 decks"),
    ],
)
def test_limits_that_could_not_be_honoured_are_refused(bet: str, limits: tuple[int, int, int], sentence: str) -> None:
    with pytest.raises(Mistake, match=f"limits for {bet}: .*{sentence}"):
        check_limits(Terms(CROWN), {Bet(bet): _limits(*limits)})


@given(st.sampled_from(sorted(CROWN.bets)), st.integers(1, 50), st.integers(1, 50), st.integers(0, 50), st.data())
def test_accepted_limits_never_let_a_fraction_through(
    bet: str, minimum: int, step: int, steps: int, data: st.DataObject
) -> None:
    terms = Terms(CROWN)
    limits = _limits(minimum * 5, step * 5, minimum * 5 + steps * step * 5)
    try:
        check_limits(terms, {Bet(bet): limits})
    except Mistake:
        assume(False)
    permitted = limits.permitted(data.draw(st.integers(limits.minimum, limits.maximum)))
    assert permitted % terms.unit(Bet(bet)) == 0
