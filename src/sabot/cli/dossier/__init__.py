"""`sabot dossier`: everything that a laboratory asks for, in one folder."""

import os
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Flag, Json, Number, read_rule_set_argument

CARDS = 100_000_000
MOST_CARDS = 10_000_000_000
QUICK_CARDS = 200_000
QUICK_EVERY = 40
SHOES = 3
TOLD_EVERY_S = 2.0


def dossier(
    *rule_set: str,
    output: Annotated[Path, Parameter(name=("--output", "-o"))],
    cards: Number | None = None,
    seed: Number = 1,
    key: Annotated[tuple[Path, ...], Parameter(negative="")] = (),
    dated: str | None = None,
    quick: Flag = False,
    json: Json = False,
) -> int:
    """Write a dossier for a test laboratory: proofs, figures, vectors, hashes.

        sabot dossier crown-baccarat -o crown-baccarat-dossier

        sabot dossier crown-traditional --key casino.key.ring -o crown

        sabot dossier mbs-baccarat --quick -o look

    The folder has an index page and the same as one PDF: PAR sheets, each clause with the transcript of every scenario,
    the drill, replay vectors of a night with a checker, statistics of the random source, dependencies with licences and
    hashes, digests and keys. The same program, arguments and date give the same bytes. A wheel with the extra `paper`
    makes it as well. The exit code is 1 where something speaks against the program; the index page says what.

    Parameters
    ----------
    rule_set
        The ids of rule sets (see `sabot rules`), or paths of rule set files.
    output
        The folder to write, which must not be there yet.
    cards
        So many cards of virtual shoes are tested; a hundred million unless given.
    seed
        Of the virtual shoes; the same seed deals the same cards.
    key
        The ring of a floor's keys, such as casino.key.ring, whose fingerprints are listed. It may be given again.
    dated
        A date to print, as 2026-08-01; else SOURCE_DATE_EPOCH, or in a checkout the date of the commit.
    quick
        A part of it, in half a minute: one clause and one broken rule in forty, few cards.
    json
        Print what was found in short, as JSON.
    """
    if not rule_set:
        raise Mistake("name at least one rule set, such as crown-baccarat; `sabot rules` lists them")
    wanted = (QUICK_CARDS if quick else CARDS) if cards is None else cards
    if not 1 <= wanted <= MOST_CARDS:
        raise Mistake(f"--cards is from 1 to {MOST_CARDS:,}")
    from sabot.cli.checkout import checkout, laboratory_folder
    from sabot.cli.dossier.findings import DossierWish
    from sabot.cli.dossier.folder import make_dossier
    from sabot.cli.sentences import in_one_sentence
    from sabot.cli.terminal import print_json

    wish = DossierWish(
        rule_sets=tuple({one.id: one for one in map(read_rule_set_argument, rule_set)}.values()),
        keys=key,
        cards=wanted,
        seed=seed,
        shoes=1 if quick else SHOES,
        every=QUICK_EVERY if quick else 1,
        dated=_read_date(dated) if dated else _date(checkout()),
    )
    with in_one_sentence():
        found = make_dossier(laboratory_folder(), output, wish, _Teller())
    if json:
        print_json({"folder": str(output), "program_digest": found.program.digest, "wrong": found.wrong})
    else:
        for sentence in found.wrong or (f"{output / 'index.html'} is there; nothing speaks against the program.",):
            print(sentence)  # noqa: T201  A path must stay whole.
    return 1 if found.wrong else 0


def _read_date(written: str) -> str:
    try:
        return datetime.strptime(written, "%Y-%m-%d").date().isoformat()  # noqa: DTZ007  A date has no zone.
    except ValueError:
        raise Mistake(f"{written!r} is not a date such as 2026-08-01") from None


def _date(root: Path | None) -> str | None:
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if epoch.isdigit():
        return datetime.fromtimestamp(int(epoch), UTC).date().isoformat()
    if root is None:  # A wheel knows no commit.
        return None
    try:
        words = ["git", "-C", str(root), "log", "-1", "--format=%cs"]
        asked = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603  Our own words.
    except OSError:
        return None
    return asked.stdout.strip() or None


class _Teller:
    """Tells on standard error what is done now: each step, and how far it is every other second."""

    def __init__(self) -> None:
        self._next = 0.0

    def __call__(self, sentence: str) -> None:
        is_count, now = sentence[:1].isdigit(), time.monotonic()
        if is_count and now < self._next:
            return
        self._next = now + TOLD_EVERY_S
        if sys.stderr.isatty() or not is_count:
            print(f"sabot: {sentence}", file=sys.stderr)  # noqa: T201  Progress.
