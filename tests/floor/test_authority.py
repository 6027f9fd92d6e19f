"""Who may give what over the wire: every command against every kind of device and every role, and what is stamped."""

from typing import Any

import msgspec
import pytest

from sabot.basics.role import Role
from sabot.floor.authority import (
    GIVES,
    PERSONS_GIVE_THE_HOUSE,
    STAMPED,
    TOUCHES,
    Fresh,
    Signed,
    Stamped,
    stamp,
    stamp_for_the_house,
    stamp_report,
    stamp_touch,
)
from sabot.floor.pit import Pit, PitTable
from sabot.floor.stamping import Place
from sabot.house.decide import RULES as HOUSE_RULES
from sabot.house.decide import decide as house_decide
from sabot.house.refusal import Refused as HouseRefused
from sabot.rules.rule_set import Bet
from sabot.table import acts as c
from sabot.table.conversation import VERBS
from sabot.table.decide import RULES, decide
from sabot.table.fixtures import fixture
from sabot.table.refusal import Refused
from tests.house.talking import READY, TICKET, say_all
from tests.tables import rows

DEVICES = {
    "station": "T1-A1",
    "note_acceptor": "T1-A1-notes",
    "printer": "T1-R1-printer",
    "shoe": "T1-shoe",
    "display": "T1-display",
    "console": "T1-console",
}
PERSONS = {
    Role.OPERATOR: "OP1",
    Role.DEALER: "D1",
    Role.GAME_SUPERVISOR: "GS1",
    Role.CASINO_SUPERVISOR: "CS1",
    Role.CASHIER: "CA1",
    Role.TECHNICIAN: "TE1",
    Role.TOURNAMENT_DIRECTOR: "TD1",
    Role.INSPECTOR: "IN1",
}
WORDS: dict[str, dict[str, Any]] = {
    "configure": {"set": {"wagering_period_ms": 20_000}},
    "approve_build": {"build": "b", "reference": "r"},
    "notice": {"kind": "minimum", "bet": "tie", "cents": 1000},
    "take_up_option": {"option": "dragon_bonus", "choice": 2},
    "device": {"device": "display", "up": False},
    "end_day": {"date": "2026-11-16"},
    "incident": {"station": "A1", "text": "noise"},
    "check_cards": {"cards": 416},
    "pack": {"pack": "P1", "stored": "safe"},
    "open_shoe": {"order": "", "salt": ""},
    "order_shuffle": {"reason": "dropped"},
    "replace_cards": {"reason": "worn"},
    "cut": {"at": 100},
    "show_burn": {"card": "9S", "asked_by": "A1"},
    "buy_in": {"station": "A1", "cents": 5000},
    "note": {"cents": 5000},
    "nominee": {"station": "A1", "nominee": "P2"},
    "pay": {"station": "A1"},
    "print_failed": {"ticket": TICKET, "fault": "jam"},
    "manual_pay": {"ticket": TICKET, "reason": "jam"},
    "direct_to_leave": {"station": "A1", "reason": "noise"},
    "vacate": {"station": "A1"},
    "set_wager": {"bet": "banker", "cents": 2500},
    "move": {"source": "banker", "target": "player"},
    "face_up": {"up": False},
    "fact": {"kind": "first_card_face_up"},
    "resolve": {"id": "note"},
    "correct": {"coup": 1, "cards": ["5S", "KH", "4D", "QC"]},
    "invalidate": {"coup": 1, "cause": "malfunction", "reason": "x"},
    "waive": {"station": "A1", "reason": "goodwill"},
    "pay_payable": {"station": "A1"},
    "claim": {"coup": 1, "text": "wrong"},
    "decide_claim": {"case": 1, "accepted": False, "reason": "seen"},
    "dispute": {"station": "A1", "text": "wrong"},
    "decide_dispute": {"case": 1, "decision": "paid"},
    "breach": {"station": "A1", "contravened": "13.1", "reason": "device"},
    "act_on_breach": {"case": 1, "act": "detain"},
    "seize": {"case": 1, "cents": 500},
    "release": {"case": 1},
    "fault": {"station": "A1"},
    "restart": {"last_sign_ms": 0},
    "seen": {"wagers": {}},
    "cannot_confirm": {"station": "A1"},
    "card": {"card": "9S"},
    "amend": {"card": "9S"},
}
"""What must be said with a command beside its verb; where a station is due and not its own, the test adds it."""
HOUSE_WORDS: dict[str, dict[str, Any]] = {
    "enter_table": {"table": "T1", "offers": {}},
    "tell_busy": {"table": "T1", "busy": False},
    "option": {"option": "dragon_bonus", "choice": 2},
    "appoint": {"person": "D9", "roles": ["dealer"]},
    "dismiss": {"person": "D2", "reason": "left"},
    "lock_out": {"person": "D2"},
    "unlock": {"person": "D2", "reason": "he mistyped"},
    "enrol": {"device": "S1", "kind": "display", "table": "T1", "key": "ab" * 32, "approval": "A-1"},
    "revoke": {"device": "T1-A1", "reason": "stolen"},
    "exclude": {"patron": "P7", "reason": "noise"},
    "readmit": {"patron": "P7", "reason": "sorry"},
    "request_ticket": {"ticket": TICKET, "table": "T1", "station": "R1"},
    "register_ticket": {"ticket": TICKET, "cents": 1, "table": "T1", "station": "R1", "issued_ms": 0},
    "printed": {"ticket": TICKET},
    "close_to_the_cage": {"ticket": TICKET, "fault": "jam"},
    "note_paid_by_hand": {"ticket": TICKET},
    "redeem": {"ticket": TICKET},
    "void_ticket": {"ticket": TICKET, "reason": "stolen"},
    "reinstate": {"ticket": TICKET, "reason": "found"},
    "open_day": {"date": "2026-11-16"},
}
NOBODY = Signed()
AUTHORITY = {"unknown_person", "wrong_role", "own_dealer", "not_this_station", "not_on_staff"}
"""What a table or the house says to somebody who may not; anything else is about what he asked."""
ROWS = rows("role_matrix.tsv")


