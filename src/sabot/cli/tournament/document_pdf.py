"""Printed conditions as a PDF document on A4. The same document always gives the same bytes.

Chinese is set in fonts that every PDF reader brings along (Adobe's for Simplified and Traditional Chinese), since no
Chinese font that ReportLab could embed comes with the program.
"""

import io
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple
from xml.sax.saxutils import escape

import matplotlib as mpl
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import CondPageBreak, Flowable, KeepTogether, Paragraph, SimpleDocTemplate, Spacer, Table

from sabot.tournament.conditions_document.form import ConditionsDocument, DocumentSection

_MARGIN: Final = 18 * mm
_PADDING: Final = 12
"""The padding of ReportLab's frame, both sides together."""
_WIDTH: Final = A4[0] - 2 * _MARGIN - _PADDING
_CHINESE: Final = {"zh": "STSong-Light", "zh-Hant": "MSung-Light"}
_PLAIN, _BOLD = "SabotSans", "SabotSans-Bold"


class _Type(NamedTuple):
    """The fonts of a language, and whether a line may break between any two letters."""

    plain: str
    bold: str
    breaks_anywhere: bool

    def style(self, size: float, *, bold: bool = False) -> ParagraphStyle:
        return ParagraphStyle(
            "",
            fontName=self.bold if bold else self.plain,
            fontSize=size,
            leading=size * 1.4,
            wordWrap="CJK" if self.breaks_anywhere else None,
        )

    def paragraph(self, text: str, size: float = 9, *, bold: bool = False) -> Paragraph:
        return Paragraph(escape(text), self.style(size, bold=bold))


def document_pdf(document: ConditionsDocument) -> bytes:
    type_ = _type_of(document.language)
    written = io.BytesIO()
    made = SimpleDocTemplate(
        written,
        pagesize=A4,
        leftMargin=_MARGIN,
        rightMargin=_MARGIN,
        topMargin=_MARGIN,
        bottomMargin=_MARGIN,
        title=document.title,
        author="Sabot",
        invariant=1,
    )
    story: list[Flowable] = [type_.paragraph(document.title, 16, bold=True), Spacer(0, 4 * mm), _facts(document, type_)]
    for section in document.sections:
        story += [Spacer(0, 5 * mm), CondPageBreak(30 * mm), *_section(section, type_)]
    story += _signatures(document, type_)
    foot = partial(_foot, document, type_)
    made.build(story, onFirstPage=foot, onLaterPages=foot)
    return written.getvalue()


def _type_of(language: str) -> _Type:
    known = pdfmetrics.getRegisteredFontNames()
    if name := _CHINESE.get(language):
        if name not in known:
            pdfmetrics.registerFont(UnicodeCIDFont(name))
        return _Type(name, name, breaks_anywhere=True)
    folder = Path(mpl.get_data_path()) / "fonts" / "ttf"
    for name, file in ((_PLAIN, "DejaVuSans.ttf"), (_BOLD, "DejaVuSans-Bold.ttf")):
        if name not in known:
            pdfmetrics.registerFont(TTFont(name, str(folder / file)))
    return _Type(_PLAIN, _BOLD, breaks_anywhere=False)


def _facts(document: ConditionsDocument, type_: _Type) -> Table:
    rows = [[type_.paragraph(text, 8) for text in fact] for fact in document.facts]
    return Table(rows, colWidths=[38 * mm, _WIDTH - 38 * mm], style=[("VALIGN", (0, 0), (-1, -1), "TOP")])


def _section(section: DocumentSection, type_: _Type) -> list[Flowable]:
    parts: list[Flowable] = [type_.paragraph(f"{section.title} ({section.clause})", 11, bold=True), Spacer(0, 1.5 * mm)]
    for line in section.lines:
        parts += [type_.paragraph(line), Spacer(0, 0.8 * mm)]
    return [*parts, Spacer(0, 1.5 * mm), _table(section.rows, type_)] if section.rows else parts


def _table(rows: tuple[tuple[str, ...], ...], type_: _Type) -> Table:
    """Columns share the width by their longest cell, so that a long sentence gets most of it."""
    size = 8
    longest = [
        max(min(pdfmetrics.stringWidth(row[column], type_.plain, size), _WIDTH / 2) for row in rows) + 10
        for column in range(len(rows[0]))
    ]
    widths = [width * _WIDTH / sum(longest) for width in longest]
    cells = [[type_.paragraph(cell, size, bold=number == 0) for cell in row] for number, row in enumerate(rows)]
    look: list[tuple[Any, ...]] = [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LINEBELOW", (0, 0), (-1, 0), 0.8, colors.HexColor("#444444")),
        ("LINEBELOW", (0, 1), (-1, -1), 0.25, colors.HexColor("#cccccc")),
        ("TOPPADDING", (0, 0), (-1, -1), 1.5),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
    ]
    return Table(cells, colWidths=widths, repeatRows=1, style=look)


def _signatures(document: ConditionsDocument, type_: _Type) -> list[Flowable]:
    """One block for each who signs; a block is never cut by the end of a page."""
    story: list[Flowable] = [Spacer(0, 6 * mm), CondPageBreak(50 * mm)]
    story += [type_.paragraph(document.signatures_title, 11, bold=True)]
    width = _WIDTH / len(document.signature_fields)
    for who in document.signatures:
        fields = [[type_.paragraph(field, 7) for field in document.signature_fields]]
        rule = [("LINEABOVE", (column, 0), (column, 0), 0.6, colors.black) for column in range(len(fields[0]))]
        line = Table(fields, colWidths=[width] * len(fields[0]), style=rule)
        story.append(KeepTogether([Spacer(0, 5 * mm), type_.paragraph(who), Spacer(0, 12 * mm), line]))
    return story


def _foot(document: ConditionsDocument, type_: _Type, canvas: Canvas, made: SimpleDocTemplate) -> None:
    """Every page names the document and its digest, so that no page can be exchanged unnoticed."""
    digest = next(value for _, value in document.facts if len(value) == 64)
    canvas.setFont(type_.plain, 6.5)
    canvas.drawString(_MARGIN + _PADDING / 2, 9 * mm, document.title)
    canvas.drawString(_MARGIN + _PADDING / 2, 6 * mm, digest)
    canvas.drawRightString(_MARGIN + _PADDING / 2 + _WIDTH, 9 * mm, document.page.format(number=made.page))
