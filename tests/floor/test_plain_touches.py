"""Where a journal is added up, a run of touches is read once; only what is written as records are written passes so."""

import msgspec
import pytest

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp
from sabot.floor.records.record_codec import entry_of, read_plain_touches
from sabot.journal.record import FORMAT, body_of
from sabot.rules.rule_set import Bet
from sabot.table.acts import SetWager
from sabot.table.events import WagersChanged
from sabot.table.refusal import Refused

EPOCH, KEY = 2, "ask/A1/2/7"
TIE = Bet("tie")
HAPPENED = (WagersChanged(station="A1", before={TIE: 0}, after={TIE: 500}, clause="CROWN 4.1", at_ms=5),)
STAMP = Stamp(by="A1", role=Role.STATION, at_ms=5)
BODY = body_of(EPOCH, entry_of(KEY, SetWager(bet=TIE, cents=500), STAMP, HAPPENED))


def test_touches_are_read_with_what_happened() -> None:
    refused = entry_of("ask/A1/2/8", SetWager(bet=TIE, cents=1), STAMP, Refused("x", "", "no"))
    lines = b"\n".join((BODY, body_of(EPOCH, refused), b""))
    assert read_plain_touches(lines, EPOCH, [KEY, "ask/A1/2/8"]) == [HAPPENED, ()]


@pytest.mark.parametrize(
    ("was", "now"),
    [
        (
            b'"cents":500},"stamp"',
            b'"cents":500} ,"stamp"',
        ),
        (b'"after":{"tie":500}', b'"after":{"tie": 500}'),
        (b'"accepted":[', b'"started":{"build":"x"},"accepted":['),
        (b'"undoes":false,', b""),
        (b"[%d,2," % FORMAT, b"[%d,2," % (FORMAT - 1)),
        (b"[%d,2," % FORMAT, b"[%d,1," % FORMAT),
        (KEY.encode(), b"ask/A1/2/9"),
    ],
)
def test_a_record_in_any_other_form_is_not_taken_so(was: bytes, now: bytes) -> None:
    assert BODY.count(was) == 1
    assert read_plain_touches(BODY.replace(was, now) + b"\n", EPOCH, [KEY]) is None


def test_what_happened_without_an_act_is_not_taken_so() -> None:
    lines = msgspec.json.encode((FORMAT, EPOCH, (KEY, "A1", "", 5, {"accepted": HAPPENED}))) + b"\n"
    assert read_plain_touches(lines, EPOCH, [KEY]) is None


def test_what_is_not_text_is_not_read() -> None:
    with pytest.raises(UnicodeDecodeError):
        read_plain_touches(BODY.replace(b'"do":"set_wager"', b'"do":"set_wager","x":"\xff"') + b"\n", EPOCH, [KEY])
