"""Orders about service accounts from the machine itself, which has the operator's desk (G-233)."""

from typing import Literal

import msgspec

from sabot.basics.mistake import Mistake, told_of
from sabot.basics.stamp import operator_stamp
from sabot.house.acts import RevokeService
from sabot.house.refusal import HouseRefused
from sabot.web.http.refusal import Refusal
from sabot.web.identity.services import NewService, ServiceBody, Services


class ServiceOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    do: Literal["make", "revoke", "list"]
    make: msgspec.Raw = msgspec.Raw(b"{}")
    """The account that is wanted, as over HTTP."""
    service: str = ""
    reason: str = ""


async def make(services: Services, order: ServiceOrder, by: str) -> NewService:
    try:
        wanted = msgspec.json.decode(order.make, type=ServiceBody)
    except msgspec.ValidationError as error:
        raise Mistake(told_of(error, ServiceBody)) from None
    wanted = msgspec.structs.replace(wanted, purpose=f"{wanted.purpose} (at the machine by {by})")
    try:
        return await services.make(wanted, operator_stamp())
    except Refusal as no:
        raise Mistake(no.text) from None


async def revoke(services: Services, order: ServiceOrder, by: str) -> None:
    reason = f"{order.reason} (at the machine by {by})" if order.reason.strip() else ""
    decision = await services.desk.ask(RevokeService(service=order.service, reason=reason), operator_stamp())
    if isinstance(decision, HouseRefused):
        raise Mistake(decision.text)
