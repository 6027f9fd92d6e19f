"""A PAR sheet as comma-separated values: the same tables, one below the other, each under its title."""

import csv
import io

from sabot.odds.par.sheet import Sheet


def csv_file(sheet: Sheet) -> bytes:
    written = io.StringIO(newline="")
    write = csv.writer(written).writerow
    write([sheet.title])
    for fact in sheet.facts:
        write(fact)
    for section in sheet.sections:
        write([])
        write([section.title])
        write([section.words])
        write([heading.removesuffix("|") for heading in section.headings])
        for row in section.rows:
            write(row)
    return written.getvalue().encode()
