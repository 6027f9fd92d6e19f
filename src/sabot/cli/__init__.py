"""The `sabot` command: one file per command; this one finds the command and turns mistakes into one sentence."""

import os
import sys
from importlib.metadata import version

from cyclopts import App, CycloptsError

from sabot.rules.mistake import Mistake

app = App(
    name="sabot",
    version=version("sabot"),
    help="""An electronic table game system for baccarat.

    Start with `sabot demo`, then `sabot rules` and `sabot coup --help`. Every command explains itself with --help.
    Cards are written rank then suit, AS TD 9H KC, with T for ten.""",
)
for command in ("demo", "table", "rules", "coup", "compare", "roads", "trace", "bench"):
    app.command(f"sabot.cli.{command}:{command}")

WRONG_INPUT = 2
INTERRUPTED = 130


def main() -> None:
    sys.exit(run(sys.argv[1:]))


def run(words: list[str]) -> int:
    """Run one command and return its exit code: 0, or 2 after one sentence on standard error about the input."""
    try:
        code = app(words, exit_on_error=False, print_error=False, result_action="return_value")
        sys.stdout.flush()
    except (Mistake, CycloptsError) as mistake:
        sentence = " ".join(str(mistake).split())
        print(f"sabot: {sentence}", file=sys.stderr)  # noqa: T201
        return WRONG_INPUT
    except KeyboardInterrupt:
        print("sabot: stopped", file=sys.stderr)  # noqa: T201
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has gone, as `head` does; there is nobody to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code if isinstance(code, int) else 0