@pytest.fixture(scope="module")
def table() -> PitTable:
    return a_floor()


def a_floor() -> PitTable:
    configuration = fixture("crown")
    staff = {**configuration.staff, "OP1": (Role.OPERATOR,), "TD1": (Role.TOURNAMENT_DIRECTOR,)}
    table = Pit().enter(msgspec.structs.replace(configuration, staff=staff))
    say_all(table, *READY)
    for number, (kind, device) in enumerate(DEVICES.items()):
        station = {"printer": "station=R1", "station": "station=A1", "note_acceptor": "station=A1"}.get(kind, "")
        say_all(table, f"TE1 enrol {device} {kind} {number:064} ATS-1 {station} second=CS1")
    return table


def place(table: PitTable, at_ms: int = 0) -> Place:
    return Place(table.name, table.state, table.pit.house, at_ms)


def line(verb: str, **words: Any) -> dict[str, Any]:
    return {"do": verb, **words}


def asked_of_the_table(table: PitTable, verb: str, asker: str) -> str:
    said = line(verb, **WORDS.get(verb, {}))
    if asker in PERSONS:
        device, signed = DEVICES["console"], Signed(PERSONS[Role(asker)])
        if "station" in VERBS[verb].__struct_fields__:
            said.setdefault("station", "A1")
    else:
        device, signed = DEVICES[asker], Signed()
    stamped = stamp(said, device, signed, place(table))
    if isinstance(stamped, Refused):
        return stamped.code
    decision = decide(table.state, stamped.command)
    return decision.code if isinstance(decision, Refused) and decision.code in AUTHORITY else "yes"


