"""The form of the printed conditions, and the same as Markdown."""

import re
from collections.abc import Iterator

import msgspec

SIGNATURE_LINE = "_" * 30


class DocumentSection(msgspec.Struct, frozen=True):
    clause: str
    title: str
    lines: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    """A table; its first row has the headings."""


class ConditionsDocument(msgspec.Struct, frozen=True, kw_only=True):
    language: str
    title: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[DocumentSection, ...]
    signatures_title: str
    signatures: tuple[str, ...]
    """Who signs."""
    signature_fields: tuple[str, ...]
    """What each fills in."""
    page: str
    """How a page's number is written, with the gap `number`."""


def markdown(document: ConditionsDocument) -> str:
    return "\n".join(_lines(document)) + "\n"


def _lines(document: ConditionsDocument) -> Iterator[str]:
    yield f"# {_plain(document.title)}"
    yield ""
    yield from (f"- {name}: {_plain(value)}" for name, value in document.facts)
    for section in document.sections:
        yield from ("", f"## {section.title} ({section.clause})", "")
        yield from (f"- {_plain(line)}" for line in section.lines)
        if section.rows:
            yield from ([""] if section.lines else [])
            head, *rows = section.rows
            yield _row(head)
            yield _row(tuple("---" for _ in head))
            yield from (_row(row) for row in rows)
    yield from ("", f"## {document.signatures_title}")
    for who in document.signatures:
        yield from ("", f"{who}", "")
        yield from (f"- {field}: {SIGNATURE_LINE}" for field in document.signature_fields)


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(_plain(cell).replace('|', '&#124;') for cell in cells)} |"


def _plain(text: str) -> str:
    """Text of the conditions stays text: what Markdown would take for a mark is written out."""
    return re.sub(r"([\\`*_\[\]<>#])", r"\\\1", " ".join(text.split()))
