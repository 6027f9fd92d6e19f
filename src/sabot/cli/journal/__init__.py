"""`sabot journal`: the commands on a journal, one file per kind of command."""

from cyclopts import App

from sabot.cli.help_text import late_commands, paragraphs

journal = App(
    name="journal",
    help_epilogue=paragraphs("""A journal is a file, or a PostgreSQL database:

        sabot table --journal night.journal < night.txt

        sabot journal verify night.journal

        sabot journal show night.journal --coup 3

        sabot journal replay night.journal --until 120

        sabot journal backup postgresql://floor@db/sabot copy.journal

    Journals are only read, except for the targets of copies and by rebuild and rotate, which change no record; a table
    may play meanwhile."""),
)
late_commands(
    journal,
    {
        "verify": ("sabot.cli.journal.verify:verify", "Prove a journal, or name its first bad record and say why."),
        "show": ("sabot.cli.journal.excerpts:show", "Print records as sentences with clauses and postings."),
        "events": ("sabot.cli.journal.events:events", "List significant events by code, or those of a journal."),
        "export": ("sabot.cli.journal.excerpts:export", "Print records for other programs, as JSON lines or CSV."),
        "stats": ("sabot.cli.journal.excerpts:stats", "Count what a table did."),
        "report": ("sabot.cli.journal.report:report", "Report what a table did in a period."),
        "volume": ("sabot.cli.journal.volume:volume", "Show where the bytes of a journal go."),
        "replay": ("sabot.cli.journal.replay:replay", "Show the state of a table after any record."),
        "backup": ("sabot.cli.journal.copies:backup", "Copy a journal into a new file and prove the copy."),
        "restore": ("sabot.cli.journal.copies:restore", "Copy a backup into a new journal and prove the copy."),
        "migrate": ("sabot.cli.journal.copies:migrate", "Copy a journal from a file to a server, or back."),
        "prepare": ("sabot.cli.journal.copies:prepare", "Create or upgrade the tables of a PostgreSQL journal."),
        "rotate": ("sabot.cli.journal.rotate:rotate", "Seal the open part of a journal and go on in a new one."),
        "unload": ("sabot.cli.journal.unload:unload", "Write the oldest sealed part of a database into a file."),
        "rebuild": ("sabot.cli.journal.rebuild:rebuild", "Add up the sums again from which reports are made."),
    },
)