@pytest.mark.parametrize("kind", sorted(TOUCHES, key=str))
@pytest.mark.parametrize("device", [*sorted(DEVICES.keys() - {"console"}), "a stranger"])
@pytest.mark.parametrize("more", [{}, {"station": "A1"}, {"station": "A2"}])
def test_a_touch_is_stamped_at_once_as_it_would_be_the_long_way(
    table: PitTable, kind: type[c.Command], device: str, more: dict[str, str]
) -> None:
    name, verb = DEVICES.get(device, device), str(kind.__struct_config__.tag)
    words = {**WORDS.get(verb, {}), **more}
    long_way = stamp(line(verb, **words), name, Signed(), place(table, 7))
    at_once = stamp_touch(kind, dict(words), name, place(table, 7))
    assert at_once == (long_way if isinstance(long_way, Refused) else long_way.command)


def asked_of_the_house(table: PitTable, verb: str, asker: str) -> str:
    said, house = line(verb, **HOUSE_WORDS.get(verb, {})), table.pit.house
    if asker in PERSONS:
        person = PERSONS[Role(asker)]
        second = "CS1" if person == "GS1" else "GS1"
        stamped = stamp_for_the_house(said, Signed(person, second), house, table.state.signed_on, 0)
    elif asker == "console":
        stamped = stamp_for_the_house(said, Signed(), house, {}, 0)
    else:
        stamped = stamp_report(said, DEVICES[asker], house, 0)
    if isinstance(stamped, Refused):
        return stamped.code
    decision = house_decide(house, stamped)
    return decision.code if isinstance(decision, HouseRefused) and decision.code in AUTHORITY else "yes"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['of']} {row['command']}")
def test_who_may_give_it(table: PitTable, row: dict[str, str]) -> None:
    ask = asked_of_the_table if row["of"] == "table" else asked_of_the_house
    askers = [name for name in row if name not in ("of", "command")]
    assert {asker: ask(table, row["command"], asker) for asker in askers} == {asker: row[asker] for asker in askers}


def test_the_matrix_has_every_command_and_every_asker() -> None:
    house_verbs = {str(kind.__struct_config__.tag) for kind in HOUSE_RULES}
    assert {row["command"] for row in ROWS if row["of"] == "table"} == set(VERBS)
    assert {row["command"] for row in ROWS if row["of"] == "house"} == house_verbs
    assert set(ROWS[0]) - {"of", "command"} == {*DEVICES, *PERSONS}
    assert set(PERSONS) == set(Role) - {Role.STATION, Role.CLOCK}


def test_the_matrix_says_what_the_rule_tables_say() -> None:
    """Where a person is let through, his role is in the rule; where he is not, it is not."""
    table_rules = {verb: RULES[kind].who for verb, kind in VERBS.items()}
    house_rules = {str(kind.__struct_config__.tag): rule.who for kind, rule in HOUSE_RULES.items()}
    for row in ROWS:
        who = (table_rules if row["of"] == "table" else house_rules)[row["command"]]
        assert {role for role in PERSONS if row[role] == "yes"} == who & set(PERSONS), row["command"]


# What is stamped


def stamped(table: PitTable, said: dict[str, Any], device: str, signed: Signed = NOBODY) -> Stamped:
    made = stamp(said, device, signed, place(table, at_ms=7), Fresh({"A1": "5a" * 16}, TICKET, "build-1"))
    assert isinstance(made, Stamped), made
    return made


def refusal(table: PitTable, said: dict[str, Any], device: str, signed: Signed = NOBODY) -> str:
    made = stamp(said, device, signed, place(table), Fresh(ticket=TICKET))
    assert isinstance(made, Refused), made
    return made.code


def test_a_station_is_what_it_was_enrolled_as(table: PitTable) -> None:
    wager = line("set_wager", bet="banker", cents=2500)
    for said in (wager, {**wager, "station": "A1"}):
        command = stamped(table, said, "T1-A1").command
        assert command == c.SetWager(by="A1", role=Role.STATION, at_ms=7, station="A1", bet=Bet("banker"), cents=2500)
    assert refusal(table, {**wager, "station": "A2"}, "T1-A1") == "other_station"


