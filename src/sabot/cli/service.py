"""`sabot service`: accounts for programs of others, made and revoked on the machine of a running floor."""

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from cyclopts.validators import Number as NumberBounds

from sabot.cli.arguments import Json, Number
from sabot.cli.help_text import paragraphs

service = App(
    name="service",
    help_epilogue=paragraphs("""A monitor, a loyalty system or a kiosk has an account of its own, with scopes, an end
    and a rate. Give these commands on the machine of the floor's process and as its user, while it runs:

        sabot service make sabot.toml loyalty --scope outbox --purpose "loyalty"

    docs/identities.md says what each scope allows."""),
)


@service.command
def make(
    floor: Path,
    name: str,
    /,
    *,
    scope: Annotated[list[str], Parameter(negative=())],
    purpose: str,
    days: Annotated[Number, Parameter(validator=NumberBounds(gte=1, lte=3650))] = 365,
    a_minute: Annotated[Number, Parameter(validator=NumberBounds(gte=1, lte=100_000))] = 600,
    json: Json = False,
) -> int:
    """Make a service account and print its token, which is shown this once.

        sabot service make sabot.toml loyalty --scope outbox --purpose "loyalty"

    Parameters
    ----------
    floor
        The floor's file of the process that runs here.
    name
        The account's name, which is no person's and is never used again.
    scope
        meters, outbox, patron_cards or cage; give it again for more than one.
    purpose
        What it is for, and whose it is, for the record.
    days
        For how long it is good.
    a_minute
        How many requests it may make in a minute.
    json
        Print it as JSON.
    """
    from sabot.cli.service_orders import make_account

    return make_account(floor, name, scope, purpose, (days, a_minute), json=json)


@service.command
def revoke(floor: Path, name: str, /, *, reason: str) -> int:
    """Revoke a service account at once, at every process of the floor.

        sabot service revoke sabot.toml loyalty --reason "replaced"

    Parameters
    ----------
    floor
        The floor's file of the process that runs here.
    name
        The account's name.
    reason
        Why, for the record.
    """
    from sabot.cli.service_orders import revoke_account

    return revoke_account(floor, name, reason)


@service.command(name="list")
def list_accounts(floor: Path, /, *, json: Json = False) -> int:
    """List the service accounts: scopes, end, last use, whether revoked.

        sabot service list sabot.toml

    Parameters
    ----------
    floor
        The floor's file of the process that runs here.
    json
        Print the list as JSON.
    """
    from sabot.cli.service_orders import show_accounts

    return show_accounts(floor, json=json)
