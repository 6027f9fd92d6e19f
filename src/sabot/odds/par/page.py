"""A PAR sheet as one self-contained HTML file."""

from html import escape
from typing import Final

from sabot.odds.par.drawing import svg
from sabot.odds.par.sheet import Section, Sheet

_STYLE: Final = """
body { font: 10pt/1.4 system-ui, "DejaVu Sans", sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem;
  color: #1a1a1a; }
h1 { font-size: 1.6rem; margin: 0 0 1rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .3rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.5rem; margin: 0; }
dt { color: #666; } dd { margin: 0; overflow-wrap: anywhere; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: 8.5pt; width: 100%; }
th { text-align: left; border-bottom: 1.5px solid #444; vertical-align: bottom; overflow-wrap: anywhere; }
td { border-bottom: 1px solid #ddd; } th, td { padding: .2rem .5rem .2rem 0; }
.figures { text-align: right; font-variant-numeric: tabular-nums; }
td.figures { white-space: nowrap; } svg { width: 100%; height: auto; margin-top: .8rem; }
@media print { body { margin: 0; max-width: none; } section { break-inside: avoid; } table { font-size: 7pt; }
  @page { size: A4 landscape; margin: 12mm; } }
"""


def html_page(sheet: Sheet, contents: str = "") -> bytes:
    """`contents` is HTML that comes before the sections."""
    facts = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in sheet.facts)
    sections = "\n".join(_section(section) for section in sheet.sections)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(sheet.title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>\n'
        f"<body><h1>{escape(sheet.title)}</h1><dl>{facts}</dl>\n{contents}{sections}\n</body></html>\n"
    ).encode()


def _section(section: Section) -> str:
    classes = [' class="figures"' if heading.endswith("|") else "" for heading in section.headings]
    headings = "".join(
        f"<th{kind}>{escape(heading.removesuffix('|'))}</th>"
        for kind, heading in zip(classes, section.headings, strict=True)
    )
    rows = "\n".join(
        "<tr>" + "".join(f"<td{kind}>{escape(cell)}</td>" for kind, cell in zip(classes, row, strict=True)) + "</tr>"
        for row in section.rows
    )
    chart = "" if section.chart is None else svg(section.chart)
    return (
        f"<section><h2>{escape(section.title)}</h2><p>{escape(section.words)}</p>"
        f'<div class="wide"><table><thead><tr>{headings}</tr></thead>\n<tbody>{rows}</tbody></table></div>'
        f"{chart}</section>"
    )
