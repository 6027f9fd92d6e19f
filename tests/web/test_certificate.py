"""TLS and where the floor listens: a trial's own certificate, files of others, and this machine alone unless told."""

import asyncio
import ssl
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sabot.basics.mistake import Mistake
from sabot.web.serving.certificate import DAYS, tls_from_files, trial_certificate
from sabot.web.serving.findings import expiry
from sabot.web.serving.listening import Listening, server_options

NOW = datetime(2026, 11, 16, 6, tzinfo=UTC)


def test_a_trial_certificate_is_for_its_owner_and_its_hosts(tmp_path: Path) -> None:
    files = trial_certificate(tmp_path / "tls", ["127.0.0.1", "floor.example", "::1"], NOW)
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert len(files.fingerprint.split(":")) == 32
    certificate = files.read()
    assert certificate.not_valid_after_utc == NOW + timedelta(days=DAYS)


def test_it_is_kept_until_it_expires_or_the_hosts_change(tmp_path: Path) -> None:
    first = trial_certificate(tmp_path, ["127.0.0.1"], NOW).fingerprint
    assert trial_certificate(tmp_path, ["127.0.0.1", "127.0.0.1"], NOW + timedelta(days=80)).fingerprint == first
    renewed = trial_certificate(tmp_path, ["127.0.0.1"], NOW + timedelta(days=DAYS)).fingerprint
    assert renewed != first
    other = trial_certificate(tmp_path, ["127.0.0.1", "floor.example"], NOW + timedelta(days=DAYS)).fingerprint
    assert other not in (first, renewed)


def test_a_browser_that_trusts_it_can_speak_with_the_floor(tmp_path: Path) -> None:
    async def test() -> str:
        files = trial_certificate(tmp_path, ["127.0.0.1", "localhost"])
        server_side = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        server_side.load_cert_chain(*files)
        client_side = ssl.create_default_context(cafile=str(files.certificate))

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(await reader.readline())
            writer.close()
            await writer.wait_closed()

        async with await asyncio.start_server(answer, "127.0.0.1", 0, ssl=server_side) as server:
            port = server.sockets[0].getsockname()[1]
            reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=client_side)
            writer.write(b"hello\n")
            said = await reader.readline()
            writer.close()
            await writer.wait_closed()
            return said.decode()

    assert asyncio.run(test()) == "hello\n"


def test_files_of_others_are_looked_at_before_they_are_used(tmp_path: Path) -> None:
    files = trial_certificate(tmp_path, ["127.0.0.1"])
    assert tls_from_files(*files) == files
    files.key.chmod(0o644)
    with pytest.raises(Mistake, match="can be read by others"):
        tls_from_files(*files)
    with pytest.raises(Mistake, match="cannot be used"):
        tls_from_files(tmp_path / "nothing", files.key)
    with pytest.raises(Mistake, match="cannot be used"):
        tls_from_files(files.certificate, tmp_path / "nothing")
    with pytest.raises(Mistake, match="cannot be used"):
        tls_from_files(files.key, files.key)


def test_a_key_of_another_certificate_is_refused_before_anything_listens(tmp_path: Path) -> None:
    ours, other = (trial_certificate(tmp_path / name, ["127.0.0.1"]) for name in ("ours", "other"))
    with pytest.raises(Mistake, match="is not the key of"):
        tls_from_files(ours.certificate, other.key)
    ours.key.write_bytes(b"nothing")
    with pytest.raises(Mistake, match="is not the key of"):
        tls_from_files(*ours)


@pytest.mark.parametrize(
    ("days", "level"), [(-DAYS - 1, "critical"), (10 - DAYS, "warning"), (2, "critical"), (0, None)]
)
def test_a_certificate_that_is_not_good_now_or_not_for_long_is_found(tmp_path: Path, days: int, level: str) -> None:
    files = trial_certificate(tmp_path, ["127.0.0.1"], datetime.now(UTC) + timedelta(days=days))
    assert [one.level for one in expiry(files.read())] == ([level] if level else [])


def test_a_floor_listens_on_this_machine_alone_unless_told() -> None:
    usual = Listening()
    assert usual.host == "127.0.0.1"
    assert usual.tls() is None
    assert usual.origins(tls=False) == ("http://127.0.0.1:8080", "http://localhost:8080")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.5", "floor.example"])  # noqa: S104
def test_beyond_this_machine_it_wants_tls_or_a_plain_word(host: str, tmp_path: Path) -> None:
    named = ("floor.example",)
    with pytest.raises(Mistake, match="not this machine alone"):
        Listening(host=host, names=named).tls()
    assert Listening(host=host, names=named, plain=True).tls() is None
    files = Listening(host=host, names=("floor.example",), trial_folder=str(tmp_path)).tls()
    assert files is not None
    options = server_options(Listening(host=host), files)
    assert (options["ssl_certfile"], options["ssl_keyfile"]) == tuple(map(str, files))
    assert options["proxy_headers"] is False


def test_where_it_listens_everywhere_it_must_know_its_names() -> None:
    with pytest.raises(Mistake, match="say in `names`"):
        Listening(host="0.0.0.0", plain=True).tls()  # noqa: S104  Nobody listens.


def test_a_name_beyond_this_machine_is_beyond_it(tmp_path: Path) -> None:
    with pytest.raises(Mistake, match="not this machine alone"):
        Listening(names=("floor.example",)).tls()
    with pytest.raises(Mistake, match="belong together"):
        Listening(certificate=str(tmp_path / "c")).tls()


def test_origins_are_exact() -> None:
    listening = Listening(host="::", port=443, names=("floor.example", "2001:db8::1"))
    assert listening.origins(tls=True) == ("https://floor.example", "https://[2001:db8::1]")
    assert Listening(port=80).origins(tls=False) == ("http://127.0.0.1", "http://localhost")
