"""Breaks rules in forks of a process that has everything loaded, which is ten times as fast as a process for each.

In a fork the functions of the rule's file get the code of the broken text. That is the broken rule wherever nothing but
what functions do has changed and the function has its code from the file. It is tried first: where it turns a scenario
red, the rule is noticed. Everything else is left to a process that loads the broken file itself (`drill.py`).
"""

import gc
import os
import signal
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType
from typing import Protocol

import msgspec

from sabot.rulebook.scenario import all_scenarios
from sabot.rulebook.trace import failure

_OPTIMIZED = 1
"""The flag of code that belongs to a function, and not to a module or a class."""
_AT_ONCE = 2


class Red(msgspec.Struct, frozen=True):
    """The first scenario that turned red."""

    scenario: str
    why: str


class Rule(Protocol):
    """What is broken; see `drill.Broken`."""

    @property
    def file(self) -> str: ...
    @property
    def rule(self) -> str: ...
    @property
    def broken(self) -> str: ...
    @property
    def first(self) -> str: ...


def first_red(first: str, only: Collection[str] = (), *, in_first_alone: bool = False) -> Red | None:
    """Run the scenarios, those of the file `first` before all others, until one turns red."""
    for scenario in sorted(all_scenarios(), key=lambda one: one.file != first):
        if in_first_alone and scenario.file != first:
            return None
        if not only or scenario.id in only:
            try:
                wrong = failure(scenario)
            except Exception as crash:
                wrong = f"{type(crash).__name__}: {crash}"
            if wrong:
                return Red(scenario.id, wrong)
    return None


class Functions:
    """The functions of this package that are alive, by where they stand."""

    def __init__(self) -> None:
        gc.unfreeze()
        self._found: dict[tuple[str, str, int], list[FunctionType]] = {}
        for one in gc.get_objects():
            if isinstance(one, FunctionType) and one.__module__ and one.__module__.startswith("sabot."):
                name = one.__globals__.get("__name__", "")
                self._found.setdefault((name, one.__code__.co_qualname, one.__code__.co_firstlineno), []).append(one)

    def give_code(self, file: str, sound: str, broken: str) -> bool:
        """Give the functions of a file the code of another text; false where that is not all that differs."""
        module = "sabot." + file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        old, new = (compile(text, file, "exec", dont_inherit=True) for text in (sound, broken))
        if _skeleton(old) != _skeleton(new):
            return False
        for was, becomes in zip(_functions(old), _functions(new), strict=True):
            if _whole(was) == _whole(becomes):
                continue
            alive = self._found.get((module, was.co_qualname, was.co_firstlineno), [])
            if not alive or any(len(becomes.co_freevars) != len(one.__code__.co_freevars) for one in alive):
                return False
            for one in alive:
                one.__code__ = becomes
        return True


def _functions(code: CodeType) -> Iterator[CodeType]:
    """The code of the functions and methods of a module; what stands inside of one belongs to it."""
    for one in code.co_consts:
        if isinstance(one, CodeType):
            if one.co_flags & _OPTIMIZED:
                yield one
            else:
                yield from _functions(one)


def _skeleton(code: CodeType) -> object:
    """What is run when the module is loaded."""
    consts = [_skeleton(one) if _is_class(one) else _plain(one) for one in code.co_consts]
    return (code.co_code, code.co_names, consts)


def _is_class(const: object) -> bool:
    return isinstance(const, CodeType) and not const.co_flags & _OPTIMIZED


def _plain(const: object) -> object:
    return const.co_qualname if isinstance(const, CodeType) else (type(const), const)


def _whole(code: CodeType) -> object:
    """All that a function does, wherever it stands."""
    consts = [_whole(one) if isinstance(one, CodeType) else (type(one), one) for one in code.co_consts]
    return (code.co_code, code.co_names, code.co_varnames, code.co_freevars, consts)


def noticed_in_forks(source: Path, rules: Sequence[Rule]) -> list[Red | None]:
    """For each rule the scenario that turned red in a fork with it broken; nothing where none did.

    All that turned red are run in a sound fork as well. If one is red there, nothing was noticed.
    """
    if not hasattr(os, "fork"):
        return [None for _ in rules]
    all_scenarios()
    functions = Functions()

    def tried(rule: Rule) -> Red | None:
        text = (source / rule.file).read_text(encoding="utf-8") if (source / rule.file).exists() else ""
        if text.count(rule.rule) != 1:
            return None
        broken = text.replace(rule.rule, rule.broken)
        if not functions.give_code(rule.file, text, broken):
            return None
        return first_red(rule.first, in_first_alone=bool(rule.first))

    found = list(_in_forks((lambda rule=rule: tried(rule)) for rule in rules))
    red = {one.scenario for one in found if one is not None}
    [sound] = _in_forks([lambda: first_red("", red) if red else None])
    return [None for _ in rules] if sound else found


class _Task(Protocol):
    def __call__(self) -> Red | None: ...


def _in_forks(tasks: Iterable[_Task]) -> Iterator[Red | None]:
    """Each task in a fork of its own, two at a time; a fork that ends without an answer has found nothing."""
    running: deque[tuple[int, int]] = deque()
    try:
        for task in tasks:
            if len(running) == _AT_ONCE:
                yield _first_answer(running)
            running.append(_forked(task))
        while running:
            yield _first_answer(running)
    finally:
        for pid, read in running:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            os.close(read)


def _forked(task: _Task) -> tuple[int, int]:
    read, write = os.pipe()
    pid = os.fork()
    if pid:
        os.close(write)
        return pid, read
    try:
        os.write(write, msgspec.json.encode(task()))
    finally:
        os._exit(0)


def _first_answer(running: deque[tuple[int, int]]) -> Red | None:
    """It stays among those that run until it has ended."""
    pid, read = running[0]
    with os.fdopen(read, "rb", closefd=False) as said:
        answer = said.read()
    os.waitpid(pid, 0)
    os.close(read)
    running.popleft()
    return msgspec.json.decode(answer, type=Red | None) if answer else None
