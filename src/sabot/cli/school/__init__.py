"""`sabot school`: the dealer school, one file per command."""

from cyclopts import App

from sabot.cli.help_text import late_commands, paragraphs

school = App(
    name="school",
    help_epilogue=paragraphs("""A trainee deals a shoe while things go wrong, and is graded by the rule book:

        sabot school list

        sabot school try plain-coup

        sabot school serve --trainees 20

    A lesson is a file; write your own, and have it rehearsed:

        sabot school check own.toml

        sabot school try own.toml

    Reports are kept with the records of a class:

        sabot school serve --keep class

        sabot school report class --html reports.html"""),
)
late_commands(
    school,
    {
        "list": ("sabot.cli.school.listing:listing", "List the lessons that come with Sabot."),
        "try": ("sabot.cli.school.trying:trying", "Deal a lesson at the terminal, line by line."),
        "check": ("sabot.cli.school.checking:checking", "Check a lesson of your own, and rehearse it."),
        "serve": ("sabot.cli.school.serving:serving", "Serve a class: a table, a console and a link for each."),
        "report": ("sabot.cli.school.reporting:reporting", "Print the reports of a class from its records."),
    },
)
