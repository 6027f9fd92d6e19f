"""Late wagers, favours, corrections, claims, opposed seats and knowing ones: what is found, and what is let pass."""

import random
from collections.abc import Iterable
from functools import cache

import pytest

from sabot.integrity.chances import chance_of_winning, favourable
from sabot.integrity.favours import Favours
from sabot.integrity.knowing import Knowing
from sabot.integrity.late_wagers import LateAndWinning
from sabot.integrity.light import Light, LightState
from sabot.integrity.lit import OneKind
from sabot.integrity.opposed import Opposed
from sabot.integrity.seen import ClaimSeen, CorrectionSeen, CoupSeen, LateWager, VoidSeen
from sabot.integrity.sides import lead
from sabot.integrity.uneven import ClaimsBySeat, CorrectionsByDealer, VoidsByDealer
from tests.integrity.shoes import coups_of, coups_seen, shoe_seen, shuffled


@cache
def _coups(seed: int) -> list[tuple[int, ...]]:
    return coups_of(shuffled(random.Random(seed)))


def _alarms(detector: OneKind) -> list[str]:
    return [light.subject for light in detector.raised("T1") if light.state is LightState.ALARM]


def _only(detector: OneKind) -> Light:
    (light,) = detector.lights("T1")
    return light


def _laid(coup: tuple[int, ...], *, wins: bool, stake: int = 100) -> dict[str, dict[str, int]]:
    """A wager of seat S1 that wins or loses; nets are told as the stakes, below zero for a loss."""
    won = lead(coup)
    side = ("player" if won > 0 else "banker") if wins else ("banker" if won > 0 else "player")
    return {"S1": {side: stake if wins else -stake}} if won else {}


def _late_coups(outcomes: Iterable[bool], before_closing_ms: int) -> Iterable[CoupSeen]:
    coups, laid, late = [], [], []
    for number, wins in enumerate(outcomes):
        coup = next(one for one in _coups(number)[:20] if lead(one))
        coups.append(coup)
        laid.append(_laid(coup, wins=wins))
        late.append({"S1": {bet: LateWager(before_closing_ms, 100) for bet in laid[-1]["S1"]}} if laid[-1] else {})
    for coup, stakes, lates in zip(coups, laid, late, strict=True):
        yield from coups_seen([coup], stakes=[stakes], late=[lates])


def test_a_seat_whose_last_moment_wagers_always_win_is_found_after_some_thirty_of_them() -> None:
    detector = LateAndWinning()
    found = 0
    for coup in _late_coups([True] * 40, 120):
        detector.take_coup(coup)
        found += not _alarms(detector)
    assert found <= 32
    assert _only(detector).seen.values["won"] == 40


def test_a_seat_that_always_lays_late_and_wins_as_often_as_chance_has_it_is_not() -> None:
    chance, detector = random.Random(1), LateAndWinning()
    for coup in _late_coups([chance.random() < 0.49 for _ in range(400)], 120):
        detector.take_coup(coup)
    assert _only(detector).state is LightState.QUIET
    assert _only(detector).coups == 400


def test_a_wager_that_became_smaller_late_or_was_pushed_is_no_late_wager() -> None:
    detector = LateAndWinning()
    tie = next(coup for seed in range(9) for coup in _coups(seed) if not lead(coup))
    pushed = coups_seen([tie], stakes=[{"S1": {"player": 0}}], late=[{"S1": {"player": LateWager(10, 100)}}])
    smaller = coups_seen([_coups(1)[0]], stakes=[{"S1": {"player": 1}}], late=[{"S1": {"player": LateWager(10, -5)}}])
    for coup in (*pushed, *smaller):
        detector.take_coup(coup)
    assert not list(detector.lights("T1"))


