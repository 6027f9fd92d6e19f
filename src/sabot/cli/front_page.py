"""The first page of help: what the program is, and its commands.

It is what a person asks for first and most often, so it is printed without loading what reads a command's words.
"""

from typing import Final

INTRODUCTION: Final = """An electronic table game system for baccarat.

Start with `sabot demo`, then `sabot rules` and `sabot coup --help`. Every command explains itself with --help.
Cards are written rank then suit, AS TD 9H KC, with T for ten."""
COMMANDS: Final = {
    "demo": "Serve a table with robots and a place for you, or play a shoe in the terminal.",
    "serve": "Serve a floor: tables, stations, consoles and displays.",
    "device": "Run the driver of a note acceptor, a printer, a shoe or a card reader.",
    "table": "Play a table by hand or from a script.",
    "why": "Explain why a station was paid what it was paid.",
    "journal": "Verify, show, replay, export and copy what was recorded.",
    "tournament": "Check and print the conditions of a tournament.",
    "school": "Train dealers: lessons in which things go wrong, graded by the rule book.",
    "integrity": "Hold what was recorded against an honest table: returns, shoes, conduct.",
    "fair": "Check virtual shoes against their commitments.",
    "staff": "Set the PINs that staff sign on with.",
    "service": "Make and revoke accounts for programs of others.",
    "deploy": "Copy out the files for running a floor: unit, container, alerts.",
    "keys": "Make, rotate and show the keys that sign a journal.",
    "rules": "Show the rule sets, or one of them in full.",
    "coup": "Explain a coup card by card and settle wagers on it.",
    "compare": "Settle the same coup under all rule sets, side by side.",
    "odds": "Work out the exact odds of the next coup, from any shoe.",
    "par": "Write a PAR sheet of a rule set: HTML, PDF or CSV.",
    "dossier": "Write a laboratory's dossier: proofs, figures, vectors, hashes.",
    "roads": "Lay bead plate, Big Road, derived roads and ask cells.",
    "simulate": "Deal whole shoes by the million and compare with the exact odds.",
    "edges": "Show how the exact house edges vary over simulated shoes.",
    "shoe": "Deal and print one shoe with the exact odds before each coup.",
    "trace": "Show each clause of the rule books and what proves it.",
    "drill": "Break rules on purpose and check that the rulebook detects it.",
    "simulate-floor": "Run a table's owner in simulated worlds full of faults.",
    "soak": "Run a floor with robots and faults for hours, and see that nothing is lost or grows.",
    "bench": "Measure, each figure beside a baseline of the same run.",
    "docs": "Show the documents as a site: tutorial, handbooks, guides, reference.",
    "completion": "Let the shell complete commands with the Tab key.",
    "manual": "Print the manual page, for man.",
}
FLAGS: Final = {
    "--help (-h)": "Display this message and exit.",
    "--version": "Display application version.",
    "--version --digest": "Display the digest of what decides or pays, and what it covers; also --json.",
}


def print_front_page() -> int:
    from rich.console import Console, Group
    from rich.panel import Panel
    from rich.table import Table

    from sabot.cli.help_text import flowing, paragraphs

    listed = Table.grid(padding=(0, 2, 0, 0))
    listed.add_column(style="cyan", no_wrap=True)
    listed.add_column(overflow="fold")
    for name, summary in (*sorted(COMMANDS.items()), *FLAGS.items()):
        listed.add_row(name, summary)
    box = Panel(listed, title="Commands", title_align="left")
    out = Console(highlight=False, markup=False, emoji=False)
    out.print(Group("Usage: sabot COMMAND\n", flowing(paragraphs(INTRODUCTION)), "", box))
    return 0
