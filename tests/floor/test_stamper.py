"""Who may give what: every act against every kind of device and every role, and what is stamped."""

from typing import Any, get_args

import msgspec
import pytest

from sabot.basics.act import Act, verb
from sabot.basics.mistake import Mistake
from sabot.basics.role import Role
from sabot.basics.stamp import Stamp
from sabot.floor.lines.reader import TABLE_VERBS, TOURNAMENT_VERBS, read_table_act
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.floor.stamper import (
    GIVES,
    Admitted,
    Fresh,
    Giver,
    Place,
    stamp_for_house,
    stamp_from_device,
    stamp_printed,
    stamp_touch,
)
from sabot.house import acts as house_acts
from sabot.house.decide import RULES as HOUSE_RULES
from sabot.house.decide import decide as house_decide
from sabot.house.refusal import HouseRefused
from sabot.house.state import DeviceKind
from sabot.rules.rule_set import Bet
from sabot.table import acts
from sabot.table.decide import decide
from sabot.table.fixtures import fixture
from sabot.table.refusal import Refused
from sabot.table.rules import RULES
from sabot.tournament.decide import RULES as TOURNAMENT_RULES
from sabot.wire.frames import UnreadableFrame, read_device_frame
from tests.floor.tournament_desk import asked_at_a_desk, tournament_body
from tests.house.talking import READY, TICKET, say_all
from tests.tables import rows