def test_a_persons_token_makes_a_station_no_console(table: PitTable) -> None:
    assert refusal(table, line("open"), "T1-A1", Signed("D1")) == "not_from_here"


@pytest.mark.parametrize("field", sorted(STAMPED))
def test_nobody_says_what_the_server_says(table: PitTable, field: str) -> None:
    assert refusal(table, {"do": "open", field: "CS1"}, "T1-console", Signed("D1")) == "stamped_here"
    said = stamp_for_the_house({"do": "expire", field: "CS1"}, Signed("CS1"), table.pit.house, {}, 0)
    assert isinstance(said, Refused)
    assert said.code == "stamped_here"


@pytest.mark.parametrize(
    ("verb", "field"),
    [("buy_in", "excluded"), ("nominee", "excluded"), ("leave", "ticket"), ("card", "salts"), ("open_table", "build")],
)
def test_what_is_drawn_or_looked_up_is_not_taken_from_the_wire(table: PitTable, verb: str, field: str) -> None:
    said = {"do": verb, **WORDS.get(verb, {}), field: ""}
    assert refusal(table, said, "T1-console", Signed("D1")) == "stamped_here"


def test_an_unknown_field_or_a_wrong_type_is_malformed(table: PitTable) -> None:
    for said in (line("open", hurry=True), line("cut", at="100"), line("cut")):
        assert refusal(table, said, "T1-console", Signed("GS1")) == "malformed"
    assert refusal(table, line("dance"), "T1-console", Signed("GS1")) == "unknown_command"
    assert refusal(table, {"do": ["open"]}, "T1-console", Signed("GS1")) == "unknown_command"


def test_a_device_speaks_only_to_its_own_table(table: PitTable) -> None:
    elsewhere = place(table)._replace(table="T2")
    refused = stamp(line("undo"), "T1-A1", Signed(), elsewhere)
    assert isinstance(refused, Refused)
    assert refused.code == "not_enrolled"
    assert refusal(table, line("undo"), "a stranger") == "not_enrolled"


def test_a_revoked_device_is_heard_no_more() -> None:
    table = a_floor()
    say_all(table, "TE1 revoke T1-A1 stolen", "TE1 revoke T1-R1-printer stolen")
    assert refusal(table, line("undo"), "T1-A1") == "not_enrolled"
    refused = stamp_report(line("printed", ticket=TICKET), "T1-R1-printer", table.pit.house, 0)
    assert isinstance(refused, Refused)
    assert refused.code == "not_enrolled"


def test_whoever_was_dismissed_or_lost_his_role_does_nothing_more() -> None:
    table = a_floor()
    say_all(table, "operator dismiss GS1 left", "operator appoint CS1 cashier")
    assert refusal(table, line("cut", at=100), "T1-console", Signed("GS1")) == "not_on_staff"
    assert refusal(table, line("open"), "T1-console", Signed("nobody")) == "not_on_staff"
    made = stamped(table, line("close_table"), "T1-console", Signed("CS1"))
    assert made.command.role is Role.CASHIER


def test_a_person_with_two_roles_asks_in_the_one_that_may(table: PitTable) -> None:
    made = stamped(table, line("order_shuffle", reason="dropped"), "T1-console", Signed("S7"))
    assert made.command.role is Role.CASINO_SUPERVISOR
    dealing = a_floor()
    say_all(dealing, "S7 sign_on")
    made = stamped(dealing, line("order_shuffle", reason="dropped"), "T1-console", Signed("S7"))
    assert made.command.role is Role.DEALER, "who deals here supervises nothing here (G-99)"
    command = stamp_for_the_house(
        line("void_ticket", ticket=TICKET, reason="x"), Signed("S7", "GS1"), dealing.pit.house, {"S7": Role.DEALER}, 0
    )
    assert not isinstance(command, Refused)
    assert (command.role, command.second, command.second_role) == (Role.DEALER, "GS1", Role.GAME_SUPERVISOR)


