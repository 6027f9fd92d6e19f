"""A newcomer whose usual port is taken is served on the next one; a port that was named is used or refused."""

import socket

import pytest

from sabot.basics.mistake import Mistake
from sabot.cli.ports import port_for


def test_the_first_free_port_from_the_usual_one_on_is_taken_where_none_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        usual = taken.getsockname()[1]
        chosen = port_for(None, usual)
        assert chosen > usual
        assert port_for(usual) == usual, "what was named is not replaced in silence"
    with pytest.raises(Mistake, match="no port: they go from 0 to 65535"):
        port_for(65536)