DEVICES = {
    "station": "T1-A1",
    "note_acceptor": "T1-A1-notes",
    "printer": "T1-R1-printer",
    "card_reader": "T1-A1-cards",
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
    Role.SURVEILLANCE: "SV1",
}
A_SESSION: dict[str, Any] = {
    "tournament": "SPRING",
    "title": {},
    "sitting": "S",
    "version": 1,
    "round": "heats",
    "session": 1,
    "rule_set": "",
    "offered": [],
    "limits": {},
    "period_ms": 1,
    "credit": 1,
}
WORDS: dict[str, dict[str, Any]] = {
    "configure": {"configuration": msgspec.to_builtins(fixture("crown"), enc_hook=str)},
    "approve_build": {"build": "b", "reference": "r"},
    "notice": {"kind": "minimum", "bet": "tie", "cents": 1000},
    "withdraw_notice": {"kind": "minimum", "bet": "tie"},
    "take_up_option": {"option": "dragon_bonus", "choice": 2},
    "drop_sign_on": {"person": "D1", "number": 1},
    "drop_escrow": {"station": "A1", "ticket": TICKET, "escrow": 1},
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
    "withdraw_cutting_card": {"reason": "a slip"},
    "buy_in": {"station": "A1", "cents": 5000},
    "note": {"cents": 5000},
    "insert_ticket": {"ticket": TICKET},
    "read_player_card": {"patron": "P7"},
    "nominee": {"station": "A1", "nominee": "P2"},
    "stay": {},
    "pay": {"station": "A1"},
    "print_failed": {"ticket": TICKET, "fault": "jam"},
    "manual_pay": {"ticket": TICKET, "reason": "jam"},
    "hand_back": {"ticket": TICKET, "reason": "found"},
    "direct_to_leave": {"station": "A1", "reason": "noise"},
    "vacate": {"station": "A1"},
    "fill": {"cents": 100000, "slip": "F1"},
    "credit": {"cents": 5000, "slip": "C1"},
    "count_float": {"cents": 100000},
    "close_idle": {"station": "A1"},
    "out_of_service": {"station": "A1", "reason": "screen"},
    "back_in_service": {"station": "A1"},
    "move_patron": {"station": "A1", "target": "A2"},
    "set_own_limit": {"limit": "loss", "cents": 5000},
    "take_break": {"minutes": 15},
    "answer_call": {"station": "A1"},
    "set_wager": {"bet": "banker", "cents": 2500},
    "lay": {"wagers": {"banker": 2500}},
    "move": {"source": "banker", "target": "player"},
    "face_up": {"up": False},
    "fact": {"kind": "first_card_face_up"},
    "resolve": {"id": "note"},
    "correct": {"coup": 1, "cards": ["5S", "KH", "4D", "QC"]},
    "invalidate": {"coup": 1, "cause": "malfunction", "reason": "x"},
    "waive": {"station": "A1", "reason": "goodwill"},
    "pay_payable": {"station": "A1"},
    "correct_buy_in": {"station": "A1", "cents": 5000, "true_cents": 500, "reason": "a slip"},
    "claim": {"coup": 1, "text": "wrong"},
    "decide_claim": {"case": 1, "accepted": False, "reason": "seen"},
    "remedy_done": {"case": 1, "text": "paid"},
    "dispute": {"station": "A1", "text": "wrong"},
    "decide_dispute": {"case": 1, "decision": "paid"},
    "breach": {"station": "A1", "contravened": "13.1", "reason": "device"},
    "act_on_breach": {"case": 1, "act": "detain"},
    "end_detention": {"case": 1, "taken_over_by": "Reid"},
    "seize": {"case": 1, "cents": 500},
    "release": {"case": 1},
    "complaint": {"station": "A1", "text": "rude"},
    "answer_complaint": {"case": 1, "text": "noted"},
    "close_complaint": {"case": 1, "text": "settled"},
    "fault": {"station": "A1"},
    "restart": {"last_sign_ms": 0},
    "clock_jump": {"clock": "journal", "by_ms": 5_000},
    "bring_back": {"wanted": {"kind": "coup", "number": 1}, "found": {}},
    "seen": {"wagers": {}},
    "cannot_confirm": {"station": "A1", "reason": "x"},
    "book_difference": {"station": "A1", "reason": "counted"},
    "pay_by_hand": {"station": "A1", "cents": 100, "reason": "counted"},
    "card": {"card": "9S"},
    "amend": {"card": "9S"},
    "reserve_table": {"tournament": "SPRING", "title": {}, "limits": {}},
    "release_table": {"tournament": "SPRING"},
    "open_session": {"terms": A_SESSION, "seats": {}},
    "admit_seat": {"sitting": "S", "order": 1, "station": "A1", "seat": {"entrant": 1, "patron": "P1", "credit": 1}},
    "add_credits": {"sitting": "S", "order": 1, "station": "A1", "credits": 1},
    "close_seat": {"sitting": "S", "order": 1, "station": "A1", "reason": "retired"},
    "conclude_session": {"sitting": "S", "order": 1, "counted": 1},
    "end_session": {"sitting": "S", "order": 1},
}
"""What must be said with an act beside its verb; where a station is due and not its own, the test adds it."""
SLIP = "SPRING-000001"
HOUSE_WORDS: dict[str, dict[str, Any]] = {
    "enter_table": {"table": "T1", "offers": {}},
    "tell_busy": {"table": "T1", "busy": False},
    "option": {"option": "dragon_bonus", "choice": 2},
    "appoint": {"person": "D9", "roles": ["dealer"]},
    "dismiss": {"person": "D2", "reason": "left"},
    "lock_out": {"person": "D2"},
    "unlock": {"person": "D2", "reason": "a slip"},
    "raise_light": {
        "table": "T1",
        "kind": "return_of_seat",
        "subject": "A1",
        "evidence": 2_000_000,
        "coups": 50,
        "day_ends_ms": 1,
    },
    "see_to_light": {"table": "T1", "kind": "return_of_seat", "subject": "A1", "reason": "the video is clean"},
    "make_service": {
        "service": "loyalty",
        "scopes": ["meters"],
        "key": "ab" * 32,
        "until_ms": 1,
        "purpose": "a loyalty system",
    },
    "revoke_service": {"service": "loyalty", "reason": "lost"},
    "note_service_used": {"service": "loyalty"},
    "enrol": {"device": "S1", "kind": "display", "table": "T1", "key": "ab" * 32, "approval": "A-1"},
    "revoke": {"device": "T1-A1", "reason": "stolen"},
    "exclude": {"patron": "P7", "reason": "noise"},
    "carry_exclusion": {"patron": "P7", "reason": "noise", "source": "T1 case 1", "decided_by": "CS1"},
    "readmit": {"patron": "P7", "reason": "sorry"},
    "request_ticket": {"ticket": TICKET, "table": "T1", "station": "R1"},
    "recall_papers": {},
    "register_ticket": {"ticket": TICKET, "cents": 1, "table": "T1", "station": "R1", "issued_ms": 0},
    "printed": {"ticket": TICKET},
    "close_to_the_cage": {"ticket": TICKET, "fault": "jam"},
    "announce_sign_on": {"person": "D1", "table": "T1", "as_role": "dealer"},
    "note_signed_off": {"person": "D1", "table": "T1", "number": 1},
    "release_ticket": {"ticket": TICKET, "table": "T1"},
    "note_handed_back": {"ticket": TICKET, "release": 1},
    "note_paid_by_hand": {"ticket": TICKET},
    "escrow_ticket": {"ticket": TICKET, "table": "T1", "station": "R1"},
    "note_taken_in": {"ticket": TICKET, "table": "T1", "station": "R1", "escrow": 1},
    "note_escrow_dropped": {"ticket": TICKET, "table": "T1", "station": "R1", "escrow": 1},
    "redeem": {"ticket": TICKET},
    "void_ticket": {"ticket": TICKET, "reason": "stolen"},
    "reinstate": {"ticket": TICKET, "reason": "found"},
    "register_slip": {
        "slip": SLIP,
        "tournament": "SPRING",
        "direction": "take",
        "cents": 1,
        "parts": {"stakes": 1},
        "purpose": "fee",
        "entrant": 1,
    },
    "cancel_slip": {"slip": SLIP},
    "raise_pool": {"tournament": "SPRING", "cents": 1},
    "settle_stakes": {"tournament": "SPRING", "sitting": "SPRING/night/1/T1", "won_cents": 1},
    "close_tournament": {"tournament": "SPRING"},
    "take_slip": {"slip": SLIP},
    "pay_slip": {"slip": SLIP},
    "hold_slip": {"slip": SLIP, "reason": "a device"},
    "release_slip": {"slip": SLIP, "reason": "nothing found"},
    "open_day": {"date": "2026-11-16"},
}
HOUSE_VERBS: dict[str, type[Act]] = {verb(kind): kind for kind in HOUSE_RULES}
AUTHORITY = {"unknown_person", "wrong_role", "own_dealer", "not_this_station", "not_on_staff", "not_the_director"}
"""What a table, the house or a tournament says to somebody who may not; anything else is about what was asked."""
UNREADABLE = "unreadable"
"""The wire and the desk have no place for it."""
ROWS = rows("role_matrix.tsv")
FRESH = Fresh(lambda: TICKET, "build-1")


