"""`sabot journal`: the commands on a journal, one file per kind of command."""

from cyclopts import App

from sabot.cli.journal.copies import backup, migrate, prepare, restore
from sabot.cli.journal.excerpts import export, show, stats
from sabot.cli.journal.rebuild import rebuild
from sabot.cli.journal.replay import replay
from sabot.cli.journal.report import report
from sabot.cli.journal.verify import verify

journal = App(
    name="journal",
    help_epilogue="""A journal is a file, or a PostgreSQL database:

        sabot table --journal night.journal < night.txt

        sabot journal verify night.journal

        sabot journal show night.journal --coup 3

        sabot journal replay night.journal --until 120

        sabot journal backup postgresql://floor@db/sabot copy.journal

    Journals are only read, except for the targets of copies and by rebuild, which changes no record; a table may play
    meanwhile.""",
)
for command in (verify, show, export, stats, report, replay, backup, restore, migrate, prepare, rebuild):
    journal.command(command)
