"""The floor's file: the configuration of one process of a floor, in TOML.

An unknown key is refused with its place, and so is a secret in the file: passwords, keys and tokens are in files of
their own, which only the program's user can read. Paths are relative to the file's own folder.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import quote, urlsplit, urlunsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec.structs import replace

from sabot.basics.mistake import Mistake, place_and_reason
from sabot.floor.virtual.dealer import Crew, Manner, Pace
from sabot.journal.opening import adapter_of, path_of
from sabot.school.lesson import Lesson
from sabot.school.room import Trainee
from sabot.table.configuration import Configuration, check, read_configuration
from sabot.web.door.budgets import Budgets
from sabot.web.http.desks import Desks
from sabot.web.identity.vault_opening import is_database
from sabot.web.serving.listening import Listening, is_host_name
from sabot.web.socket.socket import SocketLimits

OWNER_ONLY = 0o077
"""The permissions that a secret's file must not give to others."""
SHORTEST_TOKEN = 32
_Hour = Annotated[str, msgspec.Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
_Name = Annotated[str, msgspec.Meta(pattern=r"^[^\s].{0,79}$")]


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of the file; an unknown key is refused."""


class JournalPart(_Part, frozen=True, kw_only=True):
    place: str = "floor.journal"
    """The path of a SQLite file, or the postgresql:// address of a database, without its password."""
    password_file: str = ""
    anchor: str = "floor.anchor"
    """A small file, if possible on another disk, that shows when the last records of the journal are lost."""
    signing_key: str = "signing.key"
    """The file of the key that signs every stream; it is made if it is not there."""
    unsigned: bool = False
    """Whether nothing is signed, so that nobody vouches for what is recorded."""
    rotate: Literal["never", "day", "month"] = "month"
    """When a signed journal in a file goes on in a new part: at the roll of every gaming day, or of every month."""


class SecretsPart(_Part, frozen=True, kw_only=True):
    """Where hashes of PINs, sessions and invitations are stored; never in the journal."""

    place: str = "floor.vault"
    password_file: str = ""


class ShoesPart(_Part, frozen=True, kw_only=True):
    """The files of virtual shoes. Processes that share tables share this folder as well."""

    folder: str = "shoes"
    key: str = "floor.key"


class TournamentsPart(_Part, frozen=True, kw_only=True):
    """Processes that share tables share this key as well."""

    draws_key: str = "draws.key"
    """The file of the key behind the draws; it is made if it is not there."""


class CrewPart(Crew, frozen=True, forbid_unknown_fields=True):
    """The persons in whose names a virtual dealer acts."""


class LimitsPart(SocketLimits, frozen=True, forbid_unknown_fields=True):
    """How many frames a device may send."""


class DoorPart(Budgets, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How much strangers and devices may use of a process."""


class TablePart(_Part, frozen=True, kw_only=True):
    """A table, configured in a file of its own or in this part."""

    file: str = ""
    configuration: dict[str, Any] | None = None
    dealer: Literal["live", "virtual"] = "live"
    crew: CrewPart = CrewPart("D1", "GS1", "CS1")
    pace: Annotated[float, msgspec.Meta(ge=0, le=100)] = 1.0
    """The pace of a virtual dealer: 2 takes twice as long, 0 deals as fast as the table answers."""
    burn_by_face_value: bool = False
    stand_by: bool = False
    """Whether this process takes the table only when no other process does."""


class StaffPart(_Part, frozen=True, kw_only=True):
    desks: tuple[str, ...] = ()
    """Addresses from which staff sign on without an enrolled console or desk: `10.1.2.3`, or `10.1.2.0/28`."""


class MonitoringPart(_Part, frozen=True, kw_only=True):
    token_file: str = ""
    """The file of the token with which a monitoring system reads the outbox, the meters and the metrics."""


class LogPart(_Part, frozen=True, kw_only=True):
    level: Literal["debug", "info", "warning", "error"] = "info"
    form: Literal["auto", "json", "console"] = "auto"
    """`auto` is `console` on a terminal and `json` elsewhere."""


class FloorFile(_Part, frozen=True, kw_only=True):
    floor: _Name
    """The floor's name, which is part of the text that devices sign."""
    casino: Annotated[str, msgspec.Meta(max_length=80)] = ""
    """The casino's name, for printed reports."""
    shifts: Annotated[tuple[_Hour, ...], msgspec.Meta(max_length=12)] = ()
    """When shifts begin, in the house's zone: `["06:00", "14:00", "22:00"]`."""
    address: str = ""
    """The address at which devices reach this process, such as https://floor-1.casino.example:8443."""
    control: str = ""
    """The socket for orders on this machine; by default the floor's file with the ending .control."""
    origins: tuple[str, ...] = ()
    """The exact origins of other pages that may send requests."""
    listen: Listening = Listening()
    journal: JournalPart = JournalPart()
    secrets: SecretsPart = SecretsPart()
    shoes: ShoesPart = ShoesPart()
    tournaments: TournamentsPart = TournamentsPart()
    tables: Annotated[tuple[TablePart, ...], msgspec.Meta(min_length=1)]
    limits: LimitsPart = LimitsPart()
    staff: StaffPart = StaffPart()
    door: DoorPart = DoorPart()
    monitoring: MonitoringPart = MonitoringPart()
    log: LogPart = LogPart()


class TableWanted(msgspec.Struct, frozen=True):
    """A table of the floor with its checked configuration."""

    configuration: Configuration
    part: TablePart

    @property
    def manner(self) -> Manner:
        return Manner(Pace().times(self.part.pace), self.part.burn_by_face_value)


class SchoolWanted(msgspec.Struct, frozen=True):
    """A dealer school on a floor: its lessons by id, and the trainee of each table."""

    lessons: dict[str, Lesson]
    trainees: dict[str, Trainee]
    keys: dict[str, str]
    """The word in the link of each table's trainee."""
    pin: str
    """The teacher's, who sees all tables."""


class Floor(msgspec.Struct, frozen=True):
    """The file with absolute paths and its tables' configurations."""

    file: FloorFile
    tables: tuple[TableWanted, ...]
    school: SchoolWanted | None = None
    """Where `sabot school serve` wants one; a casino's floor has none."""

    @property
    def is_shared(self) -> bool:
        """Whether other processes may use the same journal."""
        return adapter_of(self.file.journal.place).is_shared


def read_floor_file(path: Path) -> Floor:
    file = read_places(path)
    return Floor(file, tuple(_tables(file, path.parent.resolve(), str(path))))


def read_places(path: Path) -> FloorFile:
    """The floor's file alone: who needs its places is not kept waiting by a mistake in a table's file."""
    try:
        written = path.read_bytes()
    except OSError as error:
        raise Mistake(f"{path} cannot be read: {error.strerror}") from None
    file = _read(written, path.parent, str(path))
    return file if file.control else replace(file, control=str(path.resolve().with_suffix(".control")))


def read_floor(written: bytes, folder: Path, called: str) -> Floor:
    file = _read(written, folder, called)
    return Floor(file, tuple(_tables(file, folder.resolve(), called)))


def _read(written: bytes, folder: Path, called: str) -> FloorFile:
    try:
        file = msgspec.toml.decode(written, type=FloorFile)
    except msgspec.ValidationError as error:
        place, reason = place_and_reason(error, FloorFile, msgspec.toml.decode(written))
        raise Mistake(f"{called}: {place or 'the file'}: {reason}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Mistake(f"{called}: it is not TOML: {error}") from None
    _check_places(file, called)
    return in_folder(file, folder.resolve())


def read_secret(path: str, what: str) -> str:
    """The content of a secret's file, which others may not read."""
    file = Path(path)
    try:
        mode, text = file.stat().st_mode & 0o777, file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Mistake(f"{what} {path} cannot be read: {getattr(error, 'strerror', None) or 'it is not text'}") from None
    if mode & OWNER_ONLY:
        raise Mistake(f"{what} {path} can be read by others (mode {mode:o}); chmod 600 {path}")
    if not text.strip():
        raise Mistake(f"{what} {path} is empty")
    return text.strip()


def address_of(part: JournalPart | SecretsPart) -> str:
    """The place with its password, for the database driver alone."""
    if not part.password_file:
        return part.place
    parts = urlsplit(part.place)
    user, _, host = parts.netloc.rpartition("@")
    password = quote(read_secret(part.password_file, "the password file"), safe="")
    return urlunsplit(parts._replace(netloc=f"{user}:{password}@{host}"))


def _check_places(file: FloorFile, called: str) -> None:
    _check_names(file.listen, called)
    if not (file.journal.unsigned or (file.journal.signing_key and file.journal.anchor)):
        missing = "anchor" if file.journal.signing_key else "signing_key"
        raise Mistake(
            f"{called}: journal.{missing}: a floor is signed and anchored; name a file, or say unsigned = true"
        )
    try:
        Desks(file.staff.desks)
    except Mistake as mistake:
        raise Mistake(f"{called}: {mistake}") from None
    for name, part in (("journal", file.journal), ("secrets", file.secrets)):
        _check_place(part, f"{called}: {name}")
    if adapter_of(file.journal.place).is_shared and not is_database(file.secrets.place):
        raise Mistake(f"{called}: secrets.place: processes that share a journal share their secrets; name a database")
    if file.address and urlsplit(file.address).scheme not in ("http", "https"):
        raise Mistake(f"{called}: address: {file.address} is not an address such as https://floor-1.example:8443")


def _check_place(part: JournalPart | SecretsPart, where: str) -> None:
    if _is_path(part):
        if "://" in part.place:
            raise Mistake(f"{where}.place: {part.place} is no path and no postgresql:// address")
        if part.password_file:
            raise Mistake(f"{where}.password_file: a file has no password; only a server has")
    elif urlsplit(part.place).password is not None:
        raise Mistake(f"{where}.place: a password is in it; put it in a file of mode 600: password_file")
    elif part.password_file and not urlsplit(part.place).username:
        raise Mistake(f"{where}.place: it names no user, whose password {part.password_file} would be")


def _check_names(listen: Listening, called: str) -> None:
    for name in listen.names:
        if not is_host_name(name):
            raise Mistake(
                f"{called}: listen.names: {name!r} is no name of a machine; write it without scheme, port and path,"
                " such as floor.casino.example"
            )


def in_folder(file: FloorFile, folder: Path) -> FloorFile:
    """The file with absolute paths; addresses of servers and empty values stay as they are."""

    def moved(part: Any, *names: str) -> Any:
        paths = {name: str(folder / value) for name in names if (value := getattr(part, name))}
        return replace(part, **paths)

    def placed(part: Any, *names: str) -> Any:
        return moved(part, "place", *names) if _is_path(part) else moved(part, *names)

    return replace(
        file,
        control=str(folder / file.control) if file.control else "",
        listen=moved(file.listen, "certificate", "key", "trial_folder"),
        journal=placed(file.journal, "password_file", "anchor", "signing_key"),
        secrets=placed(file.secrets, "password_file"),
        shoes=moved(file.shoes, "folder", "key"),
        tournaments=moved(file.tournaments, "draws_key"),
        monitoring=moved(file.monitoring, "token_file"),
    )


def _is_path(part: JournalPart | SecretsPart) -> bool:
    if isinstance(part, JournalPart):
        return path_of(part.place) is not None
    return not is_database(part.place)


def _tables(file: FloorFile, folder: Path, called: str) -> Iterator[TableWanted]:
    names: set[str] = set()
    for number, part in enumerate(file.tables):
        place = f"{called}: tables[{number}]"
        if bool(part.file) == (part.configuration is not None):
            raise Mistake(f"{place}: give the table's file or its configuration, one of the two")
        configuration = _configuration(part, folder, place)
        if configuration.table in names:
            raise Mistake(f"{place}: there is a table {configuration.table} already")
        names.add(configuration.table)
        if part.dealer == "virtual":
            _check_crew(part.crew, configuration, place)
        yield TableWanted(configuration, part)


def _configuration(part: TablePart, folder: Path, place: str) -> Configuration:
    written: object = part.configuration
    if part.file:
        path = folder / part.file
        try:
            written = msgspec.toml.decode(path.read_bytes())
        except OSError as error:
            raise Mistake(f"{place}.file: {path} cannot be read: {error.strerror}") from None
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Mistake(f"{place}.file: {path} is not TOML: {error}") from None
    try:
        configuration = read_configuration(written)
        check(configuration)
        _check_zone(configuration.time_zone)
    except Mistake as mistake:
        raise Mistake(f"{folder / part.file if part.file else f'{place}.configuration'}: {mistake}") from None
    return configuration


def _check_zone(name: str) -> None:
    """Not a rule of the table: which zones there are is the machine's to say, and a replay must not ask it."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Mistake(
            f"time_zone: {name!r} is not a time zone that this machine knows; write it as Australia/Melbourne"
        ) from None


def _check_crew(crew: Crew, configuration: Configuration, place: str) -> None:
    for role in crew.__struct_fields__:
        person = getattr(crew, role)
        if role not in configuration.staff.get(person, ()):
            raise Mistake(
                f"{place}.crew.{role}: {person} is no {role.replace('_', ' ')} of table {configuration.table}"
            )
