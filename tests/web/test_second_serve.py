"""A second process on the files of a served floor is refused at its start."""

from pathlib import Path

from tests.cli.sabot import sabot
from tests.runtime.floors import PATIENCE_S
from tests.served.floor_file import staffed_floor, write_floor
from tests.served.process import get, serving

REFUSED = 2


def test_a_second_process_on_one_journal_is_refused_and_names_the_first(tmp_path: Path) -> None:
    config = staffed_floor(tmp_path)
    with serving(config) as process:
        second = sabot("serve", "--config", str(config), within_s=PATIENCE_S)
        assert second.code == REFUSED
        assert f"the journal {tmp_path / 'floor.journal'} is in use by process {process.pid} on " in second.error
        assert "one process at a time may write to it" in second.error
        assert get(process.url, "/readyz").json()["ready"]


def test_a_second_floor_on_one_vault_is_refused_although_its_journal_is_another(tmp_path: Path) -> None:
    config = staffed_floor(tmp_path)
    other = write_floor(tmp_path, name="other.toml", journal={"place": "other.journal", "anchor": "other.anchor"})
    with serving(config) as process:
        second = sabot("serve", "--config", str(other), within_s=PATIENCE_S)
        assert second.code == REFUSED
        assert f"the vault {tmp_path / 'floor.vault'} is in use by process {process.pid} on " in second.error
