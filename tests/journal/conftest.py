"""What the journal's tests share."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

MEMORY_DISK = Path("/dev/shm")  # noqa: S108  It holds a folder of our own making.


@pytest.fixture
def quick_folder() -> Iterator[Path]:
    """A folder in memory where there is one: for files that are looked at hundreds of times and never lose power."""
    folder = Path(tempfile.mkdtemp(prefix="sabot-", dir=MEMORY_DISK if MEMORY_DISK.is_dir() else None))
    yield folder
    shutil.rmtree(folder)
