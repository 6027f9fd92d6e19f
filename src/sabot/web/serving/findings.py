"""What an operator should know of a floor's file that can be served: what is unsigned, unanchored, open to the world,
or not as in the example. Each finding names the key and what to do. Nothing is changed."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import msgspec
from cryptography import x509

from sabot.journal.opening import path_of
from sabot.web.identity.vault_opening import is_database
from sabot.web.serving.certificate import TlsFiles
from sabot.web.serving.floor_file import OWNER_ONLY, Floor, FloorFile, TableWanted

FIRST_PINS = "first-pins.txt"
"""The file in which `sabot serve --init` leaves the first PINs."""
TRIAL = "trial"
"""The approval that `sabot serve --init` writes, which no regulator has given."""
OTHERS_WRITE = 0o022
SOON = timedelta(days=30)
"""How long before it expires a certificate is named."""
OWN_TO_A_FLOOR = frozenset(
    {
        *("floor", "casino", "shifts", "address", "control", "tables", "staff.desks", "journal.unsigned"),
        *("listen.host", "listen.port", "listen.names", "listen.certificate", "listen.key", "listen.trial_folder"),
        *("listen.plain", "journal.place", "journal.password_file", "journal.anchor", "journal.signing_key"),
        *("secrets.place", "secrets.password_file", "shoes.folder", "shoes.key", "tournaments.draws_key"),
        "monitoring.token_file",
    }
)
"""Keys whose value says nothing by being another than the example's, or which a finding of their own is about."""
Level = Literal["critical", "warning", "note"]


class FileFinding(msgspec.Struct, frozen=True):
    level: Level
    key: str
    """A key of the floor's file, of a table's file, or the path of a file."""
    what: str
    do: str


def findings(wanted: Floor, path: Path) -> list[FileFinding]:
    """The worst first."""
    found = [*_signing(wanted), *_secrets(wanted), *_doors(wanted), *_modes(wanted, path), *_left_by_init(wanted, path)]
    found += _unlike_the_example(path)
    return sorted(found, key=lambda one: ("critical", "warning", "note").index(one.level))


def _signing(wanted: Floor) -> Iterator[FileFinding]:
    part = wanted.file.journal
    journal = path_of(part.place)
    has_begun = journal is not None and journal.exists()
    if part.unsigned:
        yield FileFinding(
            "critical", "journal.unsigned", "nothing is signed: nobody vouches for the records", "say unsigned = false"
        )
    elif has_begun and not Path(part.signing_key).exists():
        yield FileFinding(
            "critical",
            "journal.signing_key",
            f"there are records, and their key {part.signing_key} is missing",
            "bring the copy of key and ring back; a new key is not in the ring on record, and no table would be served",
        )
    if not part.anchor:
        yield FileFinding(
            "critical", "journal.anchor", "the journal has no anchor", "name a file, if possible elsewhere"
        )
        return
    anchor = Path(part.anchor)
    if has_begun and not anchor.exists():
        what = f"there are records, and their anchor {anchor} is missing"
        yield FileFinding("critical", "journal.anchor", what, "bring it back; otherwise the next start raises an alarm")
    elif journal is not None and _disk_of(anchor) == _disk_of(journal):
        what = "the anchor is on the disk of the journal, and goes with it"
        yield FileFinding("note", "journal.anchor", what, "name a file on another disk, if there is one")


def _secrets(wanted: Floor) -> Iterator[FileFinding]:
    vault, journal = wanted.file.secrets.place, path_of(wanted.file.journal.place)
    if is_database(vault) or (Path(vault).exists() and Path(vault).stat().st_size):
        return
    if journal is not None and journal.exists():
        what = f"there are records, and the vault {vault} is missing or empty: nobody has a PIN, and no device is known"
        yield FileFinding("critical", "secrets.place", what, "bring the copy of the vault back")
    else:
        what = f"there is no vault {vault} yet: nobody has a PIN"
        yield FileFinding("warning", "secrets.place", what, "give the first persons a PIN: sabot staff set-pin")


def _disk_of(path: Path) -> int:
    while not path.exists():
        path = path.parent
    return path.stat().st_dev


def _doors(wanted: Floor) -> Iterator[FileFinding]:
    listen, staff = wanted.file.listen, wanted.file.staff
    if not listen.is_local and listen.plain and not listen.certificate:
        what = f"the floor listens on {listen.host} without TLS: PINs and tokens cross the network in the clear"
        yield FileFinding(
            "critical", "listen.plain", what, "name certificate and key, unless a proxy alone can reach it"
        )
    elif listen.trial_folder and not listen.certificate:
        what = "the certificate is self-signed, for a trial"
        yield FileFinding("warning", "listen.trial_folder", what, "name certificate and key of your authority")
    if listen.certificate and listen.key:
        yield from expiry(TlsFiles(Path(listen.certificate), Path(listen.key)).read())
    for desk in staff.desks:
        what = f"staff sign on from {desk} without an enrolled desk"
        yield FileFinding("warning", "staff.desks", what, "enrol the desk, and take the address out")
    if not listen.is_local and not wanted.file.monitoring.token_file:
        what = "without a token only this machine reads /metrics and the outbox"
        yield FileFinding("note", "monitoring.token_file", what, "name a file of mode 600 with at least 32 letters")


