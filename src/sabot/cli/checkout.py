"""The checkout that this program was installed from, which has the benchmarks and the results of the last test run."""

from pathlib import Path


def checkout() -> Path | None:
    """None when Sabot was installed as a package, without its checkout."""
    root = Path(__file__).resolve().parents[3]
    return root if (root / "bootstrap.py").is_file() else None
