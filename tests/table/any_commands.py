"""Commands for Hypothesis: lawful, unlawful, out of order."""

from hypothesis import strategies as st

from sabot.rules.cards import DECK
from sabot.rules.rule_set import IrregularityName
from sabot.rules.shipped import rule_set
from sabot.rules.shoe import full_shoe
from sabot.table.shoe.commitment import SALT_BYTES, Committed

VIRTUAL = Committed([card.notation for card in full_shoe(8)], b"\x07" * SALT_BYTES)
STATIONS = ("A1", "A2", "R1", "R2")
BETS = tuple(rule_set("crown-traditional").bets)

staff = st.sampled_from(["D1", "D1", "D1", "GS1", "CS1", "S7", "CA1", "IN1", "nobody"])
stations = st.sampled_from([*STATIONS, *STATIONS, "A9"])
bets = st.sampled_from([*BETS, "dragon_tails"])
amounts = st.sampled_from([0, 100, 500, 1000, 2500, 2700, 5000, 10_000, 60_000, 150_000, -500])
cards = st.sampled_from([card.notation for card in DECK] + ["XX"])
facts = st.sampled_from([*IrregularityName, "earthquake"])
resolutions = st.sampled_from(
    [
        *("note", "reconstruct", "carry", "goes_out", "in_shoe_order", "settle", "settle_then_dummy", "dummy"),
        *("play_on", "replace", "void", "end_shoe"),
    ]
)
steps_of_time = st.sampled_from([0, 0, 0, 1, 500, 5_000, 29_999, 30_000, 1_200_000])


def line(verb: str, **fields: object) -> st.SearchStrategy[dict[str, object]]:
    return st.fixed_dictionaries(
        {
            "do": st.just(verb),
            **{
                name: value if isinstance(value, st.SearchStrategy) else st.just(value)
                for name, value in fields.items()
            },
        }
    )


def own(verb: str, **fields: object) -> st.SearchStrategy[dict[str, object]]:
    """A station's own act, mostly; sometimes somebody else tries it."""
    acts = line(verb, station=stations, **fields)
    return st.one_of(
        acts.map(lambda one: {**one, "by": one["station"]}),
        acts.map(lambda one: {**one, "by": one["station"]}),
        st.tuples(acts, staff).map(lambda pair: {**pair[0], "by": pair[1]}),
    )


def proved_card(place: int) -> dict[str, object]:
    return {"do": "card", "by": "D1", "card": VIRTUAL.order[place], "proof": VIRTUAL.proof(place)}


