"""`sabot tournament print`: conditions as a document for approval and signature."""

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from sabot.basics.mistake import Mistake
from sabot.cli.tournament.conditions_argument import ConditionsArgument, read_conditions_argument
from sabot.tournament.conditions.document import conditions_document
from sabot.tournament.conditions.document.form import markdown
from sabot.tournament.conditions.file import read_conditions
from sabot.tournament.conditions.problem import ConditionsProblem, ConditionsRefused


def print_conditions(
    file: ConditionsArgument,
    /,
    *,
    language: Annotated[str, Parameter(help="en, zh or zh-Hant.")] = "en",
    pdf: str | None = None,
    font: str | None = None,
) -> int:
    """Print conditions as a document for the regulator's approval and for signature (CROWN 12.1.3, 12.2.4).

        sabot tournament print spring

        sabot tournament print own.toml --language zh --pdf own.pdf

    It states (a) to (k) of 12.2.1 letter by letter, with the digest that an approval names. Conditions with a problem
    are not printed. The same conditions give the same document, byte for byte, from the same program.

    Parameters
    ----------
    pdf
        A PDF file to write; without it the document goes to standard output as Markdown.
    font
        A TrueType font to embed in the PDF. Without it a Chinese document needs Chinese fonts where it is read.
    """
    name, raw = read_conditions_argument(file)
    if not isinstance(raw, dict):
        raise ConditionsRefused(name, [ConditionsProblem("the file", "CROWN 12.2.1", "is a table of keys")])
    document = conditions_document(read_conditions(raw, name), language)
    if pdf is None:
        if font is not None:
            raise Mistake("--font is for a PDF: give --pdf as well")
        sys.stdout.buffer.write(markdown(document).encode())
        return 0
    # ReportLab is slow to load, and Markdown needs none of it.
    from sabot.cli.tournament.document_pdf import document_pdf

    try:
        Path(pdf).write_bytes(document_pdf(document, Path(font) if font is not None else None))
    except OSError as error:
        raise Mistake(f"{pdf} cannot be written: {error.strerror}") from None
    return 0
