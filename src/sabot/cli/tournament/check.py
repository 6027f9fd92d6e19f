"""`sabot tournament check`: every problem of a conditions file."""

import msgspec

from sabot.cli.arguments import Json
from sabot.cli.terminal import console, print_json
from sabot.cli.tournament.conditions_argument import ConditionsArgument, read_conditions_argument
from sabot.tournament.conditions.file import digest_of, problems_of
from sabot.tournament.conditions.parts import Conditions
from sabot.tournament.conditions.problem import ConditionsProblem, ConditionsRefused

REFUSED = 2


def check(file: ConditionsArgument, /, *, json: Json = False) -> int:
    """Check the conditions of a tournament (CROWN 12.2.1): every problem with its key and clause.

        sabot tournament check spring

        sabot tournament check own.toml

    The exit code is 2 where there is a problem. With --json the sound conditions come back in the form that can be
    saved as a file.
    """
    name, problems, conditions = _checked(file)
    if json:
        print_json(
            {
                "file": name,
                "problems": problems,
                "digest": digest_of(conditions) if conditions is not None else None,
                "conditions": conditions,
            }
        )
    else:
        _show(name, problems, conditions)
    return REFUSED if problems else 0


def _checked(file: str) -> tuple[str, tuple[ConditionsProblem, ...], Conditions | None]:
    try:
        name, raw = read_conditions_argument(file)
    except ConditionsRefused as refused:
        return refused.source, refused.problems, None
    problems = problems_of(raw)
    return name, problems, None if problems else msgspec.convert(raw, Conditions)


def _show(name: str, problems: tuple[ConditionsProblem, ...], conditions: Conditions | None) -> None:
    out = console()
    for one in problems:
        out.print(f"{name}: {one.key}: {one.clause}: {one.why}", soft_wrap=True)
    if conditions is None:
        number = len(problems)
        out.print(f"{number} problem{'' if number == 1 else 's'}; these conditions cannot be saved.")
        return
    rounds = ", ".join(one.name for one in conditions.rounds)
    out.print(f"{name}: no problems. {conditions.title['en']} ({conditions.id}); rounds: {rounds}.", soft_wrap=True)
    out.print(f"digest {digest_of(conditions)}", style="dim")
