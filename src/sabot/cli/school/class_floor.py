"""The floor of a class: the server that casinos run, with the school's robots at the tables, and links for trainees."""

import asyncio
import contextlib
import secrets
import signal
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec

from sabot.cli.sentences import in_one_sentence
from sabot.cli.terminal import console, print_json
from sabot.floor.records.program_digest import program_digest
from sabot.floor.stamper import Giver
from sabot.house.state import DeviceKind
from sabot.school.lesson import Lesson
from sabot.school.room import Trainee, configuration_of
from sabot.web.identity.enrolments import Granted
from sabot.web.identity.pin import PinHasher, new_pin
from sabot.web.identity.sessions import MINUTES, set_pin
from sabot.web.serving.floor_file import (
    Floor,
    FloorFile,
    JournalPart,
    SchoolWanted,
    StaffPart,
    TablePart,
    TableWanted,
    in_folder,
)
from sabot.web.serving.listening import Listening
from sabot.web.serving.logs import set_up_logs
from sabot.web.serving.process import Premises
from sabot.web.serving.server import Serving, run, served

JOURNAL = JournalPart().place
INVITED_MS = 7 * 24 * 60 * MINUTES
LOOPBACK = ("127.0.0.1", "::1", "localhost")


class ClassWanted(msgspec.Struct, frozen=True):
    first: Lesson
    lessons: dict[str, Lesson]
    trainees: int
    host: str = "127.0.0.1"
    port: int = 0
    keep: Path | None = None
    json: bool = False


class TraineeLinks(msgspec.Struct, frozen=True):
    table: str
    trainee: Trainee
    path: str
    """Of the trainee's page, with the trainee's word and the invitation of its console."""
    pin: str

    @property
    def invitation(self) -> str:
        return self.path.rpartition("=")[2]

    @property
    def key(self) -> str:
        return self.path.rpartition("#key=")[2].partition("&")[0]


class ClassTold(msgspec.Struct, frozen=True):
    """What a program is told of a class that is served."""

    url: str
    lesson: str
    trainees: list[TraineeLinks]
    pin: str
    """The teacher's, for the page of the class."""


def run_class(wanted: ClassWanted) -> int:
    set_up_logs("error", "console")
    with contextlib.ExitStack() as closing, in_one_sentence():
        folder = wanted.keep
        if folder is None:
            folder = Path(closing.enter_context(tempfile.TemporaryDirectory(prefix="sabot-school-")))
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        run(_serve(wanted, folder.resolve()))
    return 0


async def _serve(wanted: ClassWanted, folder: Path) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with class_served(wanted, folder) as (serving, links):
        if wanted.json:
            print_json(ClassTold(serving.url, wanted.first.id, links, teacher_pin(serving)))
        else:
            _show_links(serving.url, links, wanted, teacher_pin(serving))
        sys.stdout.flush()
        await stop.wait()


@contextlib.asynccontextmanager
async def class_served(
    wanted: ClassWanted, folder: Path, hasher: PinHasher | None = None
) -> AsyncIterator[tuple[Serving, list[TraineeLinks]]]:
    """A class that is served, with the first lesson begun at every table that has not begun one before."""
    hashes = hasher or PinHasher()
    floor = floor_of(wanted, folder)
    async with served(floor, program_digest()) as serving:
        school = serving.premises.school
        assert school is not None
        assert floor.school is not None
        for table in school.tables.values():
            await _owned(serving.premises, table.name)
            await table.catch_up()
            if table.records.grading is None:
                table.begin(wanted.first)
        tables, keys = school.tables.items(), floor.school.keys
        yield serving, [await _links(serving.premises, name, one.trainee, keys[name], hashes) for name, one in tables]


def teacher_pin(serving: Serving) -> str:
    """Of a class that is served; every start draws another."""
    assert serving.premises.wanted.school is not None
    return serving.premises.wanted.school.pin


def floor_of(wanted: ClassWanted, folder: Path) -> Floor:
    """What the floor's file of the class would say."""
    trainees = {f"T{number}": Trainee.numbered(number) for number in range(1, wanted.trainees + 1)}
    trial = "" if wanted.host in LOOPBACK else "certificate"
    file = FloorFile(
        floor="Sabot school",
        listen=Listening(host=wanted.host, port=wanted.port, trial_folder=trial),
        tables=tuple(TablePart() for _ in trainees),
        staff=StaffPart(desks=("127.0.0.1", "::1")),
    )
    tables = (
        TableWanted(configuration_of(wanted.first, name, trainee), part)
        for (name, trainee), part in zip(trainees.items(), file.tables, strict=True)
    )
    keys = {name: secrets.token_urlsafe(16) for name in trainees}
    school = SchoolWanted(wanted.lessons, trainees, keys, new_pin() + new_pin())
    return Floor(in_folder(file, folder), tuple(tables), school)


async def _owned(premises: Premises, table: str) -> None:
    while premises.floor.tables[table].term is None:
        await asyncio.sleep(0.02)


async def _links(premises: Premises, table: str, trainee: Trainee, key: str, hasher: PinHasher) -> TraineeLinks:
    """An invitation for the trainee's console, and one new PIN for the persons that the trainee is."""
    pin = new_pin()
    for person in trainee.persons:
        await set_pin(premises.vault, hasher, person, pin)
    known = premises.floor.house.state.devices
    device = f"console-{table}-{sum(one.table == table for one in known.values()) + 1}"
    granted = Granted(device=device, table=table, approval=f"school {device}", station=None)
    giver = Giver(trainee.casino_supervisor, trainee.game_supervisor)
    invitation = await premises.identities.enrolments.invite(DeviceKind.CONSOLE, granted, giver, INVITED_MS)
    return TraineeLinks(table, trainee, f"/school#key={key}&invitation={invitation}", pin)


def _show_links(url: str, links: list[TraineeLinks], wanted: ClassWanted, pin: str) -> None:
    out = console()
    out.print(f"{wanted.first.title.en}: a class of {wanted.trainees}. Nothing is played for.\n")
    for one in links:
        out.print(f"  {one.table:4} {url}{one.path}", soft_wrap=True)
        out.print(f"       {', '.join(one.trainee.persons)}: PIN {one.pin}")
    out.print(f"\n  all  {url}/school?class", soft_wrap=True)
    out.print(f"       the teacher: PIN {pin}")
    out.print("\nCtrl-C ends the class.")
