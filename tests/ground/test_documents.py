"""The commands in the documents run, and print what the documents say.

Every block of `console` in README.md, CONTRIBUTING.md and docs/ is tried. The blocks of a page run one after the other
in one folder, in which `./sabot` is the command. In a block with lines that begin with `$ ` these are the commands, and
what is below one is what it prints; in any other block every line is a command. A command that serves is started on a
free port, must print a link, and is stopped; a floor is checked (`--check`) before that. `./test` is left out.

Where a block cannot be run, the line above it says why: `<!-- not run: it takes an hour -->`. Then its commands and
their options must at least exist.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from docsite.reference import BY_HAND
from sabot.cli.commands import app
from tests.cli.sabot import Ran, sabot
from tests.cli.sabot import command as start

ROOT = Path(__file__).resolve().parents[2]
BIN = ROOT / ".venv" / "bin"
PATIENCE_S = 600
"""Only an example that hangs takes so long."""
_BLOCK = re.compile(
    r"(?:^ *<!-- not run: (?P<why>[^>]+) -->\n)?^ *```console\n(?P<text>.*?)^ *```", re.DOTALL | re.MULTILINE
)
_COMMAND = re.compile(r"(?:^|[|;&(] *|\$\()(?:\./)?sabot\b(?P<words>[^|;&)#<>\n]*)", re.MULTILINE)
_ALONE = re.compile(
    r"(?:\./)?sabot (?P<words>(?:[^'\"|;&$<>#\\]|'[^']*')*?)(?: < (?P<given>\S+))?(?: > (?P<out>\S+))?(?: +#.*)?"
)
"""A command without pipes, variables and the like; it may read a file and write one."""
_SERVES = re.compile(
    r"(\./)?sabot (demo(?!.*(--terminal|--coups|--help))|docs(?!.*--(build|help))|school serve(?!.*--help))"
)
_FLOOR = re.compile(r"(\./)?sabot serve (?!drain|.*--(check|init|help))")


class Example(NamedTuple):
    command: str
    output: str
    """What it prints, with an ellipsis for what is left out; nothing where the page does not say."""
    why_not: str
    """Why it is not run, or nothing."""


def _documents() -> list[Path]:
    written = [path for path in sorted((ROOT / "docs").rglob("*.md")) if path.parent.name != "reference"]
    return [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *written,
        *(ROOT / "docs" / "reference" / name for name in BY_HAND),
    ]


def _examples(document: Path) -> Iterator[Example]:
    for block in _BLOCK.finditer(document.read_text(encoding="utf-8")):
        text, why = block["text"].replace("\\\n", " "), block["why"] or ""
        if re.search(r"^\$ ", text, re.MULTILINE):
            for example in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, _, output = example.partition("\n")
                yield Example(command, output.strip(), why)
        else:
            lines = (line.strip() for line in text.splitlines())
            yield from (Example(line, "", why) for line in lines if line and not line.startswith("#"))


_WITH_EXAMPLES = [path for path in _documents() if any(_examples(path))]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a reader who follows a page would be, with the command and the files that come with it."""
    place, home = tmp_path / "checkout", tmp_path / "home"
    place.mkdir()
    home.mkdir()
    (place / "sabot").symlink_to(BIN / "sabot")
    for name in ("deploy", "examples"):
        shutil.copytree(ROOT / name, place / name)
    for name in [name for name in os.environ if name.startswith("XDG_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("PATH", f"{BIN}{os.pathsep}{os.environ['PATH']}")
    return place


@pytest.mark.parametrize("document", _WITH_EXAMPLES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_commands_of_a_page_run_and_print_what_it_says(document: Path, folder: Path) -> None:
    for example in _examples(document):
        if example.why_not or example.command.startswith("./test"):
            continue
        if _FLOOR.match(example.command):
            _run(example._replace(command=f"{example.command.partition(' #')[0]} --check"), folder)
            _serve_floor(example.command, folder)
        elif _SERVES.match(example.command):
            _serve(_on_a_free_port(example.command), folder)
        else:
            _run(example, folder)


def _run(example: Example, folder: Path) -> None:
    command = example.command
    ran = _of_one_command(command, folder) or _of_a_shell(command, folder)
    assert ran.code == 0, f"{command}\n{ran.out}{ran.error}"
    printed = "\n".join(line.rstrip() for line in ran.out.splitlines()).strip()
    assert not re.search(r"\bNone\b", printed), f"{command}\n{printed}"
    if example.output:
        parts = re.split("(…)", "\n".join(line.rstrip() for line in example.output.splitlines()))
        expected = "".join(".*" if part == "…" else re.escape(part) for part in parts)
        assert re.fullmatch(expected, printed, re.DOTALL), f"{command}\n{printed}"


def _of_one_command(command: str, folder: Path) -> Ran | None:
    """One that needs no shell is forked from a process that has it loaded, which takes a sixth of the time."""
    found = _ALONE.fullmatch(command)
    if found is None:
        return None
    given = (folder / found["given"]).read_text(encoding="utf-8") if found["given"] else ""
    ran = sabot(*shlex.split(found["words"]), given=given, cwd=folder, within_s=PATIENCE_S)
    if found["out"]:
        (folder / found["out"]).write_text(ran.out, encoding="utf-8")
    return ran


def _of_a_shell(command: str, folder: Path) -> Ran:
    done = subprocess.run(  # noqa: S602  The documents' own examples, pipes included.
        command,
        shell=True,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def _on_a_free_port(command: str) -> list[str]:
    words = shlex.split(command, comments=True)[1:]
    words += ["--port", "0"] if "--port" not in words else []
    return [*words, "--no-browser"] if "docs" in words and "--no-browser" not in words else words


def _serve_floor(command: str, folder: Path) -> None:
    words = shlex.split(command, comments=True)[1:]
    file = folder / words[words.index("--config") + 1]
    file.write_text(re.sub(r"(?m)^port = \d+", "port = 0", file.read_text(encoding="utf-8")), encoding="utf-8")
    _serve(words, folder)


def _serve(words: list[str], folder: Path) -> None:
    """Until it prints the first link; then it is stopped as by Ctrl-C, and ends in order."""
    read, write = os.pipe()
    with open(write, "wb") as out, open(os.devnull, "rb") as nothing:  # noqa: PTH123  They are no paths.
        running = start(words, nothing, out, out, folder)
    with open(read, encoding="utf-8") as said:  # noqa: PTH123  It is no path.
        try:
            assert any(re.search(r"https?://\S+", line) for line in said), f"{words} print no link"
            running.send_signal(signal.SIGINT)
            said.read()
            assert running.wait(PATIENCE_S) in (0, 130), words
        finally:
            running.kill()


@pytest.mark.parametrize("document", _WITH_EXAMPLES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_commands_of_a_page_exist_with_their_options(document: Path) -> None:
    for example in _examples(document):
        for found in _COMMAND.finditer(example.command):
            _check_words(found["words"], f"{document.name}: {example.command}")


def _check_words(written: str, where: str) -> None:
    command, words = app, re.sub(r"[\"']", "", written).split()
    while words and not words[0].startswith("-") and words[0] in list(command):
        command = command[words.pop(0)]
    if not words and command.default_command is None:
        return
    known = {"--help", "-h", "--version"}
    if command is app:
        known |= {"--digest", "--json"}
    else:
        known |= {name for one in command.assemble_argument_collection(parse_docstring=False) for name in one.names}
    for word in words:
        name = word.partition("=")[0]
        if re.match(r"--?[a-z]", name):
            assert name in known, f"{where}: there is no {name}"


def test_there_are_examples() -> None:
    assert sum(not example.why_not for path in _documents() for example in _examples(path)) >= 40


def test_every_block_with_commands_is_one_that_is_tried() -> None:
    """A block of another language, or of none, hides its commands from these tests."""
    for document in _documents():
        for language, text in re.findall(
            r"^ *```(\w*)\n(.*?)^ *```$", document.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
        ):
            if language in ("", "sh", "bash", "shell"):
                assert not re.search(r"^(\./)?sabot ", text, re.MULTILINE), f"{document.name}: {text}"


def test_links_between_documents_lead_somewhere() -> None:
    """Anchors, too, by the rule with which code hosts make them from headings; the site's own are checked there."""
    for document in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")):
        for target, anchor in re.findall(r"\]\(([^()#\s]*)(?:#([^()\s]+))?\)", _prose(document)):
            if re.match(r"[a-z]+:", target):
                continue
            goal = document.parent / target if target else document
            assert goal.exists(), f"{document.name} links to {target}"
            if anchor and goal.suffix == ".md":
                assert anchor in _anchors(goal), f"{document.name} links to {target}#{anchor}"


def _prose(document: Path) -> str:
    return re.sub(
        r"^ *```.*?^ *```$|`[^`\n]*`", "", document.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
    )


def _anchors(document: Path) -> set[str]:
    text = re.sub(r"^ *```.*?^ *```$", "", document.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}
