"""`sabot why`: explains every movement of a station's account."""

from sabot.cli.arguments import Json, Number


def why(
    station: str,
    /,
    *,
    coup: Number | None = None,
    config: str = "crown",
    rule_set: str | None = None,
    json: Json = False,
) -> int:
    """Explain why a station was paid what it was paid, from a script of `sabot table` on standard input.

        sabot why A1 < night.txt

        sabot why A1 --coup 3 --json < night.jsonl

    Every posting on the station's account, its wagers and its held money is shown with its event, its actor, its
    clause, and the resulting balance.

    Parameters
    ----------
    station
        The station to explain.
    coup
        Only postings of this coup.
    config
        The configuration that the script was played with.
    rule_set
        The rule set that the script was played with, if not the configuration's own.
    """
    from sabot.cli.account_reasons import explain_account

    return explain_account(station, coup, config, rule_set, json=json)