@pytest.fixture(scope="module")
def table() -> LineTable:
    return a_floor()


def a_floor() -> LineTable:
    configuration = fixture("crown")
    more = {"OP1": (Role.OPERATOR,), "TD1": (Role.TOURNAMENT_DIRECTOR,), "SV1": (Role.SURVEILLANCE,)}
    staff = {**configuration.staff, **more}
    table = LineFloor().enter(msgspec.structs.replace(configuration, staff=staff))
    say_all(table, *READY)
    for number, (kind, device) in enumerate(DEVICES.items()):
        at_a1 = ("station", "note_acceptor", "card_reader")
        station = "station=R1" if kind == "printer" else "station=A1" if kind in at_a1 else ""
        say_all(table, f"TE1 enrol {device} {kind} {number:064} ATS-1 {station} second=CS1")
    return table


def place(table: LineTable, at_ms: int = 0) -> Place:
    return Place(table.name, table.state, table.floor.house, at_ms)


def act_of(word: str, **words: Any) -> Act:
    return msgspec.convert(words, TABLE_VERBS[word])


def asked_of_the_table(table: LineTable, word: str, asker: str) -> str:
    words = dict(WORDS.get(word, {}))
    if asker in PERSONS:
        device, giver = DEVICES["console"], Giver(PERSONS[Role(asker)])
        if "station" in TABLE_VERBS[word].__struct_fields__:
            words.setdefault("station", "A1")
    else:
        device, giver = DEVICES[asker], None
    act = act_of(word, **words)
    admitted = stamp_from_device(act, device, giver, place(table), FRESH)
    if isinstance(admitted, Refused):
        return admitted.code
    decision = decide(table.state, act, admitted.stamp)
    return decision.code if isinstance(decision, Refused) and decision.code in AUTHORITY else "yes"


