"""`sabot tournament --batch`: every line answered once, in the form of `sabot table --json`, and recorded if asked."""

import json
from pathlib import Path
from typing import Any

from tests.cli.sabot import assert_one_clear_sentence, sabot

SAVE = {"do": "save_conditions", "by": "operator", "tournament": "NIGHT", "conditions": "night"}
LINES = (
    "operator create_tournament NIGHT Friday Cash Night",
    json.dumps(SAVE | {"set": {"game.rule_set": "crown-traditional", "entry.fee_cents": 3000}}),
    "operator approve_conditions NIGHT 1 EC-2026-17 second=CS1",
    "operator appoint_director NIGHT TD1",
    "@2026-07-01T10:00 TD1 be_present NIGHT",
    f"CA1 register_entrant NIGHT P-1 identity_checked=yes form_digest={'0' * 64}",
    "CA1 take_slip NIGHT-000001",
    "CA1 take_slip NIGHT-000001",
    "T2: D1 sign_on",
    "T9: D1 sign_on",
    "no such line",
    '{"do":"show","what":["tournament","slips","books"],"tournament":"NIGHT"}',
)


def answers(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_each_line_is_answered_with_what_happened_everywhere() -> None:
    ran = sabot("tournament", "--batch", "--tables", "2", given="\n".join(LINES))
    told = answers(ran.out)
    assert (ran.code, len(told)) == (0, len(LINES))
    assert [one["n"] for one in told] == list(range(1, len(LINES) + 1))
    events = [[event["event"] for event in one["events"]] for one in told]
    assert events[4] == ["EntryOpened", "DirectorPresent"]
    assert events[5] == ["EntrantRegistered", "SlipRaised", "SlipRaised", "SlipRegistered", "SlipRegistered"]
    assert events[6] == ["SlipTaken", "SlipNoted"]
    assert [one["refusal"]["code"] for one in told if one["refusal"]] == ["slip_settled", "malformed", "malformed"]
    assert told[2]["tournament_phase"] == "approved"
    assert told[8]["table"] == "T2"
    last = told[-1]
    assert last["tournament"]["phase"] == "entry_open"
    assert last["books"] == {"cage": 3_000, "prize_pool": 2_000, "tournament_fees": 1_000}
    assert {number: slip["status"] for number, slip in last["slips"].items()} == {
        "NIGHT-000001": "taken",
        "NIGHT-000002": "raised",
    }


def test_what_is_recorded_is_gone_on_from_shown_replayed_and_proved(tmp_path: Path) -> None:
    journal, script = str(tmp_path / "night.journal"), tmp_path / "night.txt"
    script.write_text("\n".join(LINES[:6]), encoding="utf-8")
    first = sabot("tournament", "--batch", str(script), "--tables", "2", "--journal", journal)
    script.write_text("\n".join(LINES[6:7]), encoding="utf-8")
    second = sabot("tournament", "--batch", str(script), "--tables", "2", "--journal", journal)
    assert (first.code, second.code) == (0, 0), second.error
    assert answers(second.out)[0]["n"] >= 1
    assert [event["event"] for event in answers(second.out)[0]["events"]] == ["SlipTaken", "SlipNoted"]
    verified = json.loads(sabot("journal", "verify", journal, "--decide", "--json").out)
    assert verified["ok"]
    streams = {"house", "keys", "tournament/NIGHT", "table/T1", "table/T2"}
    assert {one["stream"] for one in verified["streams"]} == streams
    proved = sabot("tournament", "verify", journal, "NIGHT", "--keys", f"{journal}.key.ring")
    assert (proved.code, proved.out.startswith("✓ proved: ")) == (0, True), proved.out
    replayed = json.loads(sabot("journal", "replay", journal, "--tournament", "NIGHT", "--json").out)
    assert replayed["figures"]["phase"] == "entry_open"
    shown = sabot("journal", "show", journal, "--tournament", "NIGHT").out
    assert "appoint_director" in shown
    exported = answers(sabot("journal", "export", journal, "--tournament", "NIGHT").out)
    assert [one["verb"] for one in exported][:2] == ["create_tournament", "save_conditions"]
    assert_one_clear_sentence(sabot("journal", "show", journal, "--tournament", "AUTUMN"))


def test_without_batch_the_command_says_what_to_give() -> None:
    assert_one_clear_sentence(sabot("tournament"))
