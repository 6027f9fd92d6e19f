"""The `sabot` command, one file per command. This one dispatches and reports wrong input in one sentence."""

import os
import sys
from importlib.metadata import version

from cyclopts import App, CycloptsError

from sabot.basics.mistake import Mistake
from sabot.cli.exit_codes import INTERRUPTED, OUTPUT_FAILED, WRONG_INPUT

app = App(
    name="sabot",
    version=version("sabot"),
    help="""An electronic table game system for baccarat.

    Start with `sabot demo`, then `sabot rules` and `sabot coup --help`. Every command explains itself with --help.
    Cards are written rank then suit, AS TD 9H KC, with T for ten.""",
)
COMMANDS = {
    "demo": "Play one virtual shoe with robots in the terminal.",
    "serve": "Serve a floor: tables, stations, consoles and displays.",
    "table": "Play a table by hand or from a script.",
    "why": "Explain why a station was paid what it was paid.",
    "journal": "Verify, show, replay, export and copy what was recorded.",
    "tournament": "Check and print the conditions of a tournament.",
    "fair": "Check virtual shoes against their commitments.",
    "staff": "Set the PINs that staff sign on with.",
    "keys": "Make, rotate and show the keys that sign a journal.",
    "rules": "Show the rule sets, or one of them in full.",
    "coup": "Explain a coup card by card and settle wagers on it.",
    "compare": "Settle the same coup under all rule sets, side by side.",
    "odds": "Work out the exact odds of the next coup, from any shoe.",
    "par": "Write a PAR sheet of a rule set: HTML, PDF or CSV.",
    "roads": "Lay bead plate, Big Road, derived roads and ask cells.",
    "simulate": "Deal whole shoes by the million and compare with the exact odds.",
    "edges": "Show how the exact house edges vary over simulated shoes.",
    "shoe": "Deal and print one shoe with the exact odds before each coup.",
    "trace": "Show each clause of the rule books and what proves it.",
    "drill": "Break rules on purpose and check that the rulebook detects it.",
    "simulate-floor": "Run a table's owner in simulated worlds full of faults.",
    "soak": "Run a floor with robots and faults for hours, and see that nothing is lost or grows.",
    "bench": "Measure, each figure beside a baseline of the same run.",
}
for command, summary in COMMANDS.items():
    name = command.replace("-", "_")
    app.command(f"sabot.cli.{name}:{name}", name=command, help=summary)


def main() -> None:
    for stream in ("stdout", "stderr"):
        if getattr(sys, stream) is None:  # The parent process closed it; output there is discarded.
            setattr(sys, stream, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115  It stays open.
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # A terminal that cannot show ♠ shows a ?.
    sys.exit(run(sys.argv[1:]))


def run(words: list[str]) -> int:
    """Run one command and return its exit code: 0, or 2 after one sentence on standard error about the input."""
    try:
        code = app(words, exit_on_error=False, print_error=False, result_action="return_value")
        sys.stdout.flush()
    except (Mistake, CycloptsError) as mistake:
        return _say(" ".join(str(mistake).split()), WRONG_INPUT)
    except KeyboardInterrupt:
        return _say("stopped", INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output has closed it, as `head` does: no error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _say(f"the answer could not be written: {error.strerror}", OUTPUT_FAILED)
    return code if isinstance(code, int) else 0


def _say(sentence: str, code: int) -> int:
    print(f"sabot: {sentence}", file=sys.stderr)  # noqa: T201  The command line's own messages.
    return code
