"""Asks a running floor for `sabot service`, and prints what it says."""

from datetime import UTC, datetime
from pathlib import Path

import msgspec

from sabot.basics.mistake import Mistake
from sabot.cli.floor_process import answers
from sabot.cli.terminal import console, print_json
from sabot.cli.terminal import table as columns
from sabot.house.state import ServiceScope
from sabot.web.serving.control import ControlAnswer, ControlOrder
from sabot.web.serving.service_orders import ServiceOrder


def make_account(floor: Path, name: str, scopes: list[str], purpose: str, rest: tuple[int, int], *, json: bool) -> int:
    days, a_minute = rest
    known = [one.value for one in ServiceScope]
    for one in scopes:
        if one not in known:
            raise Mistake(f"there is no scope {one!r}; the scopes are {', '.join(known)}")
    wanted = {"service": name, "scopes": scopes, "purpose": purpose, "days": days, "a_minute": a_minute}
    made = _answer(floor, ServiceOrder("make", make=msgspec.Raw(msgspec.json.encode(wanted))))
    if json:
        print_json({"service": name, "token": made.token, "expires_ms": made.expires_ms})
        return 0
    out = console()
    out.print(f"{name} is good until {_date(made.expires_ms)}; its token is shown this once:")
    out.print(made.token, soft_wrap=True)
    return 0


def revoke_account(floor: Path, name: str, reason: str) -> int:
    _answer(floor, ServiceOrder("revoke", service=name, reason=reason))
    console().print(f"{name} is revoked")
    return 0


def show_accounts(floor: Path, *, json: bool) -> int:
    accounts = _answer(floor, ServiceOrder("list")).services
    if json:
        print_json(accounts)
        return 0
    shown = columns("account", "scopes", "good until", "last used", "a minute|", "purpose")
    for one in accounts:
        until = "revoked" if one.revoked else _date(one.expires_ms)
        used = _date(one.used_ms) if one.used_ms else "never"
        shown.add_row(one.service, " ".join(one.scopes), until, used, str(one.a_minute), one.purpose)
    console().print(shown if accounts else "there are no service accounts")
    return 0


def _answer(floor: Path, order: ServiceOrder) -> ControlAnswer:
    for answer in answers(floor, ControlOrder(service=order)):
        if answer.done:
            return answer
    raise Mistake("the process ended before it answered")


def _date(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
