"""Every movement of a station's account, with its reason, for `sabot why`."""

import json as stdlib_json
import sys

import msgspec

from sabot.basics.mistake import Mistake
from sabot.basics.money import write_amount
from sabot.cli.table_talk import configuration_of
from sabot.cli.terminal import console, net_text, print_json, table
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.floor.lines.words import read_line
from sabot.floor.sentences import told
from sabot.ledger.account import Account, AccountKind
from sabot.ledger.posting import Posting
from sabot.table.events import Event, WagersSettled
from sabot.table.money import postings


class Reason(msgspec.Struct, frozen=True):
    """One movement of a station's money: the line that caused it, its event, and its clause."""

    n: int
    by: str
    at_ms: int
    coup: int
    event: str
    because: str
    debit: str
    credit: str
    cents: int
    """The effect on the chip account: credits above zero, debits below."""
    clause: str
    balance_cents: int
    """The chip account afterwards."""


def explain_account(station: str, coup: int | None, config: str, rule_set: str | None, *, json: bool) -> int:
    played = LineFloor().enter(configuration_of(config, rule_set))
    if station not in played.state.stations:
        raise Mistake(f"there is no station {station!r}; there are {', '.join(played.state.stations)}")
    _play(played)
    reasons = [one for one in _reasons(played, station) if coup is None or one.coup == coup]
    if json:
        print_json(reasons)
        return 0
    shown = table("line|", "who", "coup|", "from", "to", "account|", "balance|", "because", "clause")
    for one in reasons:
        shown.add_row(
            *(str(one.n), one.by, str(one.coup or ""), one.debit, one.credit, net_text(one.cents)),
            *(write_amount(one.balance_cents), one.because, one.clause),
        )
    console().print(shown)
    return 0


def _play(played: LineTable) -> None:
    """Play the script, in shorthand or as JSON lines. A line that is no command stops it; a refused one does not."""
    for number, line in enumerate(sys.stdin, 1):
        text = line.split("#", 1)[0].strip() if not line.startswith("{") else line
        if text:
            try:
                said = stdlib_json.loads(text) if text.startswith("{") else read_line(text, played.now_ms)
            except (ValueError, Mistake) as problem:
                raise Mistake(f"line {number}: {problem}") from None
            played.answer(said)


def _reasons(played: LineTable, station: str) -> list[Reason]:
    reasons = []
    balance = 0
    coup = 0
    for record in played.records:
        for event in record.events:
            coup = getattr(event, "coup", coup) or coup
            for one in postings(event):
                if station not in (one.debit.station, one.credit.station):
                    continue
                cents = _effect(one, station)
                balance += cents
                reasons.append(
                    Reason(
                        n=record.n,
                        by=record.stamp.by,
                        at_ms=record.at_ms,
                        coup=coup,
                        event=type(event).__name__,
                        because=_told(event, station, one),
                        debit=str(one.debit),
                        credit=str(one.credit),
                        cents=cents,
                        clause=one.clause,
                        balance_cents=balance,
                    )
                )
    return reasons


def _effect(one: Posting, station: str) -> int:
    """The effect of a posting on the chip account itself."""

    def is_the_account(account: Account) -> bool:
        return account.kind is AccountKind.STATION and account.station == station

    return one.cents * (is_the_account(one.credit) - is_the_account(one.debit))


def _told(event: Event, station: str, one: Posting) -> str:
    """The part of a settlement that belongs to this posting; for other events, the whole sentence."""
    if not isinstance(event, WagersSettled):
        return told(event)
    bet = one.debit.part or one.credit.part
    for settled in event.settlements.get(station, []):
        if settled.clause == one.clause and bet in ("", settled.bet):
            return f"{settled.bet} {write_amount(settled.stake_cents)}: {settled.outcome}"
    return told(event)
