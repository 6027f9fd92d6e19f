"""Printed conditions as a PDF document on A4. The same document always gives the same bytes.

A font can be embedded. Without one, Chinese is set in fonts that the PDF only names (Adobe's for Simplified and
Traditional Chinese), and that the reader's computer must have. No Chinese font that ReportLab could embed comes with
the program.
"""

import io
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple
from xml.sax.saxutils import escape

from sabot.basics.missing_extra import MissingExtra
from sabot.basics.mistake import Mistake
from sabot.tournament.conditions.document.form import ConditionsDocument, DocumentSection, markdown

try:
    import matplotlib as mpl
    from reportlab.lib import colors
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.lib.units import mm
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfbase.ttfonts import TTFError, TTFont
    from reportlab.pdfgen.canvas import Canvas
    from reportlab.platypus import CondPageBreak, Flowable, KeepTogether, Paragraph, SimpleDocTemplate, Spacer, Table
except ModuleNotFoundError as missing:
    raise MissingExtra("PDF documents", "paper", missing) from None

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


def document_pdf(document: ConditionsDocument, font: Path | None = None) -> bytes:
    """The document, set in the font that is given and with it embedded, or in the language's own."""
    type_ = _type_of(document.language) if font is None else _embedded(document, font)
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


def _embedded(document: ConditionsDocument, file: Path) -> _Type:
    try:
        font = TTFont(f"Sabot-{file.stem}", str(file))
    except (TTFError, OSError) as error:
        raise Mistake(f"{file} is no TrueType font that can be embedded: {error}") from None
    lacking = {
        letter for letter in markdown(document) if letter.isprintable() and ord(letter) not in font.face.charToGlyph
    }
    if lacking:
        raise Mistake(f"{file} lacks {len(lacking)} letters of the document: {''.join(sorted(lacking))[:40]}")
    pdfmetrics.registerFont(font)
    return _Type(font.fontName, font.fontName, breaks_anywhere=document.language in _CHINESE)


def _facts(document: ConditionsDocument, type_: _Type) -> Table:
    rows = [[type_.paragraph(text, 8) for text in fact] for fact in document.facts]
    return Table(rows, colWidths=[38 * mm, _WIDTH - 38 * mm], style=[("VALIGN", (0, 0), (-1, -1), "TOP")])


def _section(section: DocumentSection, type_: _Type) -> list[Flowable]:
    parts: list[Flowable] = [type_.paragraph(f"{section.title} ({section.clause})", 11, bold=True), Spacer(0, 1.5 * mm)]
    for line in section.lines:
        parts += [type_.paragraph(line), Spacer(0, 0.8 * mm)]
    return [*parts, Spacer(0, 1.5 * mm), _table(section.rows, type_)] if section.rows else parts


def _table(rows: tuple[tuple[str, ...], ...], type_: _Type) -> Table:
    size = 8
    widest = [
        max(pdfmetrics.stringWidth(row[column], type_.bold, size) for row in rows) + _PADDING + 2
        for column in range(len(rows[0]))
    ]
    widths = _shared_out(widest)
    cells = [[type_.paragraph(cell, size, bold=number == 0) for cell in row] for number, row in enumerate(rows)]
    look: list[tuple[Any, ...]] = [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LINEBELOW", (0, 0), (-1, 0), 0.8, colors.HexColor("#444444")),
        ("LINEBELOW", (0, 1), (-1, -1), 0.25, colors.HexColor("#cccccc")),
        ("TOPPADDING", (0, 0), (-1, -1), 1.5),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
    ]
    return Table(cells, colWidths=widths, repeatRows=1, style=look)


def _shared_out(wanted: list[float]) -> list[float]:
    """The width of the page: narrow columns have what they want, and the wide ones share what is left."""
    if (spare := _WIDTH - sum(wanted)) >= 0:
        return [width + spare / len(wanted) for width in wanted]
    left, columns = _WIDTH, len(wanted)
    for width in sorted(wanted):
        if width > left / columns:
            break
        left, columns = left - width, columns - 1
    return [min(width, left / columns) for width in wanted]


def _signatures(document: ConditionsDocument, type_: _Type) -> list[Flowable]:
    """One block for each who signs; a block is never cut by the end of a page."""
    story: list[Flowable] = [Spacer(0, 6 * mm), CondPageBreak(50 * mm)]
    story += [type_.paragraph(document.signatures_title, 11, bold=True)]
    width, gap = _WIDTH / len(document.signature_fields), 6 * mm
    for who in document.signatures:
        cells: list[Paragraph | str] = []
        for field in document.signature_fields:
            cells += [type_.paragraph(field, 7), ""]
        rules = [("LINEABOVE", (column, 0), (column, 0), 0.6, colors.black) for column in range(0, len(cells), 2)]
        line = Table([cells], colWidths=[width - gap, gap] * len(document.signature_fields), style=rules)
        story.append(KeepTogether([Spacer(0, 5 * mm), type_.paragraph(who), Spacer(0, 12 * mm), line]))
    return story


def _foot(document: ConditionsDocument, type_: _Type, canvas: Canvas, made: SimpleDocTemplate) -> None:
    """Every page names the document and its digest, so that no page can be exchanged unnoticed."""
    digest = next(value for _, value in document.facts if len(value) == 64)
    canvas.setFont(type_.plain, 6.5)
    canvas.drawString(_MARGIN + _PADDING / 2, 9 * mm, document.title)
    canvas.drawString(_MARGIN + _PADDING / 2, 6 * mm, digest)
    canvas.drawRightString(_MARGIN + _PADDING / 2 + _WIDTH, 9 * mm, document.page.format(number=made.page))
