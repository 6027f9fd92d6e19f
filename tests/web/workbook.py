"""Reads a workbook back, without the library that wrote it: what every cell holds."""

import io
import zipfile
from xml.etree import ElementTree as ET

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
Rows = list[list[str | float | None]]


def read_workbook(written: bytes) -> dict[str, Rows]:
    """The sheets by name: numbers as numbers, texts as texts, empty cells as nothing."""
    with zipfile.ZipFile(io.BytesIO(written)) as book:
        assert book.testzip() is None
        shared = _texts(book.read("xl/sharedStrings.xml"))
        names = [str(one.get("name")) for one in _parsed(book.read("xl/workbook.xml")).iter(f"{_MAIN}sheet")]
        return {
            name: _rows(book.read(f"xl/worksheets/sheet{place}.xml"), shared) for place, name in enumerate(names, 1)
        }


def formats(written: bytes) -> list[str]:
    """The formats of numbers that a workbook has of its own."""
    with zipfile.ZipFile(io.BytesIO(written)) as book:
        return [str(one.get("formatCode")) for one in _parsed(book.read("xl/styles.xml")).iter(f"{_MAIN}numFmt")]


def charts(written: bytes) -> list[str]:
    """The charts of a workbook, as it writes them."""
    with zipfile.ZipFile(io.BytesIO(written)) as book:
        return [book.read(name).decode() for name in book.namelist() if name.startswith("xl/charts/chart")]


def _parsed(xml: bytes) -> ET.Element:
    return ET.fromstring(xml)  # noqa: S314  What this program wrote.


def _texts(xml: bytes) -> list[str]:
    return ["".join(one.text or "" for one in item.iter(f"{_MAIN}t")) for item in _parsed(xml).iter(f"{_MAIN}si")]


def _rows(xml: bytes, shared: list[str]) -> Rows:
    rows: Rows = []
    for row in _parsed(xml).iter(f"{_MAIN}row"):
        rows += [[] for _ in range(int(str(row.get("r"))) - len(rows))]
        for cell in row.iter(f"{_MAIN}c"):
            assert cell.find(f"{_MAIN}f") is None, "no cell is a formula"
            value = cell.find(f"{_MAIN}v")
            text = None if value is None else value.text
            rows[-1] += [None] * (_place(str(cell.get("r"))) - len(rows[-1]))
            rows[-1].append(None if text is None else shared[int(text)] if cell.get("t") == "s" else float(text))
    widest = max(map(len, rows), default=0)
    return [[*row, *[None] * (widest - len(row))] for row in rows]


def _place(reference: str) -> int:
    """The column of a cell such as C7, from 0."""
    place = 0
    for sign in filter(str.isalpha, reference):
        place = 26 * place + ord(sign) - ord("A") + 1
    return place - 1
