"""Events in plain words, for transcripts and reports, and as phrases for every language of the pages."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sabot.basics.phrase import Phrase, either, in_english, listed, part, phrase, with_clause
from sabot.basics.phrase import of as sentence_of
from sabot.table import events as e
from sabot.table.care.state import MINUTE_MS, OwnLimitKind
from sabot.table.history.wanted import Wanted
from sabot.table.phrases import PHRASES
from sabot.table.sessions.sentences import TOLD as SESSIONS


def told(event: e.Event) -> Phrase:
    """What happened, with the clause where there is one."""
    return with_clause(_TOLD.get(type(event), _of)(event), getattr(event, "clause", None))


def sentence(event: e.Event) -> str:
    """The same in one English sentence."""
    return in_english(told(event), PHRASES)


def _of(event: e.Event, **values: str | int | Phrase) -> Phrase:
    return sentence_of(event, PHRASES, **values)


def _layout(wagers: Mapping[Any, int]) -> Phrase:
    return listed(phrase("bet_amount", bet=bet, cents=cents) for bet, cents in wagers.items())


def _cards(cards: Iterable[Any]) -> Phrase:
    return listed((phrase("card_named", card=card) for card in cards), "spaced")


def _refunds(refunds: Mapping[str, Mapping[Any, int]]) -> Phrase:
    told = (phrase("refund", station=station, on_layout=_layout(wagers)) for station, wagers in refunds.items())
    return listed(told, "joined", "nothing_at_all")


def _decided(event: e.DisputeDecided) -> Phrase:
    told = (phrase("adjusted_at", station=station, net_cents=cents) for station, cents in event.adjustments.items())
    return _of(event, adjusted=listed(told, "joined", "nothing_at_all"))


def _claimed(event: e.ClaimMade) -> str | Phrase:
    if not event.reason:
        return event.text
    touched = phrase(f"claim_{event.reason}")
    return listed((touched, event.text), "semicolon") if event.text else touched


def _limit_set(event: e.OwnLimitSet) -> Phrase:
    def most(value: int) -> Phrase:
        if not value:
            return phrase("no_limit")
        is_time = event.limit is OwnLimitKind.TIME
        return phrase("most_minutes", minutes=value) if is_time else phrase("most_cents", cents=value)

    of_what = phrase(f"own_{event.limit}")
    return _of(event, of_what=of_what, before=most(event.was), most=most(event.most), raise_ms=event.from_ms)


def _wagers(event: e.WagersChanged) -> Phrase:
    bets = listed(phrase("bet_named", bet=bet) for bet in event.returned)
    left_out = listed(phrase("left_out_bet", bet=bet, why=why) for bet, why in event.left_out.items())
    return _of(
        event,
        on_layout=_layout(event.after),
        returned=part(event.returned, "returned_unqualified_bets", bets=bets),
        left_out=part(event.left_out, "left_out_bets", bets=left_out),
    )


def _closed(event: e.WageringClosed) -> Phrase:
    refunds = (
        phrase(
            "refund_with_reason", station=station, on_layout=_layout(one.wagers), reason=one.reason, clause=one.clause
        )
        for station, several in event.refunds.items()
        for one in several
    )
    sealed = (phrase("sealed_wagers", station=name, on_layout=_layout(laid)) for name, laid in event.sealed.items())
    return _of(
        event,
        closed_by=event.closed_by.replace("_", " "),
        refunds=listed(refunds, "joined", "nothing_at_all"),
        digest=event.root[:12],
        sealed=listed(sealed, "semicolon", "no_wagers"),
    )


def _settled(event: e.WagersSettled) -> Phrase:
    lines = (
        phrase(
            "settled_wager",
            station=station,
            bet=one.bet,
            stake_cents=one.stake_cents,
            outcome=one.outcome,
            net_cents=one.net_cents,
            clause=one.clause,
        )
        for station, settled in event.settlements.items()
        for one in settled
    )
    return _of(event, settled=listed(lines, "semicolon", "no_wagers"))


def _adjusted(adjustments: Mapping[str, e.Adjustment]) -> Phrase:
    told = (
        phrase(
            "adjustment",
            station=station,
            change_cents=one.change_cents,
            owed=part(one.owed_cents, "adjustment_owed", cents=one.owed_cents),
            payable=part(one.payable_cents, "adjustment_payable", cents=one.payable_cents),
        )
        for station, one in adjustments.items()
    )
    return listed(told, empty="no_account_changes")


def _tendered(event: e.BuyInCorrected | e.WaitingBuyInCorrected) -> Phrase:
    keyed: dict[str, str | int] = {"was_cents": event.was_cents, "was_tender": event.was_tender}
    if not event.cents:
        return phrase("keyed_for_nothing", **keyed)
    return phrase("keyed_and_tendered", **keyed, cents=event.cents, tender=event.tender)


def _withdrawn(event: e.NoticeWithdrawn) -> Phrase:
    if event.kind == "closure":
        return phrase("withdrawn_closure")
    return phrase("withdrawn_minimum", cents=event.cents, which=_which(event.bet))


def _which(bet: Any) -> Phrase:
    return phrase("bet_named", bet=bet) if bet else phrase("all_wagers_together")


def _burned(event: e.CardsBurned) -> Phrase:
    shown = phrase("burned_shown", card=event.shown) if event.shown else phrase("burned_hidden", hidden=event.hidden)
    return _of(event, burned=shown, still_to_come=part(event.still_due, "more_to_come", still_due=event.still_due))


def _read_again(event: e.CardAmended | e.CardTakenBack) -> Phrase:
    return _of(
        event,
        because=part(event.reason, "because", reason=event.reason),
        never_due=part(event.left_over, "never_due", cards=_cards(event.left_over)),
    )


def _about(event: e.IncidentRecorded | e.DisputeOpened | e.BreachRecorded | e.ComplaintMade) -> Phrase:
    return _of(event, whom=event.station or event.patron or event.person)


def _booked(event: e.DifferenceBooked) -> Phrase:
    right = phrase("meters_are_right" if event.right == "meters" else "ledger_is_right")
    of_sums = _of(event)
    of_station = Phrase("difference_of_station", {**of_sums.values, "station": event.station, "right": right})
    return of_station if event.station else of_sums


def _wanted(wanted: Wanted) -> Phrase:
    """Each kind has a sentence with one gap or two of these."""
    named = dict.fromkeys(("person", "ticket", "station", "slip", "sitting"), wanted.name)
    return Phrase(f"wanted_{wanted.kind}", {**named, "number": wanted.number, "cents": wanted.cents})


_TOLD: dict[type[e.Event], Callable[[Any], Phrase]] = {
    e.Configured: lambda x: _of(x, table=x.configuration.table, rule_set=x.configuration.rule_set),
    e.SignedOn: lambda x: _of(x, role=x.role.in_words),
    e.DifferenceBooked: _booked,
    e.NoticeGiven: lambda x: _of(x, what_sign=phrase(f"sign_{x.kind}", bet=x.bet, cents=x.cents)),
    e.NoticeWithdrawn: lambda x: _of(x, what_sign=_withdrawn(x)),
    e.SignShown: lambda x: _of(x, what_sign=phrase("posted_signs" if x.shows else "no_sign")),
    e.MinimumChanged: lambda x: _of(x, which=_which(x.bet)),
    e.DeviceReported: lambda x: either(_of(x), x.up, "device_back"),
    e.IncidentRecorded: _about,
    e.CardsChecked: lambda x: _of(x, discrepancy=part(x.cards != x.expected, "a_discrepancy")),
    e.CardsShuffled: lambda x: _of(
        x,
        from_pack=part(x.pack, "from_pack", pack=x.pack),
        committed=part(x.commitment, "committed_to", digest=(x.commitment or "")[:12]),
    ),
    e.ShoeOpened: lambda x: _of(x, cards=len(x.order) // 2),
    e.CardsBurned: _burned,
    e.AccountOpened: lambda x: _of(x, for_patron=part(x.patron, "for_patron", patron=x.patron)),
    e.BoughtIn: lambda x: _of(
        x, with_reference=part(x.reference.strip(), "with_reference", reference=x.reference.rstrip())
    ),
    e.ChipsFilled: lambda x: _of(x, carried=part(x.brought_by, "brought_by", person=x.brought_by)),
    e.ChipsCredited: lambda x: _of(x, carried=part(x.taken_by, "taken_by", person=x.taken_by)),
    e.FloatCounted: lambda x: _of(
        x,
        when=x.when.replace("_", " "),
        difference=part(x.difference_cents, "a_difference", difference_cents=x.difference_cents),
    ),
    e.FloatUncounted: lambda x: _of(x, when=x.when.replace("_", " ")),
    e.PatronMoved: lambda x: _of(
        x,
        moved_cents=x.balance_cents + x.held_cents,
        and_wagers=part(x.wagers, "and_wagers", on_layout=_layout(x.wagers)),
    ),
    e.WagersChanged: _wagers,
    e.WageringOpened: lambda x: _of(x, last_of_shoe=part(x.last_of_shoe, "last_of_shoe")),
    e.WageringClosed: _closed,
    e.CardDealt: lambda x: _of(x, hand=x.hand.capitalize()),
    e.ClaimMade: lambda x: _of(x, whom=x.station or x.patron, text=_claimed(x)),
    e.OwnLimitSet: _limit_set,
    e.CheckAcknowledged: lambda x: _of(x, minutes=x.played_ms // MINUTE_MS),
    e.CallEnded: lambda x: either(_of(x), not x.served, "call_taken_back"),
    e.ClaimDecided: lambda x: either(_of(x, remedy=x.remedy or x.reason), not x.accepted, "claim_rejected"),
    e.DisputeOpened: _about,
    e.DisputeDecided: _decided,
    e.BreachRecorded: _about,
    e.BreachActed: lambda x: _of(x, case_act=x.act),
    e.DetentionEnded: lambda x: _of(
        x,
        ended=phrase("taken_over", person=x.taken_over_by) if x.taken_over_by else phrase("let_go", reason=x.reason),
    ),
    e.WagersVoided: lambda x: _of(x, on_layout=_layout(x.wagers)),
    e.PatronExcluded: lambda x: _of(x) if x.station else phrase("patron_of_case_excluded", by=x.by, case=x.case),
    e.SeizedReleased: lambda x: either(_of(x), x.forfeit, "seized_forfeited"),
    e.ComplaintMade: _about,
    e.ComplaintAnswered: lambda x: _of(x, text=x.told),
    e.StationFaulted: lambda x: either(_of(x), x.before_close, "station_faulted_before"),
    e.SystemFailed: lambda x: either(_of(x), x.before_close, "system_failed_before"),
    e.SystemRestarted: lambda x: either(_of(x), x.awaits_confirmation, "restarted_to_confirm"),
    e.ClockJumped: lambda x: _of(
        x,
        direction=phrase("clock_forward" if x.by_ms > 0 else "clock_back"),
        seconds=f"{abs(x.by_ms) / 1000:.1f}",
    ),
    e.BroughtBack: lambda x: _of(x, wanted=_wanted(x.wanted)),
    e.WagersSeen: lambda x: _of(
        x,
        on_layout=_layout(x.wagers),
        how=phrase("as_accepted" if x.accepted else "as_pending"),
        disagrees=part(not x.agrees, "not_on_record"),
    ),
    e.WagersReversed: lambda x: _of(x, adjusted=_adjusted(x.adjustments)),
    e.OutcomeCorrected: lambda x: _of(x, old_cards=_cards(x.was), new_cards=_cards(x.cards)),
    e.CoupRecalculated: lambda x: _of(x, adjusted=_adjusted(x.adjustments)),
    e.CoupInvalidated: lambda x: _of(x, adjusted=_adjusted(x.adjustments)),
    e.OwedCollected: lambda x: either(_of(x), x.from_held, "owed_from_held"),
    e.BuyInCorrected: lambda x: _of(x, tendered=_tendered(x), adjusted=_adjusted({x.station: x.adjustment})),
    e.WaitingBuyInCorrected: lambda x: _of(x, tendered=_tendered(x)),
    e.FactStated: lambda x: _of(
        x, kind=x.kind.replace("_", " "), with_cards=part(x.cards, "with_cards", cards=_cards(x.cards))
    ),
    e.FactWithdrawn: lambda x: _of(x, kind=x.kind.replace("_", " ")),
    e.ResolutionTakenBack: lambda x: _of(x, kind=x.kind.replace("_", " ")),
    e.ShoeRecounted: lambda x: _of(x, was_count=x.was),
    e.CardsCarried: lambda x: _of(
        x,
        carried=listed(
            (phrase("card_named", card=card) if card else phrase("unseen_card_waits") for card in x.cards), "spaced"
        ),
    ),
    e.CoupReconstructed: lambda x: _of(x, new_cards=_cards(x.cards)),
    e.DummyCoupDeclared: lambda x: _of(x, cause=x.cause.replace("_", " "), refunds=_refunds(x.refunds)),
    e.FaceUpChanged: lambda x: either(_of(x), x.face_up, "face_up"),
    e.CardAmended: _read_again,
    e.CardTakenBack: _read_again,
    e.WagersSettled: _settled,
    **SESSIONS,
}
