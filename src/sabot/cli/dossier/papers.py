"""The tables of a dossier, for its index page and its PDF."""

from collections import Counter
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from sabot.basics.money import write_amount
from sabot.cli.dossier.findings import DossierWish, Findings
from sabot.odds.par.sheet import Section, Sheet
from sabot.rulebook.clauses import clauses
from sabot.rulebook.trace import counts
from sabot.rules.rule_set_file import digest

FILES = {
    "dossier.pdf": "this dossier as one document",
    "manifest.json": "what was asked for, versions and verdicts",
    "SHA256SUMS": "the hash of every file, as `sha256sum -c` reads it",
    "program.json": "the files that decide or pay, each with its hash",
    "par/{}.html": "PAR sheet: exact odds, edges, volatility; also as PDF and CSV",
    "rules/{}.json": "the rule set in its canonical form, over which its digest runs",
    "vectors/{}.json": "replay vectors of a night; also as CSV",
    "vectors/check_vectors.py": "a checker of the vectors that uses nothing of this program",
    "trace/clauses.json": "each clause, its status and the scenarios that prove it",
    "trace/transcripts/": "what was said and answered in every scenario",
    "drill.json": "rules that were broken on purpose, and what noticed",
    "source.json": "statistics of the random source of virtual shoes",
    "monitoring.json": "meters by the names of standards, and significant events with their codes",
    "dependencies.cdx.json": "dependencies with licences and hashes, as CycloneDX 1.6",
}
"""What lies in the folder; a path with a gap is there for each rule set."""


def summary(found: Findings, wish: DossierWish, bom: Mapping[str, Any]) -> Sheet:
    """Everything but the PAR sheets and the transcripts."""
    verdict = (
        " ".join(found.wrong) or "Every clause is proved, every broken rule was noticed, and the source fits chance."
    )
    facts = (
        ("Program", f"Sabot {found.program.version}"),
        ("Digest", f"SHA-256 {found.program.digest}, over {found.program.count} files that decide or pay"),
        ("Rule sets", ", ".join(rules.id for rules in wish.rule_sets)),
        *((("Date", wish.dated),) if wish.dated else ()),
        ("Verdict", verdict),
        *((("Part", f"Of clauses and broken rules one in {wish.every}"),) if wish.every > 1 else ()),
    )
    sections = (
        _program(found),
        _rule_sets(wish, found),
        _documents(found),
        _source(found),
        _nights(found),
        _keys(found),
    )
    return Sheet("Laboratory dossier", facts, (*sections, _clauses(found), _drill(found), _dependencies(bom)))


def contents(wish: DossierWish) -> str:
    """The files, as links for the index page."""
    names = [rules.id for rules in wish.rule_sets]
    paths = [(path.format(name), words) for path, words in FILES.items() for name in (names if "{}" in path else [""])]
    links = (f'<li><a href="{escape(path)}">{escape(path)}</a>: {escape(words)}</li>' for path, words in paths)
    return f"<section><h2>Files</h2><ul>{''.join(links)}</ul></section>\n"


def transcripts(found: Findings) -> Iterator[tuple[str, str]]:
    for one in found.transcripts:
        yield f"{one.scenario} (under {one.under})", "\n".join(one.lines)


def _program(found: Findings) -> Section:
    rows = tuple((part.path, f"{part.files:,}", part.reason) for part in found.program.parts)
    words = "The digest is a SHA-256 over path, length and content of these files; program.json has the hash of each."
    return Section("What the digest covers", words, ("part", "files|", "what it has"), rows)


def _rule_sets(wish: DossierWish, found: Findings) -> Section:
    rows = tuple((one.id, one.title, one.document, str(found.decks[one.id]), digest(one)) for one in wish.rule_sets)
    words = "The digest of a rule set is the SHA-256 of its canonical form in rules/."
    return Section("Rule sets", words, ("rule set", "title", "document", "decks|", "SHA-256"), rows)