@pytest.mark.parametrize("kind", sorted(acts.TOUCHES, key=str))
@pytest.mark.parametrize("device", sorted(DEVICES.keys() - {"console"}))
@pytest.mark.parametrize("more", [{}, {"station": "A1"}, {"station": "A2"}])
def test_a_touch_is_stamped_at_once_as_it_would_be_the_long_way(
    table: LineTable, kind: type[Act], device: str, more: dict[str, str]
) -> None:
    """The owner writes the time on either."""
    act = act_of(verb(kind), **WORDS.get(verb(kind), {}), **more)
    name = DEVICES[device]
    long_way = stamp_from_device(act, name, None, place(table), FRESH)
    at_once = stamp_touch(act, place(table).house.devices[name], place(table))
    assert at_once == (long_way if isinstance(long_way, Refused) else long_way.stamp)
    if isinstance(long_way, Admitted):
        assert long_way.request is None


def asked_of_the_house(table: LineTable, word: str, asker: str) -> str:
    """A person asks at a desk; a device has no frame for the house but a printer's word that a ticket came out."""
    words, house = HOUSE_WORDS.get(word, {}), table.floor.house
    try:
        act: house_acts.HouseAct
        if asker in DEVICES and asker != "console":
            if word != "printed":
                return read_from_device({"do": word, **words})
            stamped = stamp_printed(DEVICES[asker], house)
            if isinstance(stamped, Refused):
                return stamped.code
            act, stamp = house_acts.Printed(ticket=TICKET, table=stamped[0]), stamped[1]
        else:
            act = read_at_desk({"do": word, **words})
            person = PERSONS[Role(asker)] if asker in PERSONS else ""
            second = "CS1" if person == "GS1" else "GS1"
            stamp = stamp_for_house(type(act), Giver(person, second), house)
    except (UnreadableFrame, msgspec.ValidationError):
        return UNREADABLE
    decision = house_decide(house, act, stamp)
    return decision.code if isinstance(decision, HouseRefused) and decision.code in AUTHORITY else "yes"


def asked_of_the_tournament(table: LineTable, word: str, asker: str) -> str:
    """A person asks at a desk; a device has no frame for a tournament."""
    try:
        if asker in DEVICES and asker != "console":
            return read_from_device(tournament_body(word))
        return asked_at_a_desk(table, word, PERSONS[Role(asker)] if asker in PERSONS else "", AUTHORITY)
    except (UnreadableFrame, msgspec.ValidationError):
        return UNREADABLE


def read_from_device(command: dict[str, Any]) -> str:
    """The frame of a device that asks this, which raises where there is no such frame."""
    frame = read_device_frame(msgspec.json.encode({"type": "ask", "epoch": 1, "n": 1, "command": command}))
    return type(frame).__name__


def read_at_desk(body: dict[str, Any]) -> house_acts.HouseAct:
    act: house_acts.HouseAct = msgspec.json.decode(msgspec.json.encode(body), type=house_acts.DeskAct)
    return act


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['of']} {row['act']}")
def test_who_may_give_it(table: LineTable, row: dict[str, str]) -> None:
    ask = {"table": asked_of_the_table, "house": asked_of_the_house, "tournament": asked_of_the_tournament}[row["of"]]
    askers = [name for name in row if name not in ("of", "act")]
    assert {asker: ask(table, row["act"], asker) for asker in askers} == {asker: row[asker] for asker in askers}


def test_the_matrix_has_every_act_and_every_asker() -> None:
    assert {row["act"] for row in ROWS if row["of"] == "table"} == set(TABLE_VERBS)
    assert {row["act"] for row in ROWS if row["of"] == "house"} == set(HOUSE_VERBS)
    assert {row["act"] for row in ROWS if row["of"] == "tournament"} == set(TOURNAMENT_VERBS)
    assert set(ROWS[0]) - {"of", "act"} == {*DEVICES, *PERSONS}
    assert set(PERSONS) == set(Role) - {Role.STATION, Role.CLOCK}


AT_OWN_PATH = {"make_service": house_acts.MakeService}
"""Given by a person, but at a path of its own, which draws the secret; nobody writes it as an act."""


