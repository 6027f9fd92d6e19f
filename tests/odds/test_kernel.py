"""The C kernel is used only if it was compiled from the sources beside it; otherwise one line says why not."""

import subprocess
import sys
from pathlib import Path

import pytest

from sabot.odds.kernel import kernel
from sabot.odds.kernel.compiling import LIBRARY, compile_kernel, compiler, digest_of_sources

_ASK = "from sabot.odds.kernel import kernel; kernel(); print(kernel() is None)"


def _ask(environment: dict[str, str], before: str = "") -> tuple[str, str]:
    done = subprocess.run(  # noqa: S603  Our own words.
        [sys.executable, "-c", before + _ASK], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.strip(), done.stderr


def test_where_a_compiler_is_found_the_kernel_is_there() -> None:
    assert (kernel() is not None) == (compiler() is not None)


def test_the_setting_puts_the_kernel_aside_without_a_word() -> None:
    assert _ask({"SABOT_KERNEL": "numpy"}) == ("True", "")


def test_a_missing_library_is_said_once(tmp_path: Path) -> None:
    elsewhere = f"import pathlib, sabot.odds.kernel as k; k.LIBRARY = pathlib.Path({str(tmp_path / 'none.so')!r}); "
    assert _ask({}, elsewhere) == (
        "True",
        "sabot: there is no C kernel for this machine, so NumPy does its work, more slowly\n",
    )


@pytest.mark.skipif(compiler() is None, reason="a stale library needs a compiler to make it")
def test_a_stale_library_is_never_used() -> None:
    assert LIBRARY.exists()
    changed = f"import sabot.odds.kernel as k; k.digest_of_sources = lambda: {digest_of_sources()[::-1]!r}; "
    assert _ask({}, changed) == (
        "True",
        "sabot: the C kernel was not built from the sources beside it, so NumPy does its work, more slowly\n",
    )


def test_without_a_compiler_there_is_no_library_and_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = tmp_path / "kernel.so"
    monkeypatch.setenv("CC", "")
    assert compile_kernel(library) == "no C compiler was found"
    monkeypatch.setenv("CC", "/nowhere/cc")
    assert compile_kernel(library) == "the C compiler /nowhere/cc could not be run (No such file or directory)"
    assert not library.exists()
