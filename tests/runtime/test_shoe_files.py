"""The files of virtual shoes: a disk that stands still keeps nobody but those who wait for the shoe."""

import asyncio
import os
from pathlib import Path

import pytest

from sabot.basics.mistake import Mistake
from sabot.runtime.shoe_files import FiledShoes, ShoeFiles
from tests.stalled import opened_by_its_reader, stalled


def test_the_event_loop_goes_on_while_a_shoe_is_read(tmp_path: Path) -> None:
    files = ShoeFiles(tmp_path / "shoes", tmp_path / "floor.key")

    async def scene() -> None:
        shoes = FiledShoes(files)
        shoe = await shoes.new("T1", 1, 8)
        assert (await shoes.find("T1", 1, shoe.commitment)).order == shoe.order
        with stalled(files.path("T1", 2)):
            finding = asyncio.create_task(shoes.find("T1", 2, ""))
            pipe = await opened_by_its_reader(files.path("T1", 2), finding)
            assert (await shoes.new("T2", 1, 8)).number == 1
            assert not finding.done()
            os.close(pipe)
            with pytest.raises(Mistake, match="the file of shoe 2 is of no use"):
                await finding
        await shoes.forget("T1", 1)
        with pytest.raises(Mistake, match="the file of shoe 1 cannot be read"):
            await shoes.find("T1", 1, shoe.commitment)

    asyncio.run(scene())