def test_the_matrix_says_what_the_rule_tables_say() -> None:
    """Where a person is let through, the role is in the rule; where not, it is not."""
    table_rules = {word: RULES[kind].who for word, kind in TABLE_VERBS.items()}
    house_rules = {word: HOUSE_RULES[kind].who for word, kind in HOUSE_VERBS.items()}
    tournament_rules = {word: TOURNAMENT_RULES[kind].who for word, kind in TOURNAMENT_VERBS.items()}
    rules = {"table": table_rules, "house": house_rules, "tournament": tournament_rules}
    for row in ROWS:
        if row["act"] in AT_OWN_PATH:
            continue
        who = rules[row["of"]][row["act"]]
        assert {role for role in PERSONS if row[role] == "yes"} == who & set(PERSONS), row["act"]


# What is stamped


def stamped(table: LineTable, act: Act, device: str, signed: Giver | None = None) -> Admitted:
    made = stamp_from_device(act, device, signed, place(table, at_ms=7), FRESH)
    assert isinstance(made, Admitted), made
    return made


def refusal(table: LineTable, act: Act, device: str, signed: Giver | None = None) -> str:
    made = stamp_from_device(act, device, signed, place(table), FRESH)
    assert isinstance(made, Refused), made
    return made.code


def test_a_station_is_what_it_was_enrolled_as(table: LineTable) -> None:
    for station in ("", "A1"):
        wager = acts.SetWager(bet=Bet("banker"), cents=2500, station=station)
        assert stamped(table, wager, "T1-A1").stamp == Stamp(by="A1", role=Role.STATION, at_ms=7)
    wager = acts.SetWager(bet=Bet("banker"), cents=2500, station="A2")
    assert refusal(table, wager, "T1-A1") == "other_station"


def test_a_persons_token_makes_a_station_no_console(table: LineTable) -> None:
    assert refusal(table, acts.Open(), "T1-A1", Giver("D1")) == "not_from_here"


@pytest.mark.parametrize("nobody", [None, Giver("")])
def test_at_a_console_acts_whoever_is_signed_on_and_nobody_else(table: LineTable, nobody: Giver | None) -> None:
    assert refusal(table, acts.Open(), "T1-console", nobody) == "sign_on_first"
    made = stamped(table, acts.Open(), "T1-console", Giver("D1"))
    assert made.stamp == Stamp(by="D1", role=Role.DEALER, at_ms=7)


@pytest.mark.parametrize("field", Stamp.__struct_fields__)
def test_nobody_says_what_the_stamper_says(field: str) -> None:
    """There is no place for it in any act that a device or a person can send."""
    read_from_device({"do": "open"})
    with pytest.raises(UnreadableFrame):
        read_from_device({"do": "open", field: "CS1"})
    read_at_desk({"do": "expire"})
    with pytest.raises(msgspec.ValidationError):
        read_at_desk({"do": "expire", field: "CS1"})


@pytest.mark.parametrize(
    ("word", "field"),
    [
        ("buy_in", "excluded"),
        ("nominee", "excluded"),
        ("leave", "ticket"),
        ("card", "salts"),
        ("close", "salts"),
        ("open_table", "build"),
    ],
)
def test_what_is_drawn_or_looked_up_is_not_taken_from_the_wire(word: str, field: str) -> None:
    said = {"do": word, **WORDS.get(word, {})}
    read_from_device(said)
    with pytest.raises(UnreadableFrame):
        read_from_device({**said, field: ""})


@pytest.mark.parametrize("field", ["source", "decided_by"])
def test_what_a_tables_case_has_decided_is_not_taken_from_a_desk(field: str) -> None:
    said = {"do": "exclude", **HOUSE_WORDS["exclude"]}
    read_at_desk(said)
    with pytest.raises(msgspec.ValidationError):
        read_at_desk({**said, field: "T1 case 1"})


@pytest.mark.parametrize(
    "said",
    [
        {"do": "open", "hurry": True},
        {"do": "cut", "at": "100"},
        {"do": "cut"},
        {"do": "dance"},
        {"do": ["open"]},
        *({"do": verb(kind), **WORDS.get(verb(kind), {})} for kind in get_args(acts.FloorAct)),
    ],
)
def test_an_unknown_field_a_wrong_type_and_what_only_the_floor_asks_are_unreadable(said: dict[str, Any]) -> None:
    with pytest.raises(UnreadableFrame):
        read_from_device(said)


