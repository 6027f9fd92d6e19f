"""`sabot demo`: a floor of one table, with robots at some stations and a place for the visitor."""

import os
from pathlib import Path

from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Flag, Json, Number, read_rule_set_argument
from sabot.cli.ports import Port, port_for


def demo(
    rule_set: str = "crown-traditional",
    /,
    *,
    port: Port = None,
    coups: Number | None = None,
    folder: Path | None = None,
    deal: Flag = False,
    terminal: Flag = False,
    decks: Number = 8,
    seed: Number | None = None,
    burn_by_face_value: Flag = False,
    pace: float | None = None,
    save: Path | None = None,
    json: Json = False,
) -> int:
    """Serve one table under a virtual dealer, with robots at three stations and one with chips for you.

        sabot demo

        sabot demo rws-non-commission --port 9000 --pace 0.5

        sabot demo --deal

        sabot demo --coups 5

        sabot demo --terminal --seed 7

    It prints the links of all pages (start page, station, console, display, floor's desk, leader board), and who signs
    on where with which PIN. The start page says what each is for. Everything is recorded: Ctrl-C ends it in order, and
    after the next start every balance is as it was. No real money is played for.

    With --deal you are the dealer: the first link is a console with a felt above it, which shows the card that comes
    out of the shoe next. Sign on there as D1, open the wagering, let the robots wager, enter the cards and confirm.

    With --terminal it needs no browser: it plays one virtual shoe with three robots and proves it fair.

    Parameters
    ----------
    rule_set
        The id of a rule set, or the path of a rule set file.
    port
        Where it listens, on this machine alone: 8080, or the next free one; 0 takes any free port.
    coups
        Stop after so many coups, and print the balances and whether the cards were fair.
    folder
        Where the journal and the keys of the demo are kept; by default below the user's state directory.
    deal
        Deal the table yourself at the console, while robots wager.
    terminal
        Show one shoe in the terminal instead.
    decks
        How many decks the shoe holds.
    seed
        With --terminal: deal the same shoe again for the same number.
    burn_by_face_value
        Show the first card and burn as many more as its face value.
    pace
        How slowly the dealer deals, 1 as usual and 0 without waiting; with --terminal, seconds to wait after each coup.
    save
        With --terminal: write what anybody needs to check the shoe to this file.
    json
        Print links, people and PINs as one line of JSON, and at the end the balances as another; with --terminal, the
        shoe as one object.
    """
    rules = read_rule_set_argument(rule_set)
    rules.check_decks(decks)
    if pace is not None and not 0 <= pace <= 60:
        raise Mistake(f"a pace of {pace} is outside 0 to 60")
    if terminal:
        if deal:
            raise Mistake("--deal belongs to a served demo, not to --terminal")
        from sabot.cli.demo_terminal import DemoWish, show_a_shoe

        return show_a_shoe(DemoWish(rules, decks, seed, burn_by_face_value, pace or 0.0, save, json))
    if seed is not None or save is not None:
        raise Mistake("--seed and --save belong to --terminal; a floor's shoes are drawn by chance, and recorded")
    if coups is not None and coups < 1:
        raise Mistake(f"{coups} coups are none")
    at = port_for(port)
    if deal and (pace is not None or burn_by_face_value):
        raise Mistake(
            "--pace and --burn-by-face-value are for the virtual dealer; with --deal you deal at your own pace"
        )
    place = folder or _state_folder() / "sabot" / f"demo-{'deal-' if deal else ''}{rules.id}-{decks}"
    from sabot.cli.demo_floor import DemoFloor, run_demo

    slowness = 1.0 if pace is None else pace
    return run_demo(DemoFloor(rules, decks, at, place, coups, slowness, burn_by_face_value, json, deal))


def _state_folder() -> Path:
    """Where programs of this user keep what should outlast a restart."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