def _documents(found: Findings) -> Section:
    figures = counts(found.traced)
    names = tuple(next(iter(figures.values())))
    rows = tuple((document, *map(str, line.values())) for document, line in figures.items())
    words = (
        "Proved: by scenarios that rest on the document's words. By reading: by one of our readings or a house rule, "
        "where the document is silent. Layout of our own: on a picture that we drew."
    )
    return Section("Clauses by document", words, ("document", *(f"{name}|" for name in names)), rows)


def _source(found: Findings) -> Section:
    source = found.source
    rows = tuple(
        (
            one.name,
            one.about,
            f"{one.counted:,}",
            f"{one.statistic:,.2f}",
            _degrees(one.degrees_of_freedom),
            f"{one.p:.4f}",
        )
        for one in source.tests
    )
    words = (
        f"{source.cards:,} cards of {source.shoes:,} shoes, shuffled as a virtual table shuffles, from seed "
        f"{source.seed} in place of the operating system's bytes. SHA-256 of all orders: {source.orders_sha256}. "
        f"A chance below {0.01 / len(rows):.5f} in any line would speak against the source."
    )
    return Section("The random source", words, ("test", "of", "counted|", "statistic|", "degrees|", "chance|"), rows)


def _degrees(degrees: int | None) -> str:
    return "" if degrees is None else f"{degrees:,}"


def _nights(found: Findings) -> Section:
    rows = []
    for night in found.nights:
        wagers = [one for coup in night.coups for one in coup.wagers]
        wins = Counter(coup.winner for coup in night.coups)
        results = " ".join(f"{name} {wins[name]}" for name in ("player", "banker", "tie"))
        staked, net = sum(one.stake for one in wagers), sum(one.net for one in wagers)
        rows.append(
            (
                night.rule_set,
                str(len(night.shoes)),
                str(len(night.coups)),
                f"{len(wagers):,}",
                results,
                write_amount(staked),
                write_amount(-net),
            )
        )
    headings = ("rule set", "shoes|", "coups|", "wagers|", "results", "turnover|", "the house won|")
    words = "Cards, wagers and balances are in vectors/, with check_vectors.py, which works all of it out anew."
    return Section("Replay vectors", words, headings, tuple(rows))


def _keys(found: Findings) -> Section:
    rows = tuple((key.file, key.id, key.sha256) for key in found.keys) or (("none was given", "", ""),)
    words = "Public keys that sign journals, with the SHA-256 of each; --key names the ring of a floor."
    return Section("Keys", words, ("ring", "id", "SHA-256"), rows)


def _clauses(found: Findings) -> Section:
    rows = tuple((row.id, row.status, str(len(row.scenarios)), clauses()[row.id].restatement) for row in found.traced)
    words = "Each clause in our own words, with its status and how many scenarios prove it."
    return Section("Clauses", words, ("clause", "status", "scenarios|", "restatement"), rows)


def _drill(found: Findings) -> Section:
    rows = tuple(("yes" if one.noticed else "NO", one.what, one.by) for one in found.drilled)
    noticed = sum(one.noticed for one in found.drilled)
    words = f"{noticed} of {len(rows)} rules that were broken on purpose were noticed by a scenario."
    return Section("Drill", words, ("noticed", "broken rule", "by"), rows)


def _dependencies(bom: Mapping[str, Any]) -> Section:
    rows = tuple(
        (
            one["name"],
            one["version"],
            one["purl"].split("/")[0][4:],
            _use(one["scope"]),
            _licence(one),
            str(_hashes(one)),
        )
        for one in bom["components"]
    )
    words = "Hashes are in dependencies.cdx.json. What is needed to build runs on no floor."
    return Section("Dependencies", words, ("package", "version", "kind", "needed", "licence", "hashes|"), rows)


def _use(scope: str) -> str:
    return "to run" if scope == "required" else "to build"


def _licence(component: Mapping[str, Any]) -> str:
    stated = component.get("licenses", [{}])[0]
    return str(stated.get("expression") or stated.get("license", {}).get("name", "not stated"))


def _hashes(component: Mapping[str, Any]) -> int:
    files = [
        *component.get("hashes", ()),
        *(h for one in component.get("externalReferences", ()) for h in one["hashes"]),
    ]
    return len(files)
