"""A floor's file with its tables' files beside it, as `sabot serve` reads them."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec

from sabot.table.configuration import Configuration
from sabot.web.serving.floor_file import read_floor_file
from sabot.web.serving.process import open_vault
from sabot.web.serving.toml_text import toml_text
from tests.runtime.floors import table_for
from tests.served.staff import DESKS, give_pins

TOKEN = "a-monitoring-token-of-more-than-32-letters"  # noqa: S105  It opens nothing but these tests.


def write_floor(
    folder: Path, *tables: Configuration, name: str = "floor.toml", dealer: str = "virtual", **top: Any
) -> Path:
    """A floor with these tables under dealers who are quick where they are virtual; `top` are parts of the file."""
    folder.mkdir(exist_ok=True)
    parts = []
    for one in tables or (table_for(period_ms=400),):
        (folder / f"{one.table}.toml").write_text(toml_text(msgspec.to_builtins(one, enc_hook=str)))
        parts.append({"file": f"{one.table}.toml", "dealer": dealer, "pace": 0.0})
    (folder / "monitoring.token").write_text(TOKEN)
    (folder / "monitoring.token").chmod(0o600)
    file = {
        "floor": "Tests",
        "listen": {"port": 0},
        "monitoring": {"token_file": "monitoring.token"},
        "staff": {"desks": list(DESKS)},
        "limits": {"frames_a_second": 1000.0, "frames_at_once": 1000.0},
        "tables": parts,
        **top,
    }
    path = folder / name
    path.write_text(toml_text(file))
    return path


def staffed_floor(folder: Path, *tables: Configuration, **parts: Any) -> Path:
    """The same, with everybody's PIN in its vault."""
    path = write_floor(folder, *tables, **parts)

    async def give() -> None:
        async with await open_vault(read_floor_file(path)) as vault:
            await give_pins(vault)

    asyncio.run(give())
    return path
