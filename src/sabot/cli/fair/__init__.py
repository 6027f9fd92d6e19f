"""`sabot fair`: checks virtual shoes against their commitments."""

from cyclopts import App

from sabot.cli.help_text import late_commands, paragraphs

fair = App(
    name="fair",
    help_epilogue=paragraphs("""A virtual shoe publishes a commitment before the first wager, and at its end
    its order:

        sabot fair verify night.journal

        sabot fair show night.journal --shoe 1 > shoe-1.json

        sabot fair verify shoe-1.json

    What is checked, and how to check it with a program of your own, is in docs/fairness.md."""),
)
late_commands(
    fair,
    {
        "verify": ("sabot.cli.fair.shoes:verify", "Check every virtual shoe of a journal, or the one in a file."),
        "show": ("sabot.cli.fair.shoes:show", "Print the whole record of one virtual shoe as JSON."),
    },
)
