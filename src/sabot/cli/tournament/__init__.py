"""`sabot tournament`: the commands on tournaments, one file per command."""

from cyclopts import App

from sabot.cli.help_text import late_commands, paragraphs
from sabot.cli.tournament.batch import batch

tournament = App(
    name="tournament",
    help_epilogue=paragraphs("""Conditions are a file; autumn, spring and night come with Sabot:

        sabot tournament check spring

        sabot tournament check own.toml --json

        sabot tournament print own.toml --language zh --pdf own.pdf

        sabot tournament simulate own.toml --players 40 --runs 20

    A journal that has tournaments is shown and proved:

        sabot tournament show floor.journal SPRING

        sabot tournament verify floor.journal SPRING"""),
)
late_commands(
    tournament,
    {
        "check": ("sabot.cli.tournament.check:check", "Check the conditions of a tournament (CROWN 12.2.1)."),
        "print": (
            "sabot.cli.tournament.print_conditions:print_conditions",
            "Print conditions for approval and signature.",
        ),
        "simulate": ("sabot.cli.tournament.simulate:simulate", "Play a tournament with robots, as fast as it goes."),
        "show": ("sabot.cli.tournament.show:show", "Show where everybody stands, from the records alone."),
        "verify": ("sabot.cli.tournament.verify:verify", "Prove a tournament, or name the first bad record."),
        "draw": ("sabot.cli.tournament.draw:draw", "Show a seat draw and compute it again."),
    },
)
tournament.default(batch)