def test_the_chance_of_a_wager_is_that_of_the_cards_left() -> None:
    fresh = coups_seen([_coups(1)[0]])[0]
    assert chance_of_winning(fresh, "banker") == pytest.approx(0.4585974 / (0.4585974 + 0.4462466), abs=1e-6)
    assert chance_of_winning(fresh, "no such bet") is None
    assert favourable(fresh) == ()


def test_a_seat_that_one_dealer_lets_win_is_found_with_that_dealer_alone() -> None:
    chance, detector = random.Random(2), Favours()
    for number in range(900):
        coup = next(one for one in _coups(number % 60) if lead(one))
        dealer = "D1" if number % 2 else "D2"
        wins = chance.random() < (0.72 if dealer == "D1" else 0.49)
        for seen in coups_seen([coup], dealer=dealer, stakes=[_laid(coup, wins=wins)]):
            detector.take_coup(seen)
    assert _alarms(detector) == ["D1 S1"]


def _dealt(detector: CorrectionsByDealer, corrected: dict[str, float], shoes: int, seed: int) -> None:
    chance, coup = random.Random(seed), 0
    for shoe in range(1, shoes + 1):
        cards = _coups(shoe)
        for number, one in enumerate(cards):
            coup += 1
            dealer = f"D{number // 27 + 1}"
            detector.take_coup(coups_seen([one], shoe, coup, dealer)[0])
            if chance.random() < corrected[dealer]:
                detector.take_correction(
                    CorrectionSeen(table="T1", coup=coup, at_ms=0, dealer=dealer, by="GS", moved={}, invalidated=False)
                )
        detector.take_shoe(shoe_seen((), shoe))


def test_a_dealer_whose_coups_are_corrected_twelve_times_as_often_is_found() -> None:
    detector = CorrectionsByDealer()
    _dealt(detector, {"D1": 0.06, "D2": 0.005, "D3": 0.005, "D4": 0.005}, 30, 1)
    assert _alarms(detector) == ["D1"]


def test_a_dealer_who_errs_twice_as_often_as_the_others_is_not() -> None:
    detector = CorrectionsByDealer()
    _dealt(detector, {"D1": 0.01, "D2": 0.005, "D3": 0.005, "D4": 0.005}, 30, 2)
    assert not _alarms(detector)
    assert {light.state for light in detector.lights("T1")} == {LightState.QUIET}


def test_a_correction_that_comes_in_the_next_shoe_counts_where_its_coup_was_dealt() -> None:
    detector = CorrectionsByDealer()
    _dealt(detector, dict.fromkeys(("D1", "D2", "D3", "D4"), 0.0), 1, 1)
    late = CorrectionSeen(table="T1", coup=3, at_ms=0, dealer="D1", by="GS", moved={}, invalidated=False)
    for _ in range(2):
        detector.take_correction(late)  # Told again, it counts once.
    _dealt(detector, dict.fromkeys(("D1", "D2", "D3", "D4"), 0.0), 1, 1)
    one = next(light for light in detector.lights("T1") if light.subject == "D1")
    assert one.seen.values["marked"] == 1


def test_a_dealer_who_voids_every_seventh_coup_is_found_and_a_void_counts_as_a_coup_that_was_dealt() -> None:
    detector, coup = VoidsByDealer(), 0
    for shoe in range(1, 16):
        for number, cards in enumerate(_coups(shoe)):
            coup += 1
            dealer = f"D{number // 27 + 1}"
            if number in (5, 12, 20, 24) or (number == 60 and shoe % 3 == 0):
                detector.take_void(
                    VoidSeen(table="T1", coup=coup, shoe=shoe, at_ms=0, dealer=dealer, by="GS", cards=0, stakes={})
                )
            else:
                detector.take_coup(coups_seen([cards], shoe, coup, dealer)[0])
        detector.take_shoe(shoe_seen((), shoe))
    assert _alarms(detector) == ["D1"]
    light = next(one for one in detector.lights("T1") if one.subject == "D1")
    assert (light.seen.values["marked"], light.seen.values["things"]) == (4 * 14, 27 * 14)


