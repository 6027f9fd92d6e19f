"""`sabot table`: a table played by hand or from a script."""

from sabot.cli.arguments import Flag
from sabot.cli.recording import UNRECORDED, Recording


def table(
    *,
    config: str = "crown",
    rule_set: str | None = None,
    recording: Recording = UNRECORDED,
    json: Flag = False,
    schema: Flag = False,
) -> int:
    """Play a table by hand or from a script on standard input.

        sabot table

        sabot table --config singapore --rule-set rws-non-commission < night.txt

        sabot table --json < night.jsonl

    By hand, a line says who does what: `D1 sign_on`, `D1 buy_in A1 200`, `A1 set_wager banker 25`, `D1 card 9S`.
    Amounts are currency units; `@29.999` before a line sets the time in seconds and `+30` lets it pass. Each event is
    told as a sentence with its clause; type help for the verbs.

    With --json each line is {"do":VERB,"by":WHO,"at_ms":TIME,...} and gets one answer line. docs/table.md has every
    verb with its fields.

    With --journal everything is recorded before it is answered, and a table that the journal knows goes on exactly
    where it was. It is signed with night.journal.key, which is made, and anchored beside it unless told otherwise:

        sabot table --journal night.journal

        sabot table --journal night.journal --key a.key --anchor /other/night.anchor

    Parameters
    ----------
    config
        crown or singapore, the configurations that come with Sabot, or the path of a .toml or .json file.
    rule_set
        Play the configuration under this rule set, by id or file, instead of its own.
    json
        One JSON line in, one out.
    schema
        Print the JSON Schema of the events and stop.
    """
    from sabot.cli.table_talk import configuration_of, print_schema, talk

    if schema:
        return print_schema()
    return talk(configuration_of(config, rule_set), recording.place(), json=json)
