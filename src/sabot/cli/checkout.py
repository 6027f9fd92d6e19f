"""The checkout that this program was installed from, where it keeps its benchmarks and the last test run's results."""

from pathlib import Path


def checkout() -> Path | None:
    """None when Sabot was installed as a package, away from its sources."""
    root = Path(__file__).resolve().parents[3]
    return root if (root / "bootstrap.py").is_file() else None