any_line = st.one_of(
    own("set_wager", bet=bets, cents=amounts),
    own("set_wager", bet=bets, cents=amounts),
    own("move", source=bets, target=bets),
    own("undo"),
    own("clear"),
    own("repeat"),
    own("double"),
    own("lay", wagers=st.dictionaries(bets, amounts, max_size=3)),
    own("note", cents=st.sampled_from([500, 5000, 10_000, 123])),
    own("insert_ticket", ticket=st.integers(1, 80).map(lambda n: f"{n:018}")),
    own("leave"),
    own("stay"),
    line("buy_in", by=staff, station=stations, cents=amounts, tender=st.sampled_from(["cash", "chips", "iou"]),
         top_up=st.booleans()),
    line("pay", by=staff, station=stations),
    line("direct_to_leave", by=staff, station=stations, reason=st.sampled_from(["", "noise"])),
    line("vacate", by=staff, station=stations),
    line("close_idle", by=staff, station=stations),
    line("out_of_service", by=staff, station=stations, reason="screen"),
    line("back_in_service", by=staff, station=stations),
    line("move_patron", by=staff, station=stations, target=stations),
    line("move_patron", by="D1", station=stations, target=stations),
    line("print_failed", by="TE1", ticket=st.integers(1, 80).map(lambda n: f"{n:018}"), fault="jam"),
    line("manual_pay", by=staff, ticket=st.integers(1, 80).map(lambda n: f"{n:018}"), reason="jam"),
    line("fill", by=staff, cents=amounts, slip=st.sampled_from(["", "F1", "F2"]), second=st.sampled_from(["", "CS1"])),
    line("credit", by=staff, cents=amounts, slip=st.sampled_from(["C1", "C2"]), second="CS1"),
    line("count_float", by=staff, cents=amounts, second="CS1",
         when=st.sampled_from(["opening", "shift_change", "check", "closing"])),
    line("open", by=staff),
    line("close", by=staff),
    line("tick"),
    line("card", by=staff, card=cards),
    line("card", by="D1", card=cards),
    line("amend", by=staff, card=cards),
    line("amend", by="D1", card=cards, place=st.integers(0, 6), reason=st.sampled_from(["", "misread"])),
    line("take_back_card", by="D1", place=st.none() | st.integers(0, 6), reason=st.sampled_from(["", "twice"])),
    line("unresolve", by=staff, reason=st.sampled_from(["", "a slip"])),
    line("unresolve", by="CS1", reason="a slip"),
    line("withdraw_fact", by=staff, reason=st.sampled_from(["", "a slip"])),
    line("confirm", by=staff),
    line("void", by=staff),
    line("burn", by=staff, card=st.none() | cards, by_face_value=st.booleans()),
    line("cutting_card", by=staff),
    line("new_shoe", by=staff),
    line("new_shoe", by=staff, method="virtual", commitment=st.sampled_from([VIRTUAL.commitment, "no digest"])),
    line("open_shoe", by=staff, order=st.sampled_from(["", "".join(VIRTUAL.order)]), salt=VIRTUAL.salt.hex()),
    st.integers(100, 110).map(proved_card),
    line("cut", by=staff, at=st.integers(0, 420)),
    line("check_cards", by=staff, cards=st.sampled_from([415, 416]), when=st.sampled_from(["opening", "closing"])),
    line("order_shuffle", by=staff, reason=st.sampled_from(["", "dropped card"])),
    line("replace_cards", by=staff, reason="worn", unfit=st.booleans()),
    line("show_burn", by=staff, card=cards, asked_by="A1"),
    line("notice", by=staff, kind=st.sampled_from(["minimum", "closure"]), bet=bets, cents=amounts,
         from_ms=st.integers(0, 10**7)),
    line("withdraw_notice", by=staff, kind=st.sampled_from(["minimum", "closure"]), bet=bets),
    line("shows_sign", by=staff, location=st.sampled_from(["display", *STATIONS]), shows=st.booleans()),
    line("shows_sign", by=st.sampled_from(STATIONS)),
    line("fact", by=staff, kind=facts, cards=st.lists(cards, max_size=3), hand=st.sampled_from(["player", "banker"]),
         reconstructible=st.none() | st.booleans(), order_known=st.none() | st.booleans()),
    line("resolve", by=staff, id=resolutions),
    line("resolve", by="CS1", id=resolutions),
    line("face_up", by=staff, up=st.booleans()),
    own("claim", coup=st.integers(1, 4), text="wrong"),
    line("decide_claim", by=staff, case=st.integers(1, 5), accepted=st.booleans(), remedy="CROWN 11.11", reason="seen"),
    line("remedy_done", by=staff, case=st.integers(1, 5), text=st.sampled_from(["", "paid"])),
    line("dispute", by=staff, station=stations, text="wrong", coup=st.integers(0, 3)),
    line("dispute", by=staff, station=stations, text="wrong", control=st.integers(0, 4)),
    line("complaint", by=staff, patron=st.sampled_from(["", "P7"]), text="rude"),
    line("answer_complaint", by=staff, case=st.integers(1, 5), text="noted"),
    line("close_complaint", by="CS1", case=st.integers(1, 5), text="settled"),
    line("decide_dispute", by="CS1", case=st.integers(1, 5), decision="paid",
         adjustments=st.dictionaries(st.sampled_from(STATIONS), st.sampled_from([-500, 0, 500]), max_size=2)),
    line("breach", by="CS1", station=stations, contravened="13.1", reason="device", prohibited_device=st.booleans()),
    line("breach", by="CS1", contravened="13.1", reason="device", prohibited_device=st.booleans(),
         control=st.none() | st.integers(1, 4), person=st.sampled_from(["", "onlooker"])),
    line("act_on_breach", by="CS1", case=st.integers(1, 5), act=st.sampled_from(["void_wagers", "exclude", "detain"]),
         text="x", coup=st.none() | st.integers(1, 6)),
    line("end_detention", by="CS1", case=st.integers(1, 5), taken_over_by=st.sampled_from(["", "Reid"])),
    line("seize", by="CS1", case=st.integers(1, 5), cents=st.sampled_from([100, 500, 2500]),
         since_ms=st.none() | st.integers(0, 10**6)),
    line("release", by="CS1", case=st.integers(1, 5), forfeit=st.booleans()),
    line("fault", by=staff, station=stations, failed_ms=st.none() | st.integers(0, 60_000)),
    line("book_difference", by=staff, station=st.sampled_from(["", *STATIONS]),
         right=st.sampled_from(["ledger", "meters"]), reason="counted", second=st.sampled_from(["", "GS1"])),
    line("pay_by_hand", by=staff, station=stations, cents=amounts, reason="counted",
         second=st.sampled_from(["", "GS1"])),
    line("restart", by="clock", last_sign_ms=st.sampled_from([0, 29_800, 30_000, 10**7])),
    own("seen", wagers=st.just({"player": 2500}), accepted=st.booleans()),
    line("confirm_records", by="D1", station=st.sampled_from(["", *STATIONS])),
    line("cannot_confirm", by=staff, station=stations, reason="the screen shows others"),
    line("malfunction", by=staff, failed_ms=st.none() | st.integers(0, 60_000)),
    line("freeze", by=staff),
    line("unfreeze", by=staff),
    line("correct", by=staff, coup=st.integers(1, 6), cards=st.sampled_from([["5S", "KH", "4D", "QC"], ["XX"]])),
    line("recalculate", by=staff),
    line("invalidate", by=staff, coup=st.integers(1, 6), cause=st.sampled_from(["malfunction", "fraud"]), reason="x"),
    line("pay_payable", by=staff, station=stations),
    line("correct_buy_in", by=staff, station=stations, cents=amounts, true_cents=amounts, reason="a slip",
         true_tender=st.sampled_from(["", "chips"]), true_station=st.sampled_from(["", *STATIONS]),
         rest_owed=st.booleans()),
    line("waive", by=staff, station=stations, reason="goodwill"),
    line("sign_on", by=staff),
    line("sign_off", by=staff),
    line("open_table", by=staff),
    line("close_table", by=staff),
    line("configure", set=st.sampled_from([{"decks": 6}, {"offered": ["super_6"]}, {"wagering_period_ms": 20_000}])),
)  # fmt: skip
