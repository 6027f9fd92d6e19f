"""`sabot tournament`: the commands on tournaments, one file per command."""

from cyclopts import App

from sabot.cli.tournament.batch import batch
from sabot.cli.tournament.check import check
from sabot.cli.tournament.draw import draw
from sabot.cli.tournament.print_conditions import print_conditions
from sabot.cli.tournament.show import show
from sabot.cli.tournament.simulate import simulate
from sabot.cli.tournament.verify import verify

tournament = App(
    name="tournament",
    help_epilogue="""Conditions are a file; autumn, spring and night come with Sabot:

        sabot tournament check spring

        sabot tournament check own.toml --json

        sabot tournament print own.toml --language zh --pdf own.pdf

        sabot tournament simulate own.toml --players 40 --runs 20

    A journal that has tournaments is shown and proved:

        sabot tournament show floor.journal SPRING

        sabot tournament verify floor.journal SPRING""",
)
tournament.command(check)
tournament.command(print_conditions, name="print")
tournament.command(simulate)
tournament.command(show)
tournament.command(verify)
tournament.command(draw)
tournament.default(batch)