def expiry(certificate: x509.Certificate) -> Iterator[FileFinding]:
    ends, now = certificate.not_valid_after_utc, datetime.now(UTC)
    do = "have your authority issue a new one, and start the floor again"
    if certificate.not_valid_before_utc > now:
        begins = f"{certificate.not_valid_before_utc:%Y-%m-%d %H:%M} UTC"
        what = f"the certificate is good from {begins} on, and the clock shows {now:%Y-%m-%d %H:%M}"
        yield FileFinding("critical", "listen.certificate", what, "set the clock, or name the right certificate")
    elif ends <= now:
        what = f"the certificate expired on {ends:%Y-%m-%d}: no device connects"
        yield FileFinding("critical", "listen.certificate", what, do)
    elif ends <= now + SOON:
        yield FileFinding("warning", "listen.certificate", f"the certificate expires on {ends:%Y-%m-%d}", do)


def _modes(wanted: Floor, path: Path) -> Iterator[FileFinding]:
    for key, file in _secret_files(wanted.file):
        if (mode := _mode(file)) & OWNER_ONLY:
            what = f"{file} can be read by others (mode {mode:o})"
            yield FileFinding("critical", key, what, f"chmod {mode & 0o700:o} {file}")
    for key, file in (("the floor's file", path.resolve()), *_table_files(wanted, path)):
        if (mode := _mode(file)) & OTHERS_WRITE:
            what = f"{file} can be changed by others (mode {mode:o})"
            yield FileFinding("critical", key, what, f"chmod {mode & 0o755:o} {file}")


def _secret_files(file: FloorFile) -> Iterator[tuple[str, Path]]:
    named = {
        "journal.signing_key": file.journal.signing_key,
        "journal.password_file": file.journal.password_file,
        "secrets.password_file": file.secrets.password_file,
        "secrets.place": "" if is_database(file.secrets.place) else file.secrets.place,
        "shoes.key": file.shoes.key,
        "shoes.folder": file.shoes.folder,
        "tournaments.draws_key": file.tournaments.draws_key,
        "monitoring.token_file": file.monitoring.token_file,
        "listen.key": file.listen.key,
    }
    yield from ((key, Path(value)) for key, value in named.items() if value)
    journal = path_of(file.journal.place)
    if journal is not None:
        yield "journal.place", journal


def _table_files(wanted: Floor, path: Path) -> Iterator[tuple[str, Path]]:
    for number, one in enumerate(wanted.tables):
        if one.part.file:
            yield f"tables[{number}].file", path.resolve().parent / one.part.file


def _mode(path: Path) -> int:
    """Its permissions; none where it is not there yet, since this program makes its files for its user alone."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        return 0


def _left_by_init(wanted: Floor, path: Path) -> Iterator[FileFinding]:
    pins = path.resolve().parent / FIRST_PINS
    if pins.exists():
        what = f"{pins} still holds the first PINs"
        yield FileFinding(
            "warning", FIRST_PINS, what, "give each person their own, have them change it, delete the file"
        )
    for one in wanted.tables:
        if names := list(_unapproved(one)):
            what = f"the approval of {_listed(names)} is {TRIAL!r}, which no regulator has given"
            key = f"{one.configuration.table}: approval"
            yield FileFinding("warning", key, what, "write the references of your approvals into the table's file")


def _unapproved(one: TableWanted) -> Iterator[str]:
    configuration = one.configuration
    for name, part in (("console", configuration.console), ("display", configuration.display)):
        if part is not None and part.approval == TRIAL:
            yield name
    yield from (name for name, station in configuration.stations.items() if station.approval == TRIAL)


def _listed(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= 4 else f"{', '.join(names[:3])} and {len(names) - 3} more"


def _unlike_the_example(path: Path) -> Iterator[FileFinding]:
    """By the values that stand in the file; `deploy/sabot.toml` has every key with its default."""
    written = msgspec.toml.decode(path.read_bytes(), type=FloorFile)
    yield from _unlike("origins", written.origins, ())
    for name in written.__struct_fields__:
        part = getattr(written, name)
        if isinstance(part, msgspec.Struct):
            usual = type(part)()
            for key in part.__struct_fields__:
                yield from _unlike(f"{name}.{key}", getattr(part, key), getattr(usual, key))


def _unlike(key: str, value: Any, usual: Any) -> Iterator[FileFinding]:
    if key not in OWN_TO_A_FLOOR and value != usual:
        what = f"it is {_said(value)}; in the example it is {_said(usual)}"
        yield FileFinding("note", key, what, "leave it only if it is meant so")


def _said(value: Any) -> str:
    return msgspec.json.encode(value).decode()
