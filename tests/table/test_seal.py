"""The seal: every receipt proves itself, and nothing else does."""

from hypothesis import given
from hypothesis import strategies as st

from sabot.rules.rule_set import Bet
from sabot.table.coup.seal import Receipt, proves, receipt, seal

wagers = st.dictionaries(st.sampled_from(["player", "banker", "tie"]), st.integers(1, 10**6), min_size=1)
sealed = st.dictionaries(st.integers(1, 50).map(lambda n: f"A{n}"), wagers, min_size=1, max_size=50)


def _salts(stations: dict[str, dict[Bet, int]]) -> dict[str, str]:
    return {station: f"{number:032x}" for number, station in enumerate(stations)}


@given(sealed)
def test_every_receipt_leads_to_the_root(stations: dict[str, dict[Bet, int]]) -> None:
    salts = _salts(stations)
    for station in stations:
        shown = receipt(station, stations, salts)
        assert shown.root == seal(stations, salts)
        assert proves(shown)


@given(sealed, st.data())
def test_a_changed_receipt_proves_nothing(stations: dict[str, dict[Bet, int]], data: st.DataObject) -> None:
    station = data.draw(st.sampled_from(sorted(stations)))
    true = receipt(station, stations, _salts(stations))
    bet = data.draw(st.sampled_from(sorted(true.wagers)))
    raised = Receipt(station, {**true.wagers, bet: true.wagers[bet] + 500}, true.salt, true.path, true.root)
    moved = Receipt("Z9", true.wagers, true.salt, true.path, true.root)
    salted = Receipt(station, true.wagers, "f" * 32, true.path, true.root)
    assert not any(map(proves, (raised, moved, salted)))


def test_the_order_of_wagers_does_not_matter_and_no_wagers_seal_too() -> None:
    salts = {"A1": "00" * 16}
    assert seal({"A1": {Bet("tie"): 5, Bet("banker"): 25}}, salts) == seal(
        {"A1": {Bet("banker"): 25, Bet("tie"): 5}}, salts
    )
    assert len(seal({}, {})) == 64