def test_a_device_speaks_only_to_its_own_table(table: LineTable) -> None:
    elsewhere = place(table)._replace(table="T2")
    for refused in (
        stamp_from_device(acts.Undo(), "T1-A1", None, elsewhere, FRESH),
        stamp_touch(acts.Undo(), elsewhere.house.devices["T1-A1"], elsewhere),
    ):
        assert isinstance(refused, Refused)
        assert refused.code == "not_enrolled"
    assert refusal(table, acts.Undo(), "a stranger") == "not_enrolled"


def test_a_station_at_several_tables_acts_at_each_as_the_station_that_it_is_there(table: LineTable) -> None:
    here = place(table)
    known = msgspec.structs.replace(here.house.devices["T1-A1"], places={"T2": "A3"})
    house = msgspec.structs.replace(here.house, devices=here.house.devices.put("T1-A1", known))
    for name, station in (("T1", "A1"), ("T2", "A3")):
        there = here._replace(table=name, house=house)
        touched = stamp_touch(acts.Undo(), known, there)
        assert isinstance(touched, Stamp)
        assert (touched.by, touched.role) == (station, Role.STATION)
        asked = stamp_from_device(acts.Stay(), "T1-A1", None, there, FRESH)
        assert not isinstance(asked, Refused)
        assert asked.stamp.by == station
        other = stamp_from_device(acts.Leave(station="A2"), "T1-A1", None, there, FRESH)
        assert isinstance(other, Refused)
        assert other.code == "other_station"


def test_a_revoked_device_is_heard_no_more() -> None:
    table = a_floor()
    say_all(table, "TE1 revoke T1-A1 stolen", "TE1 revoke T1-R1-printer stolen")
    assert refusal(table, acts.Undo(), "T1-A1") == "not_enrolled"
    refused = stamp_printed("T1-R1-printer", table.floor.house)
    assert isinstance(refused, Refused)
    assert refused.code == "not_enrolled"


def test_a_person_who_was_dismissed_or_lost_the_role_does_nothing_more() -> None:
    table = a_floor()
    say_all(table, "operator dismiss GS1 left", "operator appoint CS1 cashier")
    assert refusal(table, acts.Cut(at=100), "T1-console", Giver("GS1")) == "not_on_staff"
    assert refusal(table, acts.Open(), "T1-console", Giver("nobody")) == "not_on_staff"
    assert refusal(table, acts.CloseTable(), "T1-console", Giver("CS1")) == "not_on_staff"


@pytest.mark.parametrize("name", ["clock", "operator", "station"])
def test_nobody_at_a_console_speaks_for_a_desk_or_for_time(table: LineTable, name: str) -> None:
    for act in (acts.Configure(configuration=fixture("crown")), acts.Close(), acts.SignOn()):
        assert refusal(table, act, "T1-console", Giver(name)) == "not_on_staff"
        assert refusal(table, act, "T1-console", Giver(name, role=Role.OPERATOR)) == "not_on_staff"


def test_a_person_who_is_called_like_a_station_is_a_person() -> None:
    table = a_floor()
    say_all(table, "operator appoint A1 cashier", "D1 buy_in A1 50")
    made = stamped(table, acts.Leave(station="A1"), "T1-console", Giver("A1"))
    assert made.stamp.role is Role.CASHIER
    decision = decide(table.state, acts.Leave(station="A1"), made.stamp)
    assert isinstance(decision, Refused)
    assert decision.code == "wrong_role"


def test_a_person_with_two_roles_asks_in_the_one_that_may(table: LineTable) -> None:
    shuffle = acts.OrderShuffle(reason="dropped")
    assert stamped(table, shuffle, "T1-console", Giver("S7")).stamp.role is Role.CASINO_SUPERVISOR
    dealing = a_floor()
    say_all(dealing, "S7 sign_on")
    made = stamped(dealing, shuffle, "T1-console", Giver("S7"))
    assert made.stamp.role is Role.DEALER, "who deals here supervises nothing here (G-99)"
    stamp = stamp_for_house(house_acts.VoidTicket, Giver("S7", "GS1"), dealing.floor.house)
    assert (stamp.role, stamp.second, stamp.second_role) == (Role.DEALER, "GS1", Role.GAME_SUPERVISOR)


