"""Views on one core: what a settled coup and a touch cost the screens of fifty stations.

The baselines: for the public part and for the stations' own, deciding and settling that very coup; for the stations'
own made from what each was shown before, the same made from nothing; for a touch, the public part made from nothing;
for the console after a touch, its view made from nothing.
"""

import random
from collections.abc import Iterator
from typing import Any

import msgspec

from sabot.cli.stopwatch import Row, row, seconds
from sabot.floor.lines.table import LineFloor
from sabot.rules.cards import DECK
from sabot.rules.coup import next_card
from sabot.table.configuration import StationPart
from sabot.table.fixtures import fixture
from sabot.views.console import console
from sabot.views.public import public_view
from sabot.views.scorecard import Scorecard
from sabot.views.station import station_view

STATIONS = [f"A{number}" for number in range(1, 51)]
WAGERS = {"player": 5_000, "banker": 10_000, "tie": 500, "player_dragon_bonus": 500}


class _Night:
    def __init__(self) -> None:
        stations = {name: StationPart(approval="X-1") for name in STATIONS}
        self.talk = LineFloor().enter(msgspec.structs.replace(fixture("crown"), stations=stations))
        self.card = Scorecard()
        shoe = [card.notation for card in DECK] * 8
        random.Random(7).shuffle(shoe)
        self.shoe = iter(shoe)
        lines: list[dict[str, Any]] = [
            {"do": "sign_on", "by": "D1"},
            {"do": "open_table", "by": "D1"},
            {"do": "check_cards", "by": "GS1", "cards": 416},
            {"do": "new_shoe", "by": "D1"},
            {"do": "cut", "by": "GS1", "at": 208},
            {"do": "burn", "by": "D1"},
            *({"do": "buy_in", "by": "D1", "station": name, "cents": 10_000_000} for name in STATIONS),
        ]
        for line in lines:
            self.say(**line)

    def say(self, **line: Any) -> None:
        noted = len(self.talk.records)
        answer = self.talk.answer(line)
        assert answer.ok, answer.refusal
        for record in self.talk.records[noted:]:
            self.card = self.card.then(self.talk.state, record.act, record.stamp, record.events)

    def coup(self) -> None:
        self.say(do="open", by="D1")
        for name in STATIONS:
            for bet, cents in WAGERS.items():
                self.say(do="set_wager", by=name, station=name, bet=bet, cents=cents)
        self.say(do="close", by="D1")
        while self.talk.state.coup is not None and next_card(self.talk.state.coup.cards) is not None:
            self.say(do="card", by="D1", card=next(self.shoe))


def measure() -> Iterator[Row]:
    night = _Night()
    for _ in range(40):
        night.coup()
        night.say(do="confirm", by="D1")
    night.coup()
    before = public_view(night.talk.state, night.card, 0)
    settling = seconds(lambda: night.say(do="confirm", by="D1"), runs=1) * 1e3
    state, card = night.talk.state, night.card
    public = public_view(state, card, 0, before)
    after_a_coup = seconds(lambda: public_view(state, card, 0, before)) * 1e3
    stations = seconds(lambda: [station_view(public, name) for name in STATIONS]) * 1e3
    shown_before = {name: station_view(before, name) for name in STATIONS}
    kept = seconds(lambda: [station_view(public, name, shown_before[name], before) for name in STATIONS]) * 1e3
    from_nothing = seconds(lambda: public_view(state, card, 0)) * 1e3
    yield row("public_after_a_coup", after_a_coup, "ms", settling)
    yield row("fifty_stations_after_a_coup", stations, "ms", settling)
    yield row("fifty_stations_from_their_views_before", kept, "ms", stations)
    night.say(do="open", by="D1")
    open_now = public_view(night.talk.state, night.card, 0, public)
    shown = console(open_now)
    night.say(do="set_wager", by="A1", station="A1", bet="tie", cents=500)
    touched, noted = night.talk.state, night.card
    yield row(
        "public_after_a_touch", seconds(lambda: public_view(touched, noted, 0, open_now)) * 1e3, "ms", from_nothing
    )
    now = public_view(touched, noted, 0, open_now)
    whole = seconds(lambda: console(now)) * 1e3
    yield row("console_after_a_touch", seconds(lambda: console(now, None, shown)) * 1e3, "ms", whole)
