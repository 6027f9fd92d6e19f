"""The `sabot` command, one file per command. This one starts it and reports wrong input in one sentence.

Nothing is loaded here but what every command needs: `--help` and a single coup should be there at once.
"""

import os
import sys

from sabot.cli.exit_codes import INTERRUPTED, OUTPUT_FAILED, WRONG_INPUT
from sabot.cli.front_page import print_front_page


def main() -> None:
    for stream in ("stdout", "stderr"):
        if getattr(sys, stream) is None:  # The parent process closed it; output there is discarded.
            setattr(sys, stream, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115  It stays open.
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # A terminal that cannot show ♠ shows a ?.
    sys.exit(run(sys.argv[1:]))


def run(words: list[str]) -> int:
    """Run one command and return its exit code: 0, or 2 after one sentence on standard error about the input."""
    try:
        code = print_front_page() if words in ([], ["--help"], ["-h"]) else _dispatch(words)
        sys.stdout.flush()
    except _wrong_input() as mistake:
        return _say(" ".join(str(mistake).split()), WRONG_INPUT)
    except KeyboardInterrupt:
        return _say("stopped", INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output has closed it, as `head` does: no error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        what = error.filename if isinstance(error.filename, str) else "the answer could not be written"
        return _say(f"{what}: {error.strerror}", OUTPUT_FAILED)
    return code if isinstance(code, int) else 0


def _dispatch(words: list[str]) -> object:
    if "--version" in words and 1 < len(words) == len({*words} & {"--version", "--digest", "--json"}):
        from sabot.cli.version import print_version

        return print_version(words)
    from sabot.cli.commands import app, explain_in_full

    explain_in_full(words)
    return app(words, exit_on_error=False, print_error=False, result_action="return_value")


def _wrong_input() -> tuple[type[Exception], ...]:
    """Looked up after a failure alone."""
    from cyclopts import CycloptsError

    from sabot.basics.mistake import Mistake

    return Mistake, CycloptsError


def _say(sentence: str, code: int) -> int:
    print(f"sabot: {sentence}", file=sys.stderr)  # noqa: T201  The command line's own messages.
    return code
