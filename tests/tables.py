"""Tables of the rule books as data files beside the tests."""

import csv
from pathlib import Path


def rows(file: str) -> list[dict[str, str]]:
    text = (Path(__file__).parent / "data" / file).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