def test_a_seat_that_claims_in_every_tenth_coup_is_found_and_its_neighbour_is_not() -> None:
    detector, coup = ClaimsBySeat(), 0
    for shoe in range(1, 8):
        for number, cards in enumerate(_coups(shoe)):
            coup += 1
            stakes = {f"S{seat}": {"player": 100} for seat in range(1, 7)}
            detector.take_coup(coups_seen([cards], shoe, coup, stakes=[stakes])[0])
            if number % 10 == 5:
                detector.take_claim(ClaimSeen(table="T1", coup=coup, at_ms=0, seat="S3", dealer="D1"))
            if number == 40:
                detector.take_claim(ClaimSeen(table="T1", coup=coup, at_ms=0, seat="S4", dealer="D1"))
        detector.take_shoe(shoe_seen((), shoe))
    assert _alarms(detector) == ["S3"]


Pair = tuple[int, int]
"""Wagers of two seats: above zero on Player."""


def _play_pair(wagers: Iterable[Iterable[Pair]]) -> Opposed:
    detector = Opposed()
    for shoe, of_shoe in enumerate(wagers, 1):
        for cards, pair in zip(_coups(shoe), of_shoe, strict=False):
            stakes = {
                f"S{seat}": {"player" if wager > 0 else "banker": abs(wager)} for seat, wager in enumerate(pair, 1)
            }
            detector.take_coup(coups_seen([cards], shoe, stakes=[stakes])[0])
        detector.take_shoe(shoe_seen((), shoe))
    return detector


def test_two_seats_that_pass_chips_with_changing_amounts_are_found_in_their_second_or_third_shoe() -> None:
    chance = random.Random(3)
    amounts = [[chance.choice((1, -1)) * 100 * chance.randrange(1, 9) for _ in range(80)] for _ in range(3)]
    detector = _play_pair([[(amount, -amount) for amount in shoe] for shoe in amounts])
    assert _alarms(detector) == ["S1 S2"]


def test_two_favourites_with_the_same_chips_are_opposed_all_night_and_no_evidence() -> None:
    detector = _play_pair([[(100, -100)] * 80] * 4)
    light = _only(detector)
    assert (light.state, light.evidence) == (LightState.QUIET, 1.0)
    assert light.seen.values["opposed"] == light.seen.values["common"] == 3 * 80


def test_a_follower_and_a_contrarian_move_together_by_the_road_and_are_no_evidence() -> None:
    shoes = []
    for shoe in range(1, 5):
        side, pairs = 1, list[Pair]()
        for cards in _coups(shoe):
            pairs.append((side * 100, -side * 100))
            side = lead(cards) or side
        shoes.append(pairs)
    assert _only(_play_pair(shoes)).evidence == pytest.approx(1.0)


def test_seats_that_are_not_opposed_are_not_watched() -> None:
    chance = random.Random(4)
    assert not list(
        _play_pair([[(chance.choice((1, -1)) * 100, -100) for _ in range(80)] for _ in range(3)]).lights("T1")
    )


def test_a_seat_that_lays_only_where_the_cards_left_favour_it_is_found_and_one_that_always_lays_is_not() -> None:
    detector, bet = Knowing(), "player_dragon_bonus"
    for shoe in range(1, 13):
        before = coups_seen(_coups(shoe), shoe)
        knows = [bet in (favourable(coup) or ()) for coup in before]
        stakes = [{seat: {bet: 100} for seat in (("S1", "S2") if good else ("S2",))} for good in knows]
        for coup in coups_seen(_coups(shoe), shoe, stakes=stakes):
            detector.take_coup(coup)
        detector.take_shoe(shoe_seen((), shoe))
    assert _alarms(detector) == [f"S1 {bet}"]
    assert next(light for light in detector.lights("T1") if light.subject == f"S2 {bet}").evidence == 1.0
