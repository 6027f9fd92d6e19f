"""`sabot tournament`: the commands on tournaments, one file per command."""

from cyclopts import App

from sabot.cli.tournament.batch import batch
from sabot.cli.tournament.check import check
from sabot.cli.tournament.print_conditions import print_conditions

tournament = App(
    name="tournament",
    help_epilogue="""Conditions are a file; autumn, spring and night come with Sabot:

        sabot tournament check spring

        sabot tournament check own.toml --json

        sabot tournament print own.toml --language zh --pdf own.pdf""",
)
tournament.command(check)
tournament.command(print_conditions, name="print")
tournament.default(batch)
