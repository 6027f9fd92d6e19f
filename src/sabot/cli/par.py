"""`sabot par`: writes a PAR sheet."""

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Number, RuleSetArgument, read_rule_set_argument

FORMS = (".html", ".pdf", ".csv")


def par(
    rule_set: RuleSetArgument,
    /,
    *,
    output: Annotated[str, Parameter(name=("--output", "-o"))],
    decks: Number | None = None,
    dated: str | None = None,
) -> int:
    """Write a PAR sheet: pay table with clauses, exact probabilities, edges by decks, volatility, plots.

        sabot par crown-baccarat -o crown-baccarat.pdf

        sabot par my-casino.toml --decks 6 --dated 2026-08-01 -o sheet.html

    The same rule set, decks and date give the same file, byte for byte, from the same program.

    Parameters
    ----------
    output
        The file to write; its suffix, .html, .pdf or .csv, chooses the format.
    decks
        The number of decks to give in detail; 8, or the most that the set permits, unless given.
    dated
        A date to print on the sheet; none is printed unless given.
    """
    rules = read_rule_set_argument(rule_set)
    file = Path(output)
    if file.suffix not in FORMS:
        raise Mistake(f"{output} ends in none of {', '.join(FORMS)}, which say what to write")
    chosen = min(8, rules.decks.maximum) if decks is None else decks
    rules.check_decks(chosen)
    # The drawing libraries are slow to load, and no other command needs them.
    from sabot.odds.par.document import pdf_document
    from sabot.odds.par.page import html_page
    from sabot.odds.par.sheet import Sheet, par_sheet
    from sabot.odds.par.spreadsheet import csv_file

    sheet = par_sheet(rules, chosen, f"Sabot {version('sabot')}", dated)
    forms: dict[str, Callable[[Sheet], bytes]] = {".html": html_page, ".pdf": pdf_document, ".csv": csv_file}
    written = forms[file.suffix](sheet)
    try:
        file.write_bytes(written)
    except OSError as error:
        raise Mistake(f"{output} cannot be written: {error.strerror}") from None
    return 0
