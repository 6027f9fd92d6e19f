"""The drill on a real cluster of PostgreSQL, Patroni and etcd: something fails three times while robots wager."""

import re
from pathlib import Path

import msgspec
import pytest

from sabot.cli.cluster.rounds import ClusterReport
from tests.cli.sabot import sabot

CANNOT = re.compile(r"is not installed|is not here|no namespaces can be made|user namespaces are not allowed")


@pytest.mark.slow
@pytest.mark.clause("CROWN 11.15(a)", "CROWN 11.15(b)")
def test_no_acknowledged_wager_is_lost_or_doubled_when_nodes_of_the_database_fail(tmp_path: Path) -> None:
    """The short form of `sabot drill cluster`: the faults that are over in seconds, at one table."""
    report = tmp_path / "report.json"
    ran = sabot(
        *("drill", "cluster", "--rounds", "3", "--quick", "--tables", "1", "--json", str(report)),
        *("--keep", str(tmp_path / "kept")),
        anew=True,  # It starts itself again, in namespaces of its own.
    )
    if ran.code == 2 and CANNOT.search(ran.error):
        pytest.skip(ran.error.strip())
    assert ran.code == 0, ran.out + ran.error
    told = msgspec.json.decode(report.read_bytes(), type=ClusterReport)
    assert len(told.rounds) == 3
    assert (told.lost, told.doubled, told.wrong, told.verified) == (0, 0, 0, True)
    assert told.acknowledged > 100
    assert told.purses > 50