def test_who_is_locked_out_neither_signs_on_nor_approves() -> None:
    table = a_floor()
    say_all(table, "clock lock_out GS1", "clock lock_out D2")
    assert refusal(table, line("sign_on"), "T1-console", Signed("D2")) == "locked_out"
    invalidate = line("invalidate", coup=1, cause="fraud", reason="x")
    assert refusal(table, invalidate, "T1-console", Signed("CS1", "GS1")) == "locked_out"
    assert stamped(table, invalidate, "T1-console", Signed("CS1", "S7")).command.second == "S7"


def test_a_scanning_shoe_types_for_whoever_deals(table: PitTable) -> None:
    command = stamped(table, line("card", card="9S"), "T1-shoe").command
    assert command == c.DealCard(by="D1", role=Role.DEALER, at_ms=7, card="9S", salts={"A1": "5a" * 16})
    empty = a_floor()
    say_all(empty, "D1 sign_off")
    assert refusal(empty, line("card", card="9S"), "T1-shoe") == "nobody_deals"


def test_the_house_says_whether_a_patron_is_excluded() -> None:
    table = a_floor()
    say_all(table, "CS1 exclude P7 noise")
    for patron, excluded in (("P7", True), ("P8", False)):
        made = stamped(table, line("buy_in", station="A1", cents=5000, patron=patron), "T1-console", Signed("D1"))
        assert isinstance(made.command, c.BuyIn)
        assert made.command.excluded is excluded


def test_a_ticket_is_numbered_here_and_kept_with_the_house_first() -> None:
    table = a_floor()
    say_all(table, "R1 note 50")
    made = stamped(table, line("leave", station="R1"), "T1-console", Signed("D1"))
    assert isinstance(made.command, c.Leave)
    assert made.request is not None
    assert (made.command.ticket, made.request.ticket, made.request.station) == (TICKET, TICKET, "R1")
    paid_in_chips = stamped(table, line("leave"), "T1-A1")
    assert isinstance(paid_in_chips.command, c.Leave)
    assert (paid_in_chips.command.ticket, paid_in_chips.request) == (None, None)


def test_a_ticket_that_the_cage_has_paid_does_not_fail_to_print() -> None:
    table = a_floor()
    say_all(table, "R1 note 50", f"R1 leave ticket={TICKET}", f"CA1 redeem {TICKET}")
    assert refusal(table, line("print_failed", ticket=TICKET, fault="jam"), "T1-R1-printer") == "paid_already"


def test_a_configuration_may_be_changed_by_its_keys(table: PitTable) -> None:
    command = stamped(table, line("configure", set={"wagering_period_ms": 20_000}), "T1-console", Signed("OP1")).command
    assert isinstance(command, c.Configure)
    assert table.state.configuration is not None
    assert command.configuration == msgspec.structs.replace(table.state.configuration, wagering_period_ms=20_000)
    assert refusal(table, line("configure", set=[]), "T1-console", Signed("OP1")) == "malformed"


def test_a_printer_reports_for_its_own_station_and_table(table: PitTable) -> None:
    report = stamp_report(line("printed", ticket=TICKET), "T1-R1-printer", table.pit.house, 3)
    assert not isinstance(report, Refused)
    assert (report.by, report.role, report.table, report.at_ms) == ("R1", Role.STATION, "T1", 3)
    claimed = stamp_report(line("printed", ticket=TICKET, table="T9"), "T1-R1-printer", table.pit.house, 3)
    assert isinstance(claimed, Refused)
    assert claimed.code == "stamped_here"


def test_only_the_clock_gives_what_only_the_clock_may() -> None:
    persons = {verb for verb, kind in VERBS.items() if RULES[kind].who - {Role.STATION, Role.CLOCK}}
    assert GIVES["console"] == persons
    assert "lock_out" not in PERSONS_GIVE_THE_HOUSE
