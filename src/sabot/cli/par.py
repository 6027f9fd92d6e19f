"""`sabot par`: writes a PAR sheet."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Json, Number, RuleSetArgument, read_rule_set_argument
from sabot.cli.terminal import print_json

if TYPE_CHECKING:
    from sabot.odds.results import ParSheet

FORMS = (".html", ".pdf", ".csv")


def par(
    rule_set: RuleSetArgument,
    /,
    *,
    output: Annotated[str | None, Parameter(name=("--output", "-o"))] = None,
    decks: Number | None = None,
    dated: str | None = None,
    json: Json = False,
) -> int:
    """Write a PAR sheet: pay table with clauses, exact probabilities, edges by decks, volatility, plots.

        sabot par crown-baccarat -o crown-baccarat.pdf

        sabot par my-casino.toml --decks 6 --dated 2026-08-01 -o sheet.html

        sabot par mbs-baccarat --json

    The same rule set, decks and date give the same file, byte for byte, from the same program.

    Parameters
    ----------
    output
        The file to write; its suffix, .html, .pdf or .csv, chooses the format.
    decks
        The number of decks to give in detail; 8, or the most that the set permits, unless given.
    dated
        A date to print on the sheet; none is printed unless given.
    json
        Print the stable JSON form of the sheet: title, facts, and its sections with words, headings and rows.
    """
    rules = read_rule_set_argument(rule_set)
    if output is None and not json:
        raise Mistake("name the file to write, such as -o sheet.pdf, or print the figures with --json")
    if output is not None and Path(output).suffix not in FORMS:
        raise Mistake(f"{output} ends in none of {', '.join(FORMS)}, which say what to write")
    chosen = min(8, rules.decks.maximum) if decks is None else decks
    rules.check_decks(chosen)
    # The engine is slow to load.
    from sabot.odds.api import par_sheet
    from sabot.odds.par.sheet import json_form

    sheet = par_sheet(rules, decks=chosen, dated=dated)
    if output is not None:
        _write(Path(output), sheet)
    if json:
        print_json(json_form(sheet.sheet))
    return 0


def _write(file: Path, sheet: "ParSheet") -> None:
    written = {".html": sheet.html, ".pdf": sheet.pdf, ".csv": sheet.csv}[file.suffix]()
    try:
        file.write_bytes(written)
    except OSError as error:
        raise Mistake(f"{file} cannot be written: {error.strerror}") from None