def test_a_person_who_is_locked_out_neither_signs_on_nor_approves() -> None:
    table = a_floor()
    for person in ("GS1", "D2"):
        say_all(table, f"clock lock_out {person}")
    assert refusal(table, acts.SignOn(), "T1-console", Giver("D2")) == "locked_out"
    invalidate = acts.Invalidate(coup=1, cause="fraud", reason="x")
    assert refusal(table, invalidate, "T1-console", Giver("CS1", "GS1")) == "locked_out"
    assert stamped(table, invalidate, "T1-console", Giver("CS1", "S7")).stamp.second == "S7"


def test_a_scanning_shoe_types_for_whoever_deals(table: LineTable) -> None:
    made = stamped(table, acts.Card(card="9S"), "T1-shoe")
    assert made.stamp == Stamp(by="D1", role=Role.DEALER, at_ms=7)
    empty = a_floor()
    say_all(empty, "D1 sign_off")
    assert refusal(empty, acts.Card(card="9S"), "T1-shoe") == "nobody_deals"


def test_a_table_is_opened_with_the_program_that_runs(table: LineTable) -> None:
    assert stamped(table, acts.OpenTable(), "T1-console", Giver("D1")).stamp.build == "build-1"


def test_the_house_says_whether_a_patron_is_excluded() -> None:
    table = a_floor()
    say_all(table, "CS1 exclude P7 noise")
    for patron, excluded in (("P7", True), ("P8", False), ("P7 ", True), ("\tP7\n", True), ("P\u200d7", True)):
        buy_in = acts.BuyIn(station="A1", cents=5000, patron=patron)
        assert stamped(table, buy_in, "T1-console", Giver("D1")).stamp.excluded is excluded


def test_a_ticket_is_numbered_here_and_kept_with_the_house_first() -> None:
    table = a_floor()
    say_all(table, "R1 note 50")
    made = stamped(table, acts.Leave(station="R1"), "T1-console", Giver("D1"))
    assert made.request == house_acts.RequestTicket(ticket=TICKET, table="T1", station="R1")
    assert made.stamp.ticket == TICKET
    paid_in_chips = stamped(table, acts.Leave(), "T1-A1")
    assert (paid_in_chips.stamp.ticket, paid_in_chips.request) == ("", None)


def test_a_ticket_that_the_cage_has_paid_does_not_fail_to_print() -> None:
    table = a_floor()
    say_all(table, "R1 note 50", f"R1 leave ticket={TICKET}", f"CA1 redeem {TICKET}")
    failed = acts.PrintFailed(ticket=TICKET, fault="jam")
    assert refusal(table, failed, "T1-R1-printer") == "paid_already"


def test_a_configuration_may_be_changed_by_its_keys(table: LineTable) -> None:
    line = {"do": "configure", "by": "OP1", "set": {"wagering_period_ms": 20_000}}
    said = read_table_act(line, table.state, 0)
    assert isinstance(said.act, acts.Configure)
    assert said.act.configuration == msgspec.structs.replace(table.state.configuration, wagering_period_ms=20_000)
    assert stamped(table, said.act, "T1-console", said.giver).stamp.role is Role.OPERATOR
    with pytest.raises(Mistake, match="needs an object of keys to change"):
        read_table_act({**line, "set": []}, table.state, 0)


def test_a_printer_reports_for_its_own_station_and_table(table: LineTable) -> None:
    assert stamp_printed("T1-R1-printer", table.floor.house) == ("T1", Stamp(by="R1", role=Role.STATION))
    frame: dict[str, object] = {"type": "printed", "ticket": TICKET}
    read_device_frame(msgspec.json.encode(frame))
    with pytest.raises(UnreadableFrame):
        read_device_frame(msgspec.json.encode({**frame, "table": "T9"}))


def test_only_the_clock_gives_what_only_the_clock_may() -> None:
    not_persons = {Role.STATION, Role.CLOCK}
    assert GIVES[DeviceKind.CONSOLE] == {kind for kind, rule in RULES.items() if rule.who - not_persons}
    at_desk = {*get_args(house_acts.DeskAct), *AT_OWN_PATH.values()}
    assert at_desk == {kind for kind, rule in HOUSE_RULES.items() if rule.who - not_persons}
    assert set(get_args(acts.TableAct)) == set(RULES)
    assert set(get_args(house_acts.HouseAct)) == set(HOUSE_RULES)
