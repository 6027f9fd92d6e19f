"""A PAR sheet as a PDF document on A4 landscape. The same sheet always gives the same bytes."""

import io
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape

from sabot.basics.missing_extra import MissingExtra
from sabot.odds.par.chart import Chart
from sabot.odds.par.drawing import png
from sabot.odds.par.sheet import Section, Sheet

try:
    import matplotlib as mpl
    from reportlab.lib import colors
    from reportlab.lib.pagesizes import A4, landscape
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.lib.units import mm
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.pdfgen.canvas import Canvas
    from reportlab.platypus import (
        Flowable,
        Image,
        KeepTogether,
        Paragraph,
        Preformatted,
        SimpleDocTemplate,
        Spacer,
        Table,
        TableStyle,
    )
except ModuleNotFoundError as missing:
    raise MissingExtra("PDF documents", "paper", missing) from None

_MARGIN: Final = 14 * mm
_PADDING: Final = 12
"""The padding of ReportLab's frame, both sides together."""

_WIDTH: Final = landscape(A4)[0] - 2 * _MARGIN - _PADDING
_HEIGHT: Final = landscape(A4)[1] - 2 * _MARGIN - _PADDING

_MOST_LETTERS: Final = 230
"""Of a line in an appendix; a longer one is broken."""

_PLAIN, _BOLD = "SabotSans", "SabotSans-Bold"


def pdf_document(sheet: Sheet, appendix: Iterable[tuple[str, str]] = ()) -> bytes:
    """The sheet, and behind it texts with a title each, line by line as they are."""
    _take_up_fonts()
    written = io.BytesIO()
    document = SimpleDocTemplate(
        written,
        pagesize=landscape(A4),
        leftMargin=_MARGIN,
        rightMargin=_MARGIN,
        topMargin=_MARGIN,
        bottomMargin=_MARGIN,
        title=sheet.title,
        author="Sabot",
        invariant=1,
    )
    story: list[Flowable] = [
        Paragraph(escape(sheet.title), _style(16, bold=True)),
        Spacer(0, 4 * mm),
        _facts(sheet),
    ]
    for section in sheet.sections:
        story += [Spacer(0, 5 * mm), *_section(section)]
    for title, text in appendix:
        story += [
            Paragraph(escape(title), _style(8, bold=True)),
            Preformatted(text, _style(6), maxLineLength=_MOST_LETTERS),
        ]
    foot = partial(_foot, sheet.title)
    document.build(story, onFirstPage=foot, onLaterPages=foot)
    return written.getvalue()


def _take_up_fonts() -> None:
    """Register the font that comes with Matplotlib, which covers Latin, Greek and Cyrillic letters."""
    folder = Path(mpl.get_data_path()) / "fonts" / "ttf"
    for name, file in ((_PLAIN, "DejaVuSans.ttf"), (_BOLD, "DejaVuSans-Bold.ttf")):
        if name not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(TTFont(name, str(folder / file)))


def _style(size: float, *, bold: bool = False, right: bool = False) -> ParagraphStyle:
    return ParagraphStyle(
        "", fontName=_BOLD if bold else _PLAIN, fontSize=size, leading=size * 1.3, alignment=2 if right else 0
    )


def _facts(sheet: Sheet) -> Table:
    rows = [[Paragraph(escape(text), _style(8)) for text in fact] for fact in sheet.facts]
    return Table(rows, colWidths=[28 * mm, _WIDTH - 28 * mm], style=TableStyle([("VALIGN", (0, 0), (-1, -1), "TOP")]))


def _section(section: Section) -> list[Flowable]:
    head = [
        Paragraph(escape(section.title), _style(11, bold=True)),
        Spacer(0, 1 * mm),
        Paragraph(escape(section.words), _style(7.5)),
        Spacer(0, 2 * mm),
    ]
    parts: list[Flowable] = [KeepTogether([*head, _table(section)])]
    if section.chart is not None:
        parts += [Spacer(0, 3 * mm), _image(section.chart)]
    return parts


def _table(section: Section) -> Table:
    size = 7 if len(section.headings) < 9 else 6
    flush_right = [heading.endswith("|") for heading in section.headings]
    headings = [
        Paragraph(escape(heading.removesuffix("|").replace("_", " ")), _style(size, bold=True, right=right))
        for heading, right in zip(section.headings, flush_right, strict=True)
    ]
    rows = [
        [
            Paragraph(escape(cell), _style(size, right=right)) if not right else cell
            for cell, right in zip(row, flush_right, strict=True)
        ]
        for row in section.rows
    ]
    look: list[tuple[Any, ...]] = [
        ("FONT", (0, 1), (-1, -1), _PLAIN, size),
        ("LEADING", (0, 1), (-1, -1), size * 1.3),
        ("VALIGN", (0, 0), (-1, 0), "BOTTOM"),
        ("VALIGN", (0, 1), (-1, -1), "TOP"),
        ("LINEBELOW", (0, 0), (-1, 0), 0.8, colors.HexColor("#444444")),
        ("LINEBELOW", (0, 1), (-1, -1), 0.25, colors.HexColor("#cccccc")),
        ("TOPPADDING", (0, 0), (-1, -1), 1.2),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 1.8),
        ("LEFTPADDING", (0, 0), (-1, -1), 2),
        ("RIGHTPADDING", (0, 0), (-1, -1), 2),
        *(("ALIGN", (column, 0), (column, -1), "RIGHT") for column, right in enumerate(flush_right) if right),
    ]
    return Table([headings, *rows], colWidths=_widths(section, size), repeatRows=1, style=TableStyle(look))


def _widths(section: Section, size: float) -> list[float]:
    """Each column is as wide as its longest cell; spare width is shared out, and a shortage scales all columns."""
    wanted = []
    for column, heading in enumerate(section.headings):
        cells = [pdfmetrics.stringWidth(row[column], _PLAIN, size) for row in section.rows]
        words = [pdfmetrics.stringWidth(word, _BOLD, size) for word in heading.strip("|").replace("_", " ").split()]
        wanted.append(max([*cells, *words]) + 6)
    spare = _WIDTH - sum(wanted)
    if spare < 0:
        return [width * _WIDTH / sum(wanted) for width in wanted]
    return [width + spare / len(wanted) for width in wanted]


def _image(chart: Chart) -> Image:
    image = Image(io.BytesIO(png(chart)))
    scale = min(_WIDTH / image.drawWidth, _HEIGHT / image.drawHeight)
    image.drawWidth, image.drawHeight = image.drawWidth * scale, image.drawHeight * scale
    return image


def _foot(title: str, canvas: Canvas, document: SimpleDocTemplate) -> None:
    canvas.setFont(_PLAIN, 6.5)
    canvas.drawString(_MARGIN + _PADDING / 2, 8 * mm, title)
    canvas.drawRightString(_MARGIN + _PADDING / 2 + _WIDTH, 8 * mm, f"page {document.page}")
