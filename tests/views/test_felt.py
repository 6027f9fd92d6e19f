"""The felt shows the cards that truly lie, whatever is entered at the console."""

from typing import Any

from sabot.floor.lines.table import LineFloor
from sabot.rules.hand import Side
from sabot.table.fixtures import fixture
from sabot.table.state import TableState
from sabot.views.felt import Felt, felt_of

ORDER = ("KS", "2S", "4H", "3D", "3C", "8S", "9D")
"""The first one is burned. Player draws; Banker stands on seven."""


def _card_at(position: int) -> str:
    return ORDER[position - 1]


def test_each_card_comes_out_when_it_is_due_and_a_wrong_entry_lies_as_it_lay() -> None:
    table = LineFloor().enter(fixture("crown"))

    def felt(*lines: dict[str, Any]) -> Felt:
        for line in lines:
            assert table.answer({"by": "D1", **line}).ok, line
        assert isinstance(table.state, TableState)
        return felt_of(table.state, _card_at)

    assert felt({"do": "sign_on"}, {"do": "open_table"}, {"do": "check_cards", "by": "GS1", "cards": 416}) == Felt()
    shoe = ({"do": "new_shoe"}, {"do": "cut", "by": "GS1", "at": 100}, {"do": "burn"})
    seat = {"do": "buy_in", "station": "A1", "cents": 100_000}
    assert felt(*shoe, seat, {"do": "open"}) == Felt(), "no card is drawn while wagers are open"
    wager = {"do": "set_wager", "by": "A1", "bet": "banker", "cents": 2_500}
    assert felt(wager, {"do": "close"}) == Felt(drawn="2S", drawn_for=Side.PLAYER)
    wrong = felt({"do": "card", "card": "2S"}, {"do": "card", "card": "5H"})
    assert wrong == Felt(player=("2S",), banker=("4H",), drawn="3D", drawn_for=Side.PLAYER)
    rest = felt({"do": "amend", "card": "4H"}, *({"do": "card", "card": card} for card in ("3D", "3C")))
    assert rest == Felt(player=("2S", "3D"), banker=("4H", "3C"), drawn="8S", drawn_for=Side.PLAYER)
    whole = felt({"do": "card", "card": "8S"})
    assert whole == Felt(player=("2S", "3D", "8S"), banker=("4H", "3C")), "no further card is due"
    assert felt({"do": "confirm"}) == Felt()
