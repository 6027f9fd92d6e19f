"""The folder of a dossier: made aside, and named as wished when everything in it is there."""

import hashlib
import json
import platform
import re
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import msgspec

from sabot.audit.event_codes import event_codes
from sabot.audit.significant_events import NOT_TOLD
from sabot.basics.mistake import Mistake
from sabot.cli.dossier import papers
from sabot.cli.dossier.bom import bill_of_materials
from sabot.cli.dossier.findings import DossierWish, Findings, TellStep, findings
from sabot.cli.dossier.vectors import csv_of
from sabot.odds.par.document import pdf_document
from sabot.odds.par.page import html_page
from sabot.odds.par.sheet import Sheet, par_sheet
from sabot.odds.par.spreadsheet import csv_file
from sabot.rules.rule_set_file import write_rule_set
from sabot.views.meter_names import meter_names

SUMS = "SHA256SUMS"


def make_dossier(root: Path, target: Path, wish: DossierWish, tell: TellStep) -> Findings:
    """Everything or nothing: a run that is stopped leaves no folder of that name."""
    if target.exists():
        raise Mistake(f"{target} is there already; name a folder that is not")
    try:
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".dossier-") as aside:
            made = Path(aside, target.name)
            found = findings(root, wish, tell)
            for path, content in _files(root, found, wish, tell):
                place = made / path
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)
            (made / SUMS).write_bytes(_sums(made))
            made.rename(target)
    except OSError as error:
        raise Mistake(f"{target} cannot be written: {error.strerror}") from None
    return found


def _files(root: Path, found: Findings, wish: DossierWish, tell: TellStep) -> Iterator[tuple[str, bytes]]:
    program = found.program
    bom = bill_of_materials(root, program.version, program.digest, wish.dated)
    yield "dependencies.cdx.json", bom
    yield "program.json", _json(program)
    yield "manifest.json", _json(_manifest(found, wish))
    yield "monitoring.json", _json(_monitoring())
    yield "drill.json", _json(found.drilled)
    yield "source.json", _json(found.source)
    yield "trace/clauses.json", _json(found.traced)
    yield from _transcripts(found)
    for night in found.nights:
        yield f"vectors/{night.rule_set}.json", _json(night)
        yield f"vectors/{night.rule_set}.csv", csv_of(night.coups)
    yield "vectors/check_vectors.py", (root / "docs" / "handbook" / "check_vectors.py").read_bytes()
    sheets = []
    for rules in wish.rule_sets:
        tell(f"the PAR sheet of {rules.id}")
        sheet = par_sheet(rules, found.decks[rules.id], f"Sabot {version('sabot')}", wish.dated)
        sheets.append(sheet)
        yield f"rules/{rules.id}.json", write_rule_set(rules)
        yield f"par/{rules.id}.html", html_page(sheet)
        yield f"par/{rules.id}.pdf", pdf_document(sheet)
        yield f"par/{rules.id}.csv", csv_file(sheet)
    tell("the index page and the PDF")
    summary = papers.summary(found, wish, json.loads(bom))
    yield "index.html", html_page(summary, papers.contents(wish))
    yield "dossier.pdf", pdf_document(_with_pars(summary, sheets), papers.transcripts(found))


def _with_pars(summary: Sheet, sheets: list[Sheet]) -> Sheet:
    named = (
        msgspec.structs.replace(section, title=f"{sheet.title}: {section.title}")
        for sheet in sheets
        for section in sheet.sections
    )
    return msgspec.structs.replace(summary, sections=(*summary.sections, *named))


def _transcripts(found: Findings) -> Iterator[tuple[str, bytes]]:
    """A file for each scenario file, with all its scenarios under all rule sets."""
    texts: dict[str, list[str]] = {}
    for one in found.transcripts:
        file, _, name = one.scenario.partition(": ")
        texts.setdefault(file, []).append("\n".join((f"## {name} (under {one.under})", *one.lines, "")))
    for file, scenarios in texts.items():
        yield f"trace/transcripts/{re.sub(r'[.]scenario$', '', file)}.txt", "\n".join(scenarios).encode()


def _manifest(found: Findings, wish: DossierWish) -> dict[str, object]:
    return {
        "sabot": found.program.version,
        "program_digest": found.program.digest,
        "dated": wish.dated,
        "rule_sets": [rules.id for rules in wish.rule_sets],
        "cards": wish.cards,
        "seed": wish.seed,
        "shoes_of_a_night": wish.shoes,
        "one_in": wish.every,
        "keys": found.keys,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "wrong": found.wrong,
    }


def _monitoring() -> dict[str, object]:
    """Meters by the names of standards, and events by their codes."""
    events = sorted(event_codes().values(), key=lambda one: one.code)
    return {"meters": meter_names(), "significant": events, "not_significant": sorted(one.__name__ for one in NOT_TOLD)}


def _json(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value)) + b"\n"


def _sums(folder: Path) -> bytes:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    lines = (
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder).as_posix()}\n" for path in files
    )
    return "".join(lines).encode()
